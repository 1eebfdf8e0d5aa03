#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"

namespace gusset {

/// The right-hand side of `key = value`, with numbers already in SI.
struct Value {
  enum class Kind { number, quantity, text, boolean, list };

  Kind kind = Kind::number;
  double number = 0;                ///< number, quantity (SI), boolean (0 or 1)
  Dimension dimension;              ///< of a quantity, or of a list with a unit
  std::string text;                 ///< as written
  std::vector<double> numbers;      ///< list: SI, row after row if it was a list of lists
  std::size_t rows = 0;             ///< list of lists: number of rows; 0 for a plain list
  std::vector<std::string> texts;   ///< list of strings that are not quantities
  std::string unit_problem;         ///< text that starts like a number: why it is not a quantity
};

/// One key of a section.
struct Entry {
  std::string key;
  Value value;
  Where where;
  mutable bool used = false;
};

/// A table of the experiment file, e.g. [integrator]. Reading a key checks its kind, dimension and
/// finiteness, and marks it used; what nobody asked for is reported by Document::reject_unknown().
/// All readers throw InputError with file, line, column and the fix.
class Section {
 public:
  std::string path;               ///< "integrator"; "specimen.2" in an array of tables; "" is the top
  Where where;
  std::vector<Entry> entries;

  const Entry* find(std::string_view key) const;  ///< marks it used; nullptr if absent
  bool has(std::string_view key) const;           ///< does not mark it used

  double number(std::string_view key, const Dimension& dimension) const;
  double number(std::string_view key, const Dimension& dimension, double fallback) const;
  std::optional<double> maybe(std::string_view key, const Dimension& dimension) const;
  double positive(std::string_view key, const Dimension& dimension) const;       ///< > 0
  double non_negative(std::string_view key, const Dimension& dimension) const;   ///< >= 0
  int integer(std::string_view key, int fallback, int lowest, int highest) const;
  bool flag(std::string_view key, bool fallback) const;
  std::string text(std::string_view key) const;
  std::string text(std::string_view key, std::string_view fallback) const;
  /// One of a fixed set of words; an unknown one is an error that names the nearest.
  std::string choice(std::string_view key, const std::vector<std::string_view>& allowed,
                     std::string_view fallback = {}) const;
  /// A list, or a single number read as a list of one.
  std::vector<double> list(std::string_view key, const Dimension& dimension) const;
  /// A list of whole numbers (storey numbers), each at least `lowest`.
  std::vector<int> integers(std::string_view key, int lowest) const;
  /// A list of lists: a matrix, row after row. `columns` gets the number of columns.
  std::vector<double> matrix(std::string_view key, const Dimension& dimension,
                             std::size_t& columns) const;

  /// "structure.mass" for messages.
  std::string name_of(std::string_view key) const;
  /// Throws InputError at the key, or at the section if the key is absent.
  [[noreturn]] void fail(std::string_view key, std::string cause, std::string fix) const;

 private:
  friend class Document;
  double checked(const Entry& entry, const Dimension& dimension) const;
  mutable std::vector<std::string_view> asked_;  ///< keys the readers know, for suggestions
  bool tracking_ = true;
};

/// An experiment file taken apart: sections in file order, each number converted to SI once. It is
/// flat and cheap to copy, to change in one place and to build from again: that is what parameter
/// maps do thousands of times a second.
class Document {
 public:
  /// Parses TOML text. `name` appears in messages.
  static Document parse(std::string_view text, std::string name);

  /// Applies "section.key=value" of --set; the value is TOML, or else a plain string ("5 ms").
  void set(std::string_view assignment);
  /// The same with a number already in SI; makes the key if it is absent. Fast when it exists.
  void set_number(std::string_view path, double value, const Dimension& dimension);

  const Section& top() const { return sections_.front(); }
  /// The section, or an empty one whose keys are all absent. Marks the section known.
  const Section& section(std::string_view path) const;
  bool has_section(std::string_view path) const;
  /// [[specimen]] gives specimen.1, specimen.2, …; [specimen] gives itself; neither gives nothing.
  std::vector<const Section*> sections(std::string_view path) const;

  /// The value at "section.key", or nullptr. Does not mark it used.
  const Value* find(std::string_view path) const;

  /// Throws InputError for the first key or section that no reader asked for, with the nearest
  /// known one. Call after everything was read.
  void reject_unknown() const;
  /// Without tracking nothing is remembered of what was asked: for rebuilding many times.
  void stop_tracking();

  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }
  const std::vector<std::string>& assignments() const { return assignments_; }

 private:
  std::string name_;
  std::string text_;
  std::vector<std::string> assignments_;
  std::vector<Section> sections_;
  mutable std::vector<Section> absent_;  ///< empty sections handed out, kept for suggestions
};

}  // namespace gusset

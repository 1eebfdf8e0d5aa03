#pragma once

#include <cstddef>
#include <deque>
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
  double number = 0;               ///< number, quantity (SI), boolean (0 or 1)
  Dimension dimension;             ///< of a quantity, or of a list with a unit
  std::string text;                ///< as written
  std::vector<double> numbers;     ///< list: SI, row after row if it was a list of lists
  std::size_t rows = 0;            ///< list of lists: number of rows; 0 for a plain list
  std::vector<std::string> texts;  ///< list of strings that are not quantities
  std::string unit_problem;        ///< text that starts like a number: why it is not a quantity
  std::string unit_fix;            ///< and what to write instead
  std::size_t unit_position = 0;   ///< and the offset in the text at which reading it failed
  int column = 0;                  ///< where the value starts, on the line of its key
};

/// One key of a section.
struct Entry {
  std::string key;
  Value value;
  Where where;  ///< of the key
  mutable bool used = false;
};

/// A table of the experiment file, e.g. [integrator]. Reading a key checks its kind, dimension and
/// finiteness, and marks it used; what nobody asked for is reported by Document::reject_unknown().
/// All readers throw InputError with file, line, column and the fix.
class Section {
 public:
  std::string path;  ///< "integrator"; "specimen.2" in an array of tables; "" is the top
  Where where;
  std::vector<Entry> entries;

  const Entry* find(std::string_view key) const;  ///< marks it used; nullptr if absent
  bool has(std::string_view key) const;           ///< does not mark it used

  double number(std::string_view key, const Dimension& dimension) const;
  double number(std::string_view key, const Dimension& dimension, double fallback) const;
  std::optional<double> maybe(std::string_view key, const Dimension& dimension) const;
  double positive(std::string_view key, const Dimension& dimension) const;      ///< > 0
  double non_negative(std::string_view key, const Dimension& dimension) const;  ///< >= 0
  double positive(std::string_view key, const Dimension& dimension, double fallback) const;
  double non_negative(std::string_view key, const Dimension& dimension, double fallback) const;
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
  std::vector<double> matrix(std::string_view key, const Dimension& dimension, std::size_t& columns) const;

  /// "structure.mass" for messages.
  std::string name_of(std::string_view key) const;
  /// Throws InputError at the key, or at the section if the key is absent.
  [[noreturn]] void fail(std::string_view key, std::string cause, std::string fix) const;

 private:
  friend class Document;
  const Entry* lookup(std::string_view key) const;
  void remember(std::string_view key) const;
  const Entry& required(std::string_view key, const Dimension* dimension) const;
  double checked(const Entry& entry, const Dimension& dimension) const;
  void check_dimension(const Entry& entry, const Dimension& dimension) const;
  const std::vector<double>& checked_list(const Entry& entry, const Dimension& dimension) const;
  int whole(const Entry& entry, double value, double lowest, double highest) const;
  std::string heading() const;
  [[noreturn]] void missing(std::string_view key, const std::string& example,
                            const std::string& note = {}) const;
  [[noreturn]] void wrong_kind(const Entry& entry, const std::string& wanted, const std::string& fix) const;
  [[noreturn]] void wrong_dimension(const Entry& entry, const Dimension& dimension) const;

  /// Absent keys that were asked for. With the used entries they are what the readers know; keeping
  /// only the absent ones makes reading a key that is there free of allocation.
  mutable std::vector<std::string> asked_;
  mutable bool known_ = false;  ///< somebody asked for this section
  bool absent_ = false;         ///< handed out for a section that is not in the file
  bool tracking_ = true;
  std::string hint_;  ///< absent: what the user may have written in its place
};

/// An experiment file taken apart: sections in file order, each number converted to SI once. It is
/// flat and cheap to copy, to change in one place and to build from again: that is what parameter
/// maps do thousands of times a second. Reading marks what was read, so threads need copies of their
/// own. References to sections stay good while the document lives.
class Document {
 public:
  /// Parses TOML text. `name` appears in messages.
  static Document parse(std::string_view text, std::string name);

  /// Applies "section.key=value" of --set; the value is TOML, or else a plain string ("5 ms").
  /// Sections and keys that are absent are made; specimen.2.mass means the second [[specimen]].
  void set(std::string_view assignment);
  /// The same with a number already in SI; makes the key if it is absent. Fast when it exists.
  void set_number(std::string_view path, double value, const Dimension& dimension);

  const Section& top() const { return sections_.front(); }
  /// The section, or the only one of a list, or an empty one whose keys are all absent. Marks it known.
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

  /// Every section, the top first.
  const std::deque<Section>& all() const { return sections_; }
  const std::string& text() const { return text_; }
  const std::string& name() const { return name_; }
  const std::vector<std::string>& assignments() const { return assignments_; }

 private:
  const Section* lookup(std::string_view path) const;
  /// The section, or the only one of a list: [[rig]] alone is [rig].
  const Section* only(std::string_view path) const;
  std::size_t count(std::string_view path) const;  ///< tables in the array of tables
  const Section& absent(std::string_view path) const;
  Section& open(std::string_view path, const Where& where);
  void put(Section& section, Entry entry);
  std::vector<std::string_view> known_keys(const Section& section) const;
  std::vector<std::string_view> known_sections() const;
  [[noreturn]] void reject(const Section& section, const Entry& entry) const;
  [[noreturn]] void reject(const Section& section) const;

  std::string name_;
  std::string text_;
  std::vector<std::string> assignments_;
  std::deque<Section> sections_ = std::deque<Section>(1);  ///< the first is the top; never empty
  mutable std::deque<Section> absent_;  ///< empty sections handed out, kept for suggestions
  bool tracking_ = true;
};

}  // namespace gusset

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace gusset {

/// The lines of a record file, with what the readers of the formats share. Lines are counted from 0
/// here and from 1 in messages.
class RecordText {
 public:
  RecordText(std::string_view text, const std::string& name);

  std::size_t size() const { return lines_.size(); }
  std::string_view operator[](std::size_t line) const { return lines_[line]; }

  [[noreturn]] void fail(std::size_t line, std::string cause, std::string fix) const;

  /// Numbers of a line in free format, appended to `values`: separated by blanks or commas, or by
  /// nothing where a minus sign tells them apart (Fortran fills its columns).
  void free_numbers(std::size_t line, std::vector<double>& values) const;
  /// Numbers in columns of `width` characters; the line may end early.
  void fixed_numbers(std::size_t line, std::size_t width, std::vector<double>& values) const;

  /// Reads `count` numbers from the line on, in columns of `width` (0: free format); returns the
  /// line behind the last. Blank lines count for nothing.
  std::size_t read_block(std::size_t line, std::size_t count, std::size_t width,
                         std::vector<double>& values) const;

 private:
  [[noreturn]] void bad_number(std::size_t line, std::size_t column, std::string_view text) const;

  std::string name_;
  std::vector<std::string_view> lines_;
};

/// Text without blanks at its ends.
std::string_view trimmed(std::string_view text);
std::string upper(std::string_view text);
/// The first number in the text.
std::optional<double> first_number(std::string_view text);
/// The whole text as a number.
std::optional<double> as_number(std::string_view text);
/// Width of the columns of a Fortran format such as "(8F10.5)"; 0 if it is not one.
std::size_t fortran_width(std::string_view format);

/// Most samples a record may announce.
inline constexpr double most_samples = 1e8;

}  // namespace gusset

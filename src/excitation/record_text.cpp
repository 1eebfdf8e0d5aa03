#include "excitation/record_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace gusset {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

namespace {

/// One number at the beginning of the text and how many characters it takes; D is Fortran's E.
std::optional<std::pair<double, std::size_t>> leading_number(std::string_view text) {
  const std::size_t sign = !text.empty() && text.front() == '+' ? 1 : 0;
  if (sign > 0 && text.size() > 1 && text[1] == '-') return std::nullopt;
  // from_chars also takes "inf" and "nan", which are no samples.
  std::size_t digit = sign;
  if (digit < text.size() && text[digit] == '-') ++digit;
  if (digit >= text.size() ||
      !(std::isdigit(static_cast<unsigned char>(text[digit])) != 0 || text[digit] == '.')) {
    return std::nullopt;
  }
  double value = 0;
  const char* first = text.data() + sign;
  const char* last = text.data() + text.size();
  auto [end, problem] = std::from_chars(first, last, value);
  if (problem != std::errc()) return std::nullopt;
  if (end != last && (*end == 'D' || *end == 'd')) {
    std::string copy(first, std::min<std::size_t>(static_cast<std::size_t>(last - first), 64));
    const auto mantissa = static_cast<std::size_t>(end - first);
    if (mantissa >= copy.size()) return std::nullopt;
    copy[mantissa] = 'e';
    const auto again = std::from_chars(copy.data(), copy.data() + copy.size(), value);
    if (again.ec != std::errc()) return std::nullopt;
    end = first + (again.ptr - copy.data());
  }
  constexpr double largest = 1e300;  // leaves room for the conversion to SI
  if (!(std::abs(value) <= largest)) return std::nullopt;
  return std::pair(value, static_cast<std::size_t>(end - text.data()));
}

}  // namespace

std::optional<double> first_number(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool may_start = std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    if (!may_start) continue;
    if (const auto found = leading_number(text.substr(i))) return found->first;
  }
  return std::nullopt;
}

std::optional<double> as_number(std::string_view text) {
  text = trimmed(text);
  const auto found = leading_number(text);
  if (!found || found->second != text.size()) return std::nullopt;
  return found->first;
}

std::size_t fortran_width(std::string_view format) {
  const std::size_t open = format.rfind('(');
  if (open == std::string_view::npos) return 0;
  const std::string inside = upper(format.substr(open + 1));
  const std::size_t letter = inside.find_first_of("FEIG");
  if (letter == std::string::npos) return 0;
  std::size_t width = 0;
  for (std::size_t i = letter + 1;
       i < inside.size() && std::isdigit(static_cast<unsigned char>(inside[i])) != 0 && width < 100; ++i) {
    width = 10 * width + static_cast<std::size_t>(inside[i] - '0');
  }
  return width;
}

RecordText::RecordText(std::string_view text, const std::string& name) : name_(name) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of Windows
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines_.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void RecordText::fail(std::size_t line, std::string cause, std::string fix) const {
  throw InputError({name_, static_cast<int>(line) + 1, 0}, std::move(cause), std::move(fix));
}

void RecordText::bad_number(std::size_t line, std::size_t column, std::string_view text) const {
  constexpr std::size_t shown = 32;
  throw InputError({name_, static_cast<int>(line) + 1, static_cast<int>(column) + 1},
                   "`" + std::string(trimmed(text).substr(0, shown)) + "` is not a finite number",
                   "the file may be damaged: get it again from its source");
}

void RecordText::free_numbers(std::size_t line, std::vector<double>& values) const {
  std::string_view rest = lines_[line];
  while (true) {
    const std::size_t start = rest.find_first_not_of(" \t,;");
    if (start == std::string_view::npos) return;
    rest.remove_prefix(start);
    const auto column = static_cast<std::size_t>(rest.data() - lines_[line].data());
    const auto found = leading_number(rest);
    const bool apart =
        found && (found->second == rest.size() ||
                  std::string_view(" \t,;-").find(rest[found->second]) != std::string_view::npos);
    if (!apart) bad_number(line, column, rest.substr(0, rest.find_first_of(" \t,;")));
    values.push_back(found->first);
    rest.remove_prefix(found->second);
  }
}

void RecordText::fixed_numbers(std::size_t line, std::size_t width, std::vector<double>& values) const {
  const std::string_view text = lines_[line];
  for (std::size_t column = 0; column < text.size(); column += width) {
    const std::string_view field = text.substr(column, width);
    if (trimmed(field).empty()) {
      if (trimmed(text.substr(column)).empty()) return;
      bad_number(line, column, "(blank)");
    }
    const auto value = as_number(field);
    if (!value) bad_number(line, column, field);
    values.push_back(*value);
  }
}

std::size_t RecordText::read_block(std::size_t line, std::size_t count, std::size_t width,
                                   std::vector<double>& values) const {
  values.clear();
  while (values.size() < count) {
    if (line >= size()) {
      fail(size() - 1,
           "the file announces " + std::to_string(count) + " values here and holds " +
               std::to_string(values.size()),
           "the file may have been cut off: get it again from its source");
    }
    if (!trimmed(lines_[line]).empty()) {
      if (width > 0) {
        fixed_numbers(line, width, values);
      } else {
        free_numbers(line, values);
      }
    }
    ++line;
  }
  if (values.size() > count) {
    fail(line - 1, "more values than the " + std::to_string(count) + " announced",
         "the header and the data do not belong together: get the file again from its source");
  }
  return line;
}

}  // namespace gusset

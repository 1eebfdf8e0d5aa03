#include "excitation/record.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/units.hpp"

namespace gusset {
namespace {

constexpr double spacing_tolerance = 1e-3;  // of a step

struct Field {
  std::string_view text;
  int column = 1;
};

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string_view unquoted(std::string_view text) {
  const bool in_quotes = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return in_quotes ? trimmed(text.substr(1, text.size() - 2)) : text;
}

/// The fields of a line. Empty ones at its end are left out: spreadsheets add commas there.
void split(std::string_view line, std::vector<Field>& fields) {
  fields.clear();
  std::size_t start = 0;
  for (std::size_t comma = 0; comma != std::string_view::npos; start = comma + 1) {
    comma = line.find(',', start);
    std::string_view raw = line.substr(start, comma - start);
    const std::size_t blank = std::min(raw.find_first_not_of(" \t"), raw.size());
    fields.push_back({unquoted(trimmed(raw)), static_cast<int>(start + blank) + 1});
  }
  while (!fields.empty() && fields.back().text.empty()) fields.pop_back();
}

std::optional<double> to_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, value);
  if (problem != std::errc() || end != last || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// Ten digits, whatever the locale.
std::string spelt(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 10).ptr;
  return {buffer, end};
}

/// "m_s2" as other programs write column names: m/s^2.
std::string spelt_out(std::string_view unit) {
  std::string result;
  for (const char c : unit) {
    const bool power = c >= '2' && c <= '9' && !result.empty() && result.back() != '^';
    if (power) result += '^';
    result += c == '_' ? '/' : c;
  }
  return result;
}

struct Column {
  std::string_view name;
  std::string_view unit;
};

/// `time_s`, `time [s]` or `Time (s)`.
Column column_of(std::string_view header) {
  for (const char* brackets : {"[]", "()"}) {
    const std::size_t open = header.find(brackets[0]);
    if (open == std::string_view::npos || !header.ends_with(brackets[1])) continue;
    return {trimmed(header.substr(0, open)), trimmed(header.substr(open + 1, header.size() - open - 2))};
  }
  const std::size_t underscore = header.find('_');
  if (underscore == std::string_view::npos) return {header, {}};
  return {header.substr(0, underscore), header.substr(underscore + 1)};
}

/// Are they the same word, whatever its capitals?
bool is_word(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

/// Reads line by line: comments, the header, then numbers.
class CsvReader {
 public:
  explicit CsvReader(const std::string& name) : name_(name) {}

  Record read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of Windows
    while (!text.empty()) {
      ++line_;
      const std::size_t end = std::min(text.find('\n'), text.size());
      read_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (columns_ == 0) fail(0, "no header and no data", header_fix);
    Record record{.name = name_, .dt = 0, .acceleration = std::move(accelerations_)};
    record.format = "CSV";
    record.unit = acceleration_unit_;
    if (record.acceleration.size() < 2) {
      fail(0, "a record needs at least two samples", "give one line a sample below the header");
    }
    record.dt = time_ ? equal_spacing() : *comment_dt_;
    return record;
  }

 private:
  static constexpr const char* header_fix =
      "start the file with a line such as time_s,acceleration_g or time [s],acceleration [g]";

  [[noreturn]] void fail(int column, std::string cause, std::string fix) const {
    throw InputError({name_, line_, column}, std::move(cause), std::move(fix));
  }

  void read_line(std::string_view line) {
    const std::string_view content = trimmed(line);
    if (content.empty()) return;
    if (content.starts_with('#')) return read_comment(line);
    split(line, fields_);
    if (fields_.empty()) return;  // only commas
    columns_ == 0 ? read_header(line) : read_row();
  }

  /// `dt = 0.02 s`, also after other words; what does not read as one is prose.
  void read_comment(std::string_view line) {
    const std::size_t found = line.find("dt");
    if (comment_dt_ || found == std::string_view::npos) return;
    const bool own_word = found == 0 || line[found - 1] == ' ' || line[found - 1] == '#' ||
                          line[found - 1] == '\t' || line[found - 1] == ',';
    std::string_view rest = trimmed(line.substr(found + 2));
    if (!own_word || !rest.starts_with('=')) return;
    rest = trimmed(rest.substr(1));
    rest = trimmed(rest.substr(0, rest.find_first_of(",;")));
    const int column = static_cast<int>(rest.data() - line.data()) + 1;
    const char* fix = "write the comment as # dt = 0.02 s";
    try {
      const Quantity dt = parse_quantity(rest);
      if (!(dt.dimension == dim::time)) fail(column, "dt of the comment is not a time", fix);
      if (!(dt.value > 0)) fail(column, "dt of the comment is not above zero", fix);
      comment_dt_ = dt.value;
    } catch (const UnitError& problem) {
      fail(column, std::string("dt of the comment cannot be read: ") + problem.what(), fix);
    }
  }

  void read_header(std::string_view line) {
    if (to_number(fields_[0].text)) fail(1, "numbers before any header", header_fix);
    if (fields_.size() == 1 && line.find_first_of(";\t") != std::string_view::npos) {
      fail(1, "the columns are not separated by commas", "write commas between the columns");
    }
    columns_ = fields_.size();
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < columns_; ++i) {
      const Column column = column_of(fields_[i].text);
      names.push_back(column.name);
      const bool is_time = is_word(column.name, "time");
      if (!is_time && !is_word(column.name, "acceleration")) continue;  // velocity and others: not ours
      if (is_time ? time_.has_value() : acceleration_.has_value()) {
        fail(fields_[i].column, "a second column `" + std::string(column.name) + "`",
             "keep one time and one acceleration column");
      }
      (is_time ? time_ : acceleration_) = i;
      (is_time ? time_factor_ : acceleration_factor_) =
          factor_of(fields_[i], column, is_time ? dim::time : dim::acceleration);
      if (!is_time) acceleration_unit_ = column.unit;
    }
    require_columns(names);
  }

  void require_columns(const std::vector<std::string_view>& names) const {
    if (!acceleration_) {
      const std::string_view near = nearest("acceleration", names);
      fail(1, "no column `acceleration` in the header",
           near.empty() ? std::string(header_fix)
                        : "rename `" + std::string(near) + "` to acceleration, with its unit");
    }
    if (time_ || comment_dt_) return;
    fail(1, "no column `time`, and no comment that gives the time step",
         "add a column time_s, or a comment above the header: # dt = 0.02 s");
  }

  double factor_of(const Field& field, const Column& column, const Dimension& dimension) const {
    const std::string examples = unit_examples(dimension);
    const std::string name(column.name);
    if (column.unit.empty()) {
      fail(field.column, "column `" + name + "` has no unit",
           "write it as " + name + " [" + examples.substr(0, examples.find(',')) + "] (units: " + examples +
               " …)");
    }
    Quantity unit;
    try {
      unit = parse_unit(column.unit);
    } catch (const UnitError& problem) {
      try {
        unit = parse_unit(spelt_out(column.unit));
      } catch (const UnitError&) {
        fail(field.column + static_cast<int>(column.unit.data() - field.text.data()),
             "column `" + name + "`: " + problem.what(), problem.fix());
      }
    }
    if (!(unit.dimension == dimension)) {
      fail(field.column, "column `" + name + "` is in " + si_unit(unit.dimension), "write it in " + examples);
    }
    return unit.value;
  }

  void read_row() {
    if (fields_.size() != columns_) {
      fail(fields_.back().column,
           "a row of " + std::to_string(fields_.size()) + " values below a header of " +
               std::to_string(columns_),
           "give every row one value for each column");
    }
    if (time_) {
      times_.push_back(value_of(fields_[*time_]) * time_factor_);
      lines_.push_back(line_);
    }
    accelerations_.push_back(value_of(fields_[*acceleration_]) * acceleration_factor_);
  }

  double value_of(const Field& field) const {
    const std::optional<double> value = to_number(field.text);
    constexpr double largest = 1e300;  // leaves room for the conversion to SI
    if (value && std::abs(*value) <= largest) return *value;
    constexpr std::size_t shown = 32;
    fail(field.column, "`" + std::string(field.text.substr(0, shown)) + "` is not a finite number",
         "write a number such as -0.00128; samples that are missing must be filled in first");
  }

  double equal_spacing() {
    const std::size_t steps = times_.size() - 1;
    std::vector<double> sizes(steps);
    for (std::size_t i = 0; i < steps; ++i) sizes[i] = times_[i + 1] - times_[i];
    // Against the median, so that one bad line is found where it is and not at the first step.
    std::vector<double> sorted = sizes;
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(steps / 2));
    const double median = sorted[steps / 2];
    for (std::size_t i = 0; i < steps; ++i) {
      line_ = lines_[i + 1];
      if (!(sizes[i] > 0)) fail(1, "time does not increase", "sort the rows by time");
      if (std::abs(sizes[i] - median) > spacing_tolerance * median) {
        fail(1,
             "the times are not equally spaced: " + spelt(sizes[i]) + " s before this row, " + spelt(median) +
                 " s elsewhere",
             "resample the record to equal steps, and print enough digits of the time");
      }
    }
    return rounded((times_.back() - times_.front()) / static_cast<double>(steps));
  }

  /// 31.16/1558 is not the double nearest to 0.02; a step that was written with few digits is meant
  /// to be that number.
  static double rounded(double step) {
    const std::string text = spelt(step);
    double candidate = step;
    std::from_chars(text.data(), text.data() + text.size(), candidate);
    return std::abs(candidate - step) <= 1e-12 * step ? candidate : step;
  }

  const std::string& name_;
  int line_ = 0;
  std::vector<Field> fields_;
  std::size_t columns_ = 0;
  std::optional<std::size_t> time_, acceleration_;
  double time_factor_ = 1, acceleration_factor_ = 1;
  std::string acceleration_unit_;
  std::optional<double> comment_dt_;
  std::vector<double> times_, accelerations_;
  std::vector<int> lines_;
};

}  // namespace

double Record::peak() const {
  double largest = 0;
  for (const double value : acceleration) largest = std::max(largest, std::abs(value));
  return largest;
}

double Record::at(double time) const {
  if (acceleration.empty() || !(dt > 0) || !(time >= 0)) return 0;
  const double last = static_cast<double>(acceleration.size() - 1);
  const double place = time / dt;
  // The time of the last sample, computed as (n-1)*dt, may lie a rounding error beyond it.
  if (!(place < last)) return place <= last * (1 + 1e-12) ? acceleration.back() : 0;
  const auto index = static_cast<std::size_t>(place);
  const double fraction = place - static_cast<double>(index);
  return acceleration[index] + fraction * (acceleration[index + 1] - acceleration[index]);
}

Record parse_csv_record(std::string_view text, const std::string& name) { return CsvReader(name).read(text); }

}  // namespace gusset

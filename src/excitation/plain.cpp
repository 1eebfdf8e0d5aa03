// Plain columns of numbers, separated by blanks, tabs or commas: one column of accelerations, or time
// in seconds and acceleration. Lines that start with #, % or ! are comments. What such a file does not
// say, its comments can (`# dt = 0.01 s`, `# unit = g`), or whoever reads it.

#include <algorithm>
#include <cmath>

#include "base/units.hpp"
#include "excitation/formats.hpp"
#include "excitation/record_text.hpp"

namespace gusset {
namespace {

bool is_comment(std::string_view line) {
  return line.empty() || line.front() == '#' || line.front() == '%' || line.front() == '!';
}

bool matches(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    if (!is_comment(line)) return as_number(line.substr(0, line.find_first_of(" \t,;"))).has_value();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

/// `key = value` in a comment.
std::string_view remark(std::string_view line, std::string_view key) {
  const std::size_t found = line.find(key);
  if (found == std::string_view::npos) return {};
  std::string_view rest = trimmed(line.substr(found + key.size()));
  if (!rest.starts_with('=')) return {};
  rest = trimmed(rest.substr(1));
  return trimmed(rest.substr(0, rest.find_first_of(",;")));
}

double time_of(const RecordText& lines, std::size_t line, std::string_view text) {
  try {
    const Quantity quantity = parse_quantity(text);
    if (quantity.dimension == dim::time && quantity.value > 0) return quantity.value;
  } catch (const UnitError&) {
    lines.fail(line, "dt of the comment cannot be read", "write the comment as # dt = 0.01 s");
  }
  lines.fail(line, "dt of the comment is no time above zero", "write the comment as # dt = 0.01 s");
}

/// The step of a column of times that are equally spaced to a hundredth of it.
double step_of(const RecordText& lines, const std::vector<double>& times,
               const std::vector<std::size_t>& places) {
  const auto steps = static_cast<double>(times.size() - 1);
  const double step = (times.back() - times.front()) / steps;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double expected = times.front() + step * static_cast<double>(i);
    if (!(step > 0) || !(std::abs(times[i] - expected) <= 1e-2 * step)) {
      lines.fail(places[i], "the times in the first column are not equally spaced",
                 "resample the record to equal steps, and print enough digits of the time");
    }
  }
  // 31.16/1558 is not the double nearest to 0.02, which is meant.
  const double scale = std::pow(10, 9 - std::floor(std::log10(step)));
  const double tidy = std::round(step * scale) / scale;
  return std::abs(tidy - step) <= 1e-9 * step ? tidy : step;
}

Record parse(std::string_view text, const std::string& name, const RecordHints& hints) {
  const RecordText lines(text, name);
  std::vector<double> times, values, row;
  std::vector<std::size_t> places;
  double dt = hints.dt;
  std::string unit = hints.unit;
  std::size_t columns = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = trimmed(lines[i]);
    if (is_comment(line)) {
      if (dt == 0) {
        if (const std::string_view said = remark(line, "dt"); !said.empty()) dt = time_of(lines, i, said);
      }
      if (unit.empty()) unit = remark(line, "unit");
      continue;
    }
    row.clear();
    lines.free_numbers(i, row);
    if (row.empty()) continue;
    if (columns == 0) columns = row.size();
    if (row.size() != columns || columns > 2) {
      lines.fail(i,
                 columns > 2 ? "more than two columns of numbers without a header"
                             : "a line of " + std::to_string(row.size()) + " values among lines of " +
                                   std::to_string(columns),
                 "give one column of accelerations, or time and acceleration; for more columns add a "
                 "header such as time_s,acceleration_g");
    }
    if (columns == 2) {
      times.push_back(row[0]);
      places.push_back(i);
    }
    values.push_back(row.back());
  }
  if (values.size() < 2) {
    lines.fail(lines.size() > 0 ? lines.size() - 1 : 0, "a record needs at least two samples",
               "give one line a sample");
  }
  if (columns == 1 && !(dt > 0)) {
    lines.fail(
        0, "the file does not say how far its samples are apart",
        "add a comment # dt = 0.01 s, or convert it: gusset record FILE --dt \"0.01 s\" --unit g --out "
        "motion.csv");
  }
  if (unit.empty()) {
    lines.fail(0, "the file does not say in which unit its accelerations are",
               "add a comment # unit = g, or convert it: gusset record FILE --unit g --out motion.csv");
  }
  const double factor = acceleration_unit(unit);
  if (factor == 0) {
    lines.fail(0, "`" + unit.substr(0, 32) + "` is no unit of acceleration", "write g, m/s^2, cm/s^2 or gal");
  }
  Record record;
  record.dt = columns == 2 ? step_of(lines, times, places) : dt;
  record.unit = unit;
  for (double& a : values) a *= factor;
  record.acceleration = std::move(values);
  return record;
}

bool always(std::string_view) { return true; }

Record parse_csv(std::string_view text, const std::string& name, const RecordHints&) {
  return parse_csv_record(text, name);
}

}  // namespace

const RecordFormat plain_format{"plain text", matches, parse};
const RecordFormat csv_format{"CSV", always, parse_csv};

}  // namespace gusset

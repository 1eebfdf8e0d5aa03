// COSMOS strong-motion format v1.20. For each channel, one after the other in a file:
//
//   Corrected acceleration (Format v01.20 with 13 text lines) …     the text lines, this one included
//   100    Integer-header values follow on 10 lines, Format= (10I8)
//   100    Real-header values follow on 20 lines, Format= (5F15.6)
//   2      Comment line(s) follow, each starting with a "|"
//   8192   acceleration pts, approx 41 secs, units=cm/sec2(04),Format=(8F10.5)
//   End-of-data for …
//
// Integer 2 (from 0) is the unit: 2 g, 4 cm/s², 50 counts; real 61 the step in ms. Columns and their
// width come from the Format of each block.

#include <cmath>

#include "excitation/formats.hpp"
#include "excitation/record_text.hpp"

namespace gusset {
namespace {

constexpr std::size_t unit_integer = 2;
constexpr std::size_t step_real = 61;

bool matches(std::string_view text) {
  const std::string_view start = text.substr(0, 8192);
  return start.find("(Format v") != std::string_view::npos ||
         start.find("Integer-header values") != std::string_view::npos;
}

bool contains(std::string_view line, const char* word) { return upper(line).find(word) != std::string::npos; }

/// The next line from `line` on that holds the word.
std::size_t find_line(const RecordText& lines, std::size_t line, const char* word, const char* what) {
  const std::size_t from = line;
  for (; line < lines.size(); ++line) {
    if (contains(lines[line], word)) return line;
  }
  lines.fail(std::min(from, lines.size() - 1), std::string("no ") + what + " from here on",
             "the file may have been cut off: get it again from its source");
}

std::size_t count_on(const RecordText& lines, std::size_t line) {
  const auto count = first_number(lines[line]);
  if (count && *count >= 0 && *count <= most_samples && *count == std::floor(*count)) {
    return static_cast<std::size_t>(*count);
  }
  lines.fail(line, "no number of values at the beginning of this line", "get the file again from its source");
}

/// A block of numbers: its title gives their number and Format. Returns the line behind it.
std::size_t block(const RecordText& lines, std::size_t title, std::vector<double>& values) {
  const std::size_t width = fortran_width(lines[title]);
  if (width == 0) {
    lines.fail(title, "this line announces numbers without their Format=(…)",
               "get the file again from its source");
  }
  return lines.read_block(title + 1, count_on(lines, title), width, values);
}

double factor_of(const RecordText& lines, std::size_t title, int code, std::string& unit) {
  const std::string line = upper(lines[title]);
  const std::size_t units = line.find("UNITS=");
  if (units != std::string::npos) {
    const std::size_t open = line.find('(', units);
    const std::size_t comma = line.find(',', units);
    if (open != std::string::npos && open < comma) {
      if (const auto own = first_number(std::string_view(line).substr(open + 1))) {
        code = static_cast<int>(std::min(std::abs(*own), 1e4));
      }
    }
  }
  if (code == 2) {
    unit = "g";
    return 9.80665;
  }
  if (code == 4) {
    unit = "cm/s^2";
    return 0.01;
  }
  lines.fail(title,
             code == 50 ? std::string("the samples are counts of the recorder, not yet accelerations")
                        : "unit " + std::to_string(code) + " of the samples is not known here",
             "use the processed file of the record, in g (2) or cm/s^2 (4)");
}

Record parse(std::string_view text, const std::string& name, const RecordHints& hints) {
  const RecordText lines(text, name);
  std::size_t line = 0;
  for (int channel = 1;; ++channel) {
    if (channel > 1) {
      bool more = false;
      for (std::size_t i = line; i < lines.size() && !more; ++i) more = contains(lines[i], "INTEGER-HEADER");
      if (!more) {
        lines.fail(
            lines.size() - 1,
            "the file has " + std::to_string(channel - 1) + " channels, not " + std::to_string(hints.channel),
            "choose one of them");
      }
    }
    std::vector<double> integers, reals;
    line = block(lines, find_line(lines, line, "INTEGER-HEADER", "integer header"), integers);
    line = block(lines, find_line(lines, line, "REAL-HEADER", "real header"), reals);
    const std::size_t title = find_line(lines, line, " PTS", "line that announces the samples");
    Record record;
    line = block(lines, title, record.acceleration);
    for (; line < lines.size() && trimmed(lines[line]).empty(); ++line) {
    }
    if (line >= lines.size() || !contains(lines[line], "END-OF-DATA")) {
      lines.fail(std::min(line, lines.size() - 1), "End-of-data is missing here",
                 "samples and header do not agree, or the file was cut off: get it again from its source");
    }
    if (channel < hints.channel) continue;
    if (!contains(lines[title], "ACCEL")) {
      lines.fail(title, "this channel is not acceleration", "choose another with --channel");
    }
    const double step = reals.size() > step_real ? reals[step_real] : 0;
    if (!(step > 0 && step < 1e6)) {
      lines.fail(title, "the real header gives no sampling interval (its value 62)",
                 "get the file again from its source");
    }
    if (record.acceleration.size() < 2) {
      lines.fail(title, "a record needs at least two samples", "get the file again from its source");
    }
    record.dt = step / 1000;
    const int code = integers.size() > unit_integer
                         ? static_cast<int>(std::min(std::abs(integers[unit_integer]), 1e4))
                         : 0;
    const double factor = factor_of(lines, title, code, record.unit);
    for (double& a : record.acceleration) a *= factor;
    return record;
  }
}

}  // namespace

const RecordFormat cosmos_format{"COSMOS", matches, parse};

}  // namespace gusset

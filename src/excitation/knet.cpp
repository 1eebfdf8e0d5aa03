// K-NET and KiK-net: 17 lines of header, the value from column 19 on, among them
//
//   Sampling Freq(Hz)  100Hz
//   Duration Time(s)   300
//   Scale Factor       3920(gal)/6182761
//
// then integers, eight a line: gal = count·3920/6182761. The mean, an offset of the instrument, is
// removed. (The time in the header is 15 s late, the length of the pre-event memory; it is not used.)

#include <cmath>
#include <numeric>

#include "excitation/formats.hpp"
#include "excitation/record_text.hpp"

namespace gusset {
namespace {

constexpr std::size_t header_lines = 17;
constexpr std::size_t value_column = 18;

bool matches(std::string_view text) { return text.starts_with("Origin Time"); }

std::size_t find_line(const RecordText& lines, std::string_view key) {
  for (std::size_t i = 0; i < std::min(lines.size(), header_lines); ++i) {
    if (lines[i].starts_with(key)) return i;
  }
  lines.fail(0, "the header has no line `" + std::string(key) + "`",
             "the file may have been cut off: get it again from its source");
}

std::string_view value_of(const RecordText& lines, std::size_t line) {
  return lines[line].size() > value_column ? trimmed(lines[line].substr(value_column)) : std::string_view{};
}

double number_of(const RecordText& lines, std::string_view key) {
  const std::size_t line = find_line(lines, key);
  const auto value = first_number(value_of(lines, line));
  if (value && *value > 0 && *value < 1e7) return *value;
  lines.fail(line, "no number above zero from column 19 on", "get the file again from its source");
}

double scale_of(const RecordText& lines) {
  const std::size_t line = find_line(lines, "Scale Factor");
  const std::string_view value = value_of(lines, line);
  const std::size_t slash = value.find('/');
  const auto top = first_number(value.substr(0, slash));
  const auto bottom = slash == std::string_view::npos ? std::nullopt : first_number(value.substr(slash + 1));
  if (!top || !bottom || !(*top > 0) || !(*bottom > 0) || value.find("(gal)") == std::string_view::npos) {
    lines.fail(line, "the scale factor cannot be read", "it should look like 3920(gal)/6182761");
  }
  return *top / *bottom;
}

Record parse(std::string_view text, const std::string& name, const RecordHints&) {
  const RecordText lines(text, name);
  const double frequency = number_of(lines, "Sampling Freq");
  const double duration = number_of(lines, "Duration Time");
  const double scale = scale_of(lines);
  const double count = frequency * duration;
  if (!(count >= 2 && count <= most_samples) || std::abs(count - std::round(count)) > 1e-6 * count) {
    lines.fail(find_line(lines, "Duration Time"), "duration times sampling frequency is no number of samples",
               "get the file again from its source");
  }
  if (lines.size() <= header_lines) {
    lines.fail(lines.size() - 1, "the file ends within its header of 17 lines",
               "it may have been cut off: get it again from its source");
  }
  Record record;
  record.dt = 1 / frequency;
  record.unit = "gal";
  const std::size_t end =
      lines.read_block(header_lines, static_cast<std::size_t>(std::round(count)), 0, record.acceleration);
  for (std::size_t line = end; line < lines.size(); ++line) {
    if (!trimmed(lines[line]).empty()) {
      lines.fail(line, "more samples than sampling frequency and duration announce",
                 "get the file again from its source");
    }
  }
  const double mean = std::accumulate(record.acceleration.begin(), record.acceleration.end(), 0.0) /
                      static_cast<double>(record.acceleration.size());
  for (double& a : record.acceleration) a = (a - mean) * scale * 0.01;
  return record;
}

}  // namespace

const RecordFormat knet_format{"K-NET", matches, parse};

}  // namespace gusset

// CSMIP volume 2 (California Strong Motion Instrumentation Program, corrected records). For each
// channel, one after the other in a file: 25 lines of text, 100 integers (16I5), 100 reals (8F10), then
//
//   12000 points of accel data equally spaced at  .005 sec, in cm/sec2.   (8f10.6)
//
// and the samples; velocity and displacement follow in the same way; a line `/&` ends the channel.

#include <cmath>

#include "excitation/formats.hpp"
#include "excitation/record_text.hpp"

namespace gusset {
namespace {

constexpr char announcement[] = "POINTS OF ACCEL";

bool matches(std::string_view text) {
  return upper(text.substr(0, 16384)).find(announcement) != std::string::npos;
}

/// What stands between two words of a line in capitals.
std::string_view between(const std::string& line, const char* before, const char* after) {
  const std::size_t start = line.find(before);
  if (start == std::string::npos) return {};
  const std::size_t from = start + std::string_view(before).size();
  const std::size_t end = line.find(after, from);
  return std::string_view(line).substr(from, end == std::string::npos ? end : end - from);
}

Record parse(std::string_view text, const std::string& name, const RecordHints& hints) {
  const RecordText lines(text, name);
  std::size_t title = 0;
  int channel = 0;
  for (; title < lines.size(); ++title) {
    if (upper(lines[title]).find(announcement) != std::string::npos && ++channel == hints.channel) break;
  }
  if (title == lines.size()) {
    lines.fail(lines.size() - 1,
               "the file has " + std::to_string(channel) + " channels, not " + std::to_string(hints.channel),
               "choose one of them");
  }
  const std::string line = upper(lines[title]);
  const auto count = first_number(line);
  const auto step = first_number(between(line, "SPACED AT", "SEC"));
  if (!count || !(*count >= 2 && *count <= most_samples && *count == std::floor(*count)) || !step ||
      !(*step > 0 && *step < 1e3)) {
    lines.fail(
        title, "number and step of the samples cannot be read from this line",
        "it should look like: 12000 points of accel data equally spaced at .005 sec, in cm/sec2. (8f10.6)");
  }
  Record record;
  std::string_view unit = trimmed(between(line, " IN ", "("));
  unit = unit.substr(0, unit.find(' '));
  const double factor = acceleration_unit(unit);
  if (factor == 0) {
    lines.fail(title, "`" + std::string(unit.substr(0, 32)) + "` is no unit of acceleration known here",
               "it should say: in cm/sec2.");
  }
  record.unit = "cm/s^2";
  if (factor != 0.01) record.unit = unit;
  const std::size_t width = fortran_width(line);
  const std::size_t end =
      lines.read_block(title + 1, static_cast<std::size_t>(*count), width, record.acceleration);
  // Behind the samples comes another title or the end of the channel, never more numbers.
  for (std::size_t next = end; next < lines.size(); ++next) {
    const std::string_view rest = trimmed(lines[next]);
    if (rest.empty()) continue;
    const bool numbers = rest.find_first_not_of("0123456789.-+ \tEe") == std::string_view::npos;
    if (numbers) {
      lines.fail(next, "more samples than announced", "get the file again from its source");
    }
    break;
  }
  record.dt = *step;
  for (double& a : record.acceleration) a *= factor;
  return record;
}

}  // namespace

const RecordFormat csmip_format{"CSMIP V2", matches, parse};

}  // namespace gusset

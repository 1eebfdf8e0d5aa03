// Engineering Strong Motion database (and ITACA): 64 lines `KEY: value`, among them
//
//   SAMPLING_INTERVAL_S: 0.005000
//   NDATA: 12000
//   UNITS: cm/s^2
//   DATA_TYPE: ACCELERATION
//
// then one sample a line.

#include <cctype>

#include "excitation/formats.hpp"
#include "excitation/record_text.hpp"

namespace gusset {
namespace {

constexpr std::size_t most_header_lines = 200;

bool matches(std::string_view text) {
  return text.substr(0, 16384).find("SAMPLING_INTERVAL_S:") != std::string_view::npos;
}

/// `KEY: value`, KEY in capitals; empty if the line is none.
std::string_view key_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || line.empty() ||
      std::isupper(static_cast<unsigned char>(line.front())) == 0) {
    return {};
  }
  return line.substr(0, colon);
}

Record parse(std::string_view text, const std::string& name, const RecordHints&) {
  const RecordText lines(text, name);
  Record record;
  double count = 0;
  double factor = 0;
  std::size_t line = 0;
  for (; line < lines.size() && line < most_header_lines; ++line) {
    const std::string_view key = key_of(lines[line]);
    if (key.empty()) {
      if (trimmed(lines[line]).empty()) continue;
      break;
    }
    const std::string_view value = trimmed(lines[line].substr(key.size() + 1));
    const auto number = as_number(value);
    if (key == "SAMPLING_INTERVAL_S") {
      if (!number || !(*number > 0 && *number < 1e3)) {
        lines.fail(line, "the sampling interval is no time above zero", "write SAMPLING_INTERVAL_S: 0.005");
      }
      record.dt = *number;
    } else if (key == "NDATA") {
      if (!number || !(*number >= 2 && *number <= most_samples)) {
        lines.fail(line, "NDATA is no number of samples", "get the file again from its source");
      }
      count = *number;
    } else if (key == "UNITS") {
      factor = acceleration_unit(value);
      record.unit = value;
      if (factor == 0) {
        lines.fail(line, "`" + std::string(value.substr(0, 32)) + "` is no unit of acceleration known here",
                   "use the acceleration file of the record (UNITS: cm/s^2)");
      }
    } else if (key == "DATA_TYPE" && upper(value).find("ACCELERATION") == std::string::npos) {
      lines.fail(line, "the file holds " + std::string(value.substr(0, 40)) + ", not acceleration",
                 "use the acceleration file of the same record");
    }
  }
  for (const auto& [missing, key] : {std::pair(record.dt == 0, "SAMPLING_INTERVAL_S"),
                                     std::pair(count == 0, "NDATA"), std::pair(factor == 0, "UNITS")}) {
    if (missing) {
      lines.fail(0, "the header has no " + std::string(key), "get the file again from its source");
    }
  }
  const std::size_t end = lines.read_block(line, static_cast<std::size_t>(count), 0, record.acceleration);
  for (std::size_t rest = end; rest < lines.size(); ++rest) {
    if (!trimmed(lines[rest]).empty()) {
      lines.fail(rest, "more samples than NDATA announces", "get the file again from its source");
    }
  }
  for (double& a : record.acceleration) a *= factor;
  return record;
}

}  // namespace

const RecordFormat esm_format{"ESM", matches, parse};

}  // namespace gusset

// PEER strong-motion database, AT2: some lines of header, one of which names quantity and units and
// one of which gives number and step of the samples, in one of two spellings,
//
//   ACCELERATION TIME SERIES IN UNITS OF G          or   … (UNITS OF G)
//   NPTS=  2000, DT= .02000 SEC                     or   7990    0.0050    NPTS, DT
//
// then the samples in free format, five or eight a line, the last line shorter. Negative samples may
// touch what stands before them.

#include <algorithm>

#include "excitation/formats.hpp"
#include "excitation/record_text.hpp"

namespace gusset {
namespace {

constexpr std::size_t header_lines = 12;

bool matches(std::string_view text) {
  std::size_t start = 0;
  for (std::size_t line = 0; line < header_lines && start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    if (upper(text.substr(start, std::min<std::size_t>(end - start, 200))).find("NPTS") !=
        std::string::npos) {
      return true;
    }
    start = end + 1;
  }
  return false;
}

/// The number behind `key` and an equals sign.
std::optional<double> assigned(const std::string& line, const char* key) {
  const std::size_t found = line.find(key);
  if (found == std::string::npos) return std::nullopt;
  const std::size_t equals = line.find('=', found);
  if (equals == std::string::npos) return std::nullopt;
  const std::string_view rest = trimmed(std::string_view(line).substr(equals + 1));
  if (rest.empty() || std::string_view("0123456789.-").find(rest.front()) == std::string_view::npos) {
    return std::nullopt;
  }
  return first_number(rest);
}

Record parse(std::string_view text, const std::string& name, const RecordHints&) {
  const RecordText lines(text, name);
  Record record;
  double factor = 0;
  double count = 0;
  std::size_t line = 0;
  for (; line < std::min(lines.size(), header_lines); ++line) {
    const std::string header = upper(lines[line].substr(0, 400));
    const std::size_t units = header.find("UNITS OF");
    if (units != std::string::npos) {
      if (header.find("VELOCITY") != std::string::npos || header.find("DISPLACEMENT") != std::string::npos) {
        lines.fail(line, "the file holds velocity or displacement, not acceleration",
                   "use the AT2 file of the same record");
      }
      std::string_view rest = trimmed(lines[line].substr(units + 8));
      rest = rest.substr(0, rest.find_first_of(" )\t,;"));
      factor = acceleration_unit(rest);
      record.unit = rest;
      if (factor == 0) {
        lines.fail(line, "`" + std::string(rest.substr(0, 32)) + "` is no unit of acceleration known here",
                   "write UNITS OF G");
      }
    }
    if (header.find("NPTS") == std::string::npos) continue;
    const auto points = assigned(header, "NPTS");
    const auto step = assigned(header, "DT");
    std::vector<double> both;
    if (points && step) {
      both = {*points, *step};
    } else {
      // "7990 0.0050 NPTS, DT": numbers first, names behind.
      const std::string_view numbers = std::string_view(header).substr(0, header.find("NPTS"));
      const std::string_view start = trimmed(numbers);
      const std::size_t gap = start.find_first_of(" \t,");
      const auto n = as_number(start.substr(0, gap));
      const auto dt = gap == std::string_view::npos ? std::nullopt : first_number(start.substr(gap));
      if (n && dt) both = {*n, *dt};
    }
    if (both.size() != 2 || !(both[0] >= 2 && both[0] <= most_samples) || !(both[1] > 0 && both[1] < 1e3)) {
      lines.fail(line, "number and step of the samples cannot be read from this line",
                 "write it as NPTS=  2000, DT=  .02000 SEC");
    }
    count = both[0];
    record.dt = both[1];
    ++line;
    break;
  }
  if (factor == 0) {
    lines.fail(0, "the header does not say in which unit the accelerations are",
               "add to its third line: ACCELERATION TIME SERIES IN UNITS OF G");
  }
  const std::size_t end = lines.read_block(line, static_cast<std::size_t>(count), 0, record.acceleration);
  for (std::size_t rest = end; rest < lines.size(); ++rest) {
    if (trimmed(lines[rest]).empty()) continue;
    lines.fail(rest, "more samples than the " + std::to_string(static_cast<long>(count)) + " announced",
               "header and data do not belong together: get the file again from its source");
  }
  for (double& a : record.acceleration) a *= factor;
  return record;
}

}  // namespace

const RecordFormat peer_at2_format{"PEER AT2", matches, parse};

}  // namespace gusset

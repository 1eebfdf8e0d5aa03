#include "realtime/wake_up.hpp"

#include <stdio.h>

#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <thread>

namespace gusset {
namespace {

constexpr std::int64_t cyclictest_limit = 1'000'000;  // the most bins it takes
constexpr double get_ready = 0.01;                    // [s] before the first deadline

/// The number after `label` in a line, if it starts so.
std::optional<std::int64_t> labelled(std::string_view line, std::string_view label) {
  if (!line.starts_with(label)) return std::nullopt;
  line.remove_prefix(label.size());
  while (line.starts_with(' ')) line.remove_prefix(1);
  std::int64_t value = 0;
  const auto parsed = std::from_chars(line.data(), line.data() + line.size(), value);
  if (parsed.ec != std::errc()) return std::nullopt;
  return value;
}

void loop(const WakeUpOptions& options, WakeUp& result) {
  result.grants = make_realtime({options.priority, options.core});
  const auto count = static_cast<std::int64_t>(options.seconds / options.period);
  const Beat beat(now_ns() + static_cast<std::int64_t>(get_ready * 1e9), options.period);
  // The first turns warm caches and count for nothing.
  constexpr std::int64_t warm = 16;
  PageFaults before;
  for (std::int64_t k = -warm; k < count;) {
    if (k <= 0) before = thread_page_faults();
    const std::int64_t deadline = beat.deadline(k + warm);
    const std::int64_t awake = sleep_until(deadline);
    if (options.work) options.work(k < 0 ? 0 : k);
    const std::int64_t done = options.work ? now_ns() : awake;
    if (k >= 0) {
      result.latency.add(awake - deadline);
      result.compute.add(done - awake);
    }
    // As cyclictest does: a deadline that has passed is not slept for, or one long delay would
    // count many times.
    for (++k; k < count && beat.deadline(k + warm) <= done; ++k) result.missed += k >= 0;
  }
  const PageFaults after = thread_page_faults();
  result.faults = {after.minor - before.minor, after.major - before.major};
}

}  // namespace

WakeUp measure_wake_up(const WakeUpOptions& options) {
  WakeUp result;
  std::thread([&] { loop(options, result); }).join();
  return result;
}

std::optional<Histogram> parse_cyclictest(const std::string& output) {
  Histogram histogram;
  std::int64_t maximum = 0;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (const auto overflows = labelled(line, "# Histogram Overflows:")) {
      for (std::int64_t i = 0; i < *overflows; ++i) histogram.add(cyclictest_limit);
    } else if (const auto found = labelled(line, "# Max Latencies:")) {
      maximum = *found;
    } else if (!line.empty() && line.front() != '#') {
      std::int64_t nanoseconds = 0, count = 0;
      const char* end = line.data() + line.size();
      const auto first = std::from_chars(line.data(), end, nanoseconds);
      if (first.ec != std::errc() || first.ptr == end) continue;
      if (std::from_chars(first.ptr + 1, end, count).ec != std::errc()) continue;
      for (std::int64_t i = 0; i < count; ++i) histogram.add(nanoseconds);
    }
  }
  if (histogram.count() == 0) return std::nullopt;
  histogram.raise_maximum(maximum);
  return histogram;
}

std::optional<Histogram> measure_with_cyclictest(const WakeUpOptions& options) {
  const auto text = [](double value) { return std::to_string(std::llround(value)); };
  std::string command =
      "cyclictest --quiet --mlockall --nsecs --threads=1 --histogram=" + std::to_string(cyclictest_limit) +
      " --priority=" + std::to_string(options.priority) + " --interval=" + text(1e6 * options.period) +
      " --loops=" + text(options.seconds / options.period);
  if (options.core >= 0) command += " --affinity=" + std::to_string(options.core);
  FILE* pipe = ::popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string output;
  char piece[65536];
  for (std::size_t got; (got = std::fread(piece, 1, sizeof piece, pipe)) > 0;) {
    output.append(piece, got);
  }
  ::pclose(pipe);
  return parse_cyclictest(output);
}

}  // namespace gusset

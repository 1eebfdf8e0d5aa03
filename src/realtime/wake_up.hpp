#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "realtime/histogram.hpp"
#include "realtime/pace.hpp"

namespace gusset {

struct WakeUpOptions {
  double seconds = 2;
  double period = 1.0 / 1024;  ///< [s]
  int core = -1;               ///< to be pinned to; -1: not
  int priority = 80;           ///< of SCHED_FIFO
  /// Called in each period after waking, on the real-time thread; may be empty.
  std::function<void(std::int64_t k)> work;
};

struct WakeUp {
  Histogram latency;        ///< from the deadline to being awake [ns]
  Histogram compute;        ///< of `work` [ns]
  std::int64_t missed = 0;  ///< periods that were over before the loop came to them: left out
  PageFaults faults;        ///< in the loop
  std::vector<Grant> grants;
};

/// How late a thread of ours wakes: the sleeping of the real-time loop with nothing else around it.
/// Runs on a thread of its own; memory is for the caller to lock (RealtimeProcess).
WakeUp measure_wake_up(const WakeUpOptions& options);

/// The same measured by cyclictest (Debian: rt-tests): one thread, same priority, core and interval,
/// to the nanosecond up to 1 ms; what is later counts as 1 ms, its maximum is exact. Absent if it is
/// not installed or does not run.
std::optional<Histogram> measure_with_cyclictest(const WakeUpOptions& options);

/// Reads the histogram of `cyclictest --histogram=… --nsecs`.
std::optional<Histogram> parse_cyclictest(const std::string& output);

}  // namespace gusset

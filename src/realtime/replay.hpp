#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "build/test.hpp"
#include "realtime/test_cursor.hpp"
#include "runs/run.hpp"

namespace gusset {

/// One channel's commands, recorded and computed again.
struct ReplayedChannel {
  std::string name, unit;
  std::vector<double> recorded, replayed;  ///< one a sub-step
  std::int64_t different = 0;              ///< numbers that differ in any bit
  double largest = 0;                      ///< difference
  double rms = 0;                          ///< of the difference, over that of the recorded command
};

struct Replay {
  std::int64_t commands = 0;  ///< of each channel
  std::int64_t missing = 0;   ///< rows the record lost, from the first on
  std::vector<ReplayedChannel> channels;
  std::optional<double> first_difference;  ///< time of it [s]

  bool identical() const { return !first_difference.has_value(); }
};

/// Gives the recorded feedback to the test, step by step, and collects the commands it makes of
/// it: bit for bit those of the run if the experiment is the same, since nothing but feedback comes from
/// outside. With another compensator: what it would have commanded on the same feedback.
/// Throws InputError if the run has not the signals of this experiment.
Replay replay(const Test& test, const Run& run, const Span& span, const std::string& path);

}  // namespace gusset

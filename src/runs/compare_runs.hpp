#pragma once

#include <string>
#include <vector>

#include "runs/run.hpp"

namespace gusset {

struct Tolerance {
  double relative = 1e-6;  ///< of the channel's largest magnitude in the first run
  double absolute = 0;     ///< in the channel's SI unit
};

/// One channel of two runs. It agrees if |b − a| ≤ absolute + relative·max|a| at every sample, and
/// samples that were not taken (NaN) are the same ones in both.
struct ChannelComparison {
  std::string table, channel, unit;
  std::size_t samples = 0;
  double peak = 0;        ///< max|a|
  double difference = 0;  ///< max|b − a| over samples that both have
  double time = 0;        ///< where that is [s]
  double nrmse = 0;       ///< sqrt(Σ(b − a)²/Σa²)
  double allowed = 0;
  std::size_t gaps = 0;  ///< samples that only one of the runs has
  bool agrees = true;
};

struct RunComparison {
  std::vector<ChannelComparison> channels;
  std::vector<std::string> differences;  ///< what only one has: tables, channels, samples, units
  bool agrees() const;
};

/// Compares channel by channel, table by table. Throws InputError where the steps or starts of a
/// table differ: samples then belong to different times, and nothing is resampled behind the user's
/// back. `names` appear in messages.
RunComparison compare_runs(const Run& a, const Run& b, const Tolerance& tolerance, const std::string& name_a,
                           const std::string& name_b);

}  // namespace gusset

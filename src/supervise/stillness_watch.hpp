#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gusset {

/// Commands that move while nothing moves with them: hydraulics off, a shut valve, a cable that is out. Over
/// one phase of a test, u the command of a channel and y the signal that is to follow it:
///
///   max u − min u > r   and   max y − min y < 0.05·(max u − min u)
///
/// r is the range that counts as motion. The watch tells for how many answers in a row that is so: a rig with a
/// delay needs its time.
class StillnessWatch {
 public:
  explicit StillnessWatch(std::size_t channels) : channels_(channels) {}

  /// A phase begins. @rt-safe
  void start() noexcept { std::fill(channels_.begin(), channels_.end(), Range{}); }
  void observe(std::size_t channel, double command, double shown, double range) noexcept {  ///< @rt-safe
    Range& own = channels_[channel];
    if (!own.begun) own = {true, command, command, shown, shown, 0};
    own.least = std::min(own.least, command);
    own.most = std::max(own.most, command);
    own.least_shown = std::min(own.least_shown, shown);
    own.most_shown = std::max(own.most_shown, shown);
    const double asked = own.most - own.least, made = own.most_shown - own.least_shown;
    own.answers = asked > range && made < 0.05 * asked ? own.answers + 1 : 0;
  }
  int answers(std::size_t channel) const noexcept { return channels_[channel].answers; }  ///< @rt-safe

 private:
  struct Range {
    bool begun = false;
    double least = 0, most = 0, least_shown = 0, most_shown = 0;
    int answers = 0;
  };
  std::vector<Range> channels_;
};

}  // namespace gusset

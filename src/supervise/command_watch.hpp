#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "base/motion.hpp"

namespace gusset {

/// What follows from one command to the next, of each channel that is told displacements:
///
///   velocity      (u_k − u_{k−1})/δ                            δ the rig's step
///   acceleration  the larger of |curvature| and, at the end of an integration step, of the change of the
///                 command's rate since the end of the step before, over Δt: a ramp has no curvature, yet
///                 changes its velocity at every step
class CommandWatch {
 public:
  CommandWatch(std::size_t channels, double dt, double rig_dt)
      : dt_(dt), rig_dt_(rig_dt), values_(channels), step_rates_(channels), begun_(channels, false) {}

  /// The command that stood before the first one. @rt-safe
  void start(std::size_t channel, double value) noexcept {
    values_[channel] = value;
    begun_[channel] = false;
  }
  double velocity(std::size_t channel, const Command& command) const noexcept {  ///< @rt-safe
    return (command.value - values_[channel]) / rig_dt_;
  }
  double acceleration(std::size_t channel, const Command& command,
                      bool ends_step) const noexcept {  ///< @rt-safe
    const double own = std::abs(command.curvature);
    if (!ends_step || !begun_[channel]) return own;
    const double mean = std::abs(command.rate - step_rates_[channel]) / dt_;
    return mean <= own ? own : mean;  // NaN stays
  }
  /// It was sent. @rt-safe
  void sent(std::size_t channel, const Command& command, bool ends_step) noexcept {
    values_[channel] = command.value;
    if (!ends_step) return;
    step_rates_[channel] = command.rate;
    begun_[channel] = true;
  }

 private:
  double dt_, rig_dt_;
  std::vector<double> values_, step_rates_;
  std::vector<bool> begun_;
};

}  // namespace gusset

#pragma once

#include <algorithm>
#include <cmath>

#include "base/motion.hpp"

namespace gusset {

/// How fast the time of the test passes, and where in a sub-step its commands are. s = 1 is the test itself;
/// a hold brings s to 0 and a resume back to 1, so that commands slow down and speed up along the test's own
/// path instead of stopping on the spot. φ is the way from the last answered command (0) to the next (1):
///
///   φ' = φ + (s + s')/2 a period;     x(φ) the cubic with both ends' positions and velocities, beyond φ = 1
///                                     straight on with the command's curvature
///
/// s changes by at most 10 a second, and with v and a of the test's command and a limit A of acceleration by no
/// more than |s'|·|v| ≤ 0.9·A − s²·|a|, but at least 0.1·A: then |x''| = |s²·a + s'·v| stays within A. Back at
/// speed, s = 1 − 0.05·φ lets what φ is ahead of a whole sub-step fade.
class TimeScale {
 public:
  double scale() const noexcept { return scale_; }
  double way() const noexcept { return way_; }
  /// The test goes on as it is computed. @rt-safe
  bool even() const noexcept { return scale_ == 1 && way_ == 0; }
  void start() noexcept {
    scale_ = 1;
    way_ = 0;
  }
  /// Stands still where it is. @rt-safe
  void stand() noexcept { scale_ = 0; }
  /// How much s may change in a second, of a channel. @rt-safe
  static double fastest_change(double velocity, double acceleration, double scale, double limit) noexcept {
    if (!(limit > 0)) return most;
    const double room = std::max(0.9 * limit - scale * scale * std::abs(acceleration), 0.1 * limit);
    return std::min(most, room / std::max(std::abs(velocity), 1e-12));
  }
  /// One period towards s = 1 or 0, by at most `change`. @rt-safe
  void advance(bool go, double change) noexcept {
    const double goal = go ? std::max(0.0, 1 - 0.05 * way_) : 0;
    const double before = scale_;
    scale_ = std::clamp(goal, scale_ - change, scale_ + change);
    way_ += 0.5 * (before + scale_);
  }
  /// The next command was sent and answered. @rt-safe
  void step() noexcept {
    way_ -= 1;
    if (way_ < 1e-4 && scale_ > 0.999) start();
  }
  /// The way was the whole sub-step.
  void whole() noexcept { way_ = 1; }

  /// Where the command is at φ: `from` the position of the last one. @rt-safe
  static Command at(double way, double scale, double from, const Command& next, double dt) noexcept {
    Command command;
    if (way <= 1) {
      const double a = next.start_rate * dt, b = next.rate * dt, d = next.value - from;
      const double c2 = 3 * d - 2 * a - b, c3 = a + b - 2 * d;
      command.value = from + way * (a + way * (c2 + way * c3));
      command.rate = scale * (a + way * (2 * c2 + 3 * way * c3)) / dt;
      command.curvature = scale * scale * (2 * c2 + 6 * way * c3) / (dt * dt);
    } else {
      const double beyond = (way - 1) * dt;
      command.value = next.value + beyond * (next.rate + 0.5 * beyond * next.curvature);
      command.rate = scale * (next.rate + beyond * next.curvature);
      command.curvature = scale * scale * next.curvature;
    }
    command.start_rate = command.rate;
    return command;
  }

 private:
  static constexpr double most = 10;  ///< [1/s]
  double scale_ = 1, way_ = 0;
};

}  // namespace gusset

#pragma once

#include <algorithm>
#include <cmath>

#include "base/motion.hpp"

namespace gusset {

/// A smooth way between two positions of rest, x = a + (b − a)·(10s³ − 15s⁴ + 6s⁵) with s = t/T: velocity
/// and acceleration begin and end with zero. Fastest in the middle, 1.875·|b − a|/T; strongest
/// acceleration 5.774·|b − a|/T².
///
/// Where it begins in motion, with velocity v, that is brought to rest on top of it over a time B ≤ T:
/// v·t·(1 − t/B)³, which leads on by at most 0.1055·v·B, brakes with 6·v/B at first and is gone at B.
class Path {
 public:
  /// Motion at the beginning.
  struct Brake {
    double velocity = 0, duration = 0;
  };
  static constexpr double leads_on = 27.0 / 256;  ///< of v·B
  static constexpr double brakes = 6;             ///< times v/B

  Path() = default;
  Path(double from, double to, double duration) : Path(from, to, duration, {}) {}
  Path(double from, double to, double duration, Brake brake)
      : from_(from), to_(to), duration_(duration), brake_(brake) {}

  /// The command for the piece of time from t − dt to t. @rt-safe
  Command at(double t, double dt) const noexcept {
    Command command;
    const double here = position(t);
    const double before = position(t - dt);
    command.value = here;
    // The mean velocity of the piece, so that the positions are consistent with it.
    command.rate = command.start_rate = (here - before) / dt;
    command.curvature = acceleration(t);
    return command;
  }
  double acceleration(double t) const noexcept {
    if (t <= 0 || t >= duration_) return 0;
    const double s = t / duration_;
    double sum = (to_ - from_) / (duration_ * duration_) * s * (60 - s * (180 - 120 * s));
    if (t < brake_.duration) {
      const double share = t / brake_.duration;
      sum += brakes * brake_.velocity / brake_.duration * (1 - share) * (2 * share - 1);
    }
    return sum;
  }
  double position(double t) const noexcept {
    if (t <= 0) return from_;
    if (t >= duration_) return to_;
    const double s = t / duration_;
    return from_ + (to_ - from_) * s * s * s * (10 - s * (15 - 6 * s)) + overrun(t);
  }
  double duration() const noexcept { return duration_; }

  /// Long enough that velocity and acceleration stay within `fastest` and `strongest`, where these are positive,
  /// and at least `least`.
  static double duration_for(double distance, double least, double fastest, double strongest = 0) noexcept {
    const double way = std::abs(distance);
    if (fastest > 0) least = std::max(least, 1.875 * way / fastest);
    if (strongest > 0) least = std::max(least, std::sqrt(5.7735026918962584 * way / strongest));
    return least;
  }

 private:
  double overrun(double t) const noexcept {
    if (t >= brake_.duration) return 0;
    const double left = 1 - t / brake_.duration;
    return brake_.velocity * t * left * left * left;
  }

  double from_ = 0, to_ = 0, duration_ = 0;
  Brake brake_;
};

}  // namespace gusset

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "realtime/path.hpp"

namespace gusset {

/// The way of all channels to where the test starts, and the way back: a Path each, begun together.
class Travel {
 public:
  static constexpr double close_enough = 1e-6;  ///< [m] or [N]: no way to go

  explicit Travel(std::size_t channels) : paths_(channels) {}

  /// Nobody has anywhere to go yet. @rt-safe
  void begin() noexcept { time_ = duration_ = 0; }
  /// What a way may do; 0: anything.
  struct Pace {
    double velocity = 0, acceleration = 0;
  };
  /// In `seconds`, or as long as it takes to keep the pace and to brake first. @rt-safe
  void lead(std::size_t channel, double from, double to, double seconds, Pace pace,
            Path::Brake brake = {}) noexcept {
    const double duration =
        std::max(Path::duration_for(to - from, seconds, pace.velocity, pace.acceleration), brake.duration);
    paths_[channel] = Path(from, to, duration, brake);
    if (std::abs(to - from) > close_enough || brake.duration > 0) {
      duration_ = std::max(duration_, paths_[channel].duration());
    }
  }
  /// Where the channel is to be a period dt from now. @rt-safe
  Command next(std::size_t channel, double dt) const noexcept { return paths_[channel].at(time_ + dt, dt); }
  void advance(double dt) noexcept { time_ += dt; }
  bool arrived() const noexcept { return time_ >= duration_; }

 private:
  std::vector<Path> paths_;
  double time_ = 0, duration_ = 0;
};

}  // namespace gusset

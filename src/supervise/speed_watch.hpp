#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gusset {

/// Velocity of a measured position y: its mean over the last n answers, n of about 10 ms and at least 5,
///
///   v_k = (y_k − y_{k−n})/(t_k − t_{k−n})
///
/// Why the mean? A converter's last digit over a single period would be a velocity of its own: 10 µm in 1 ms
/// are 10 mm/s.
class SpeedWatch {
 public:
  SpeedWatch(std::size_t channels, double period)
      : period_(period),
        size_(std::max<std::size_t>(5, static_cast<std::size_t>(std::lround(0.01 / period)))),
        values_(channels * size_),
        times_(channels * size_),
        next_(channels),
        known_(channels) {}

  /// @rt-safe
  void start(std::size_t channel, double position) noexcept {
    next_[channel] = known_[channel] = 0;
    observe(channel, position, 0);
  }
  /// The position `periods` after the one before; gives the velocity, 0 until enough are known. @rt-safe
  double observe(std::size_t channel, double position, double periods) noexcept {
    double* const values = values_.data() + channel * size_;
    double* const times = times_.data() + channel * size_;
    std::size_t& next = next_[channel];
    const double time = known_[channel] > 0 ? times[(next + size_ - 1) % size_] + periods : 0;
    double velocity = 0;
    if (known_[channel] == size_ && time > times[next]) {
      velocity = (position - values[next]) / (period_ * (time - times[next]));
    }
    values[next] = position;
    times[next] = time;
    next = (next + 1) % size_;
    if (known_[channel] < size_) ++known_[channel];
    return velocity;
  }

 private:
  double period_;
  std::size_t size_;
  std::vector<double> values_, times_;
  std::vector<std::size_t> next_, known_;
};

}  // namespace gusset

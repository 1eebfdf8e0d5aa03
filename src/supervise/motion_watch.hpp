#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace gusset {

/// How commands move as they leave, over the time that really passes between them. x_k left a time τ_k after
/// the one before:
///
///   velocity      (x_k − x_{k−1})/τ_k
///   acceleration  (v̄ − v̄')/(T + T')·2, v̄ the mean velocity of the last w commands, which took T, and v̄' that
///                 of the w before them, which took T'
///
/// w is the number of commands of an integration step. Why not from one command to the next? Between two steps
/// a ramp has one velocity, and changes it at their border: over a whole step that is the acceleration of the
/// motion it follows. On a smooth motion the mean is never larger than the largest acceleration itself.
class MotionWatch {
 public:
  /// `period`: the time between commands that leave as they should [s].
  MotionWatch(std::size_t channels, int window, double period)
      : window_(static_cast<std::size_t>(window)),
        size_(2 * window_),
        period_(period),
        values_(channels * size_),
        taken_(size_, period),
        last_(channels) {}

  /// Everything rests; what was before is forgotten. @rt-safe
  void rest() noexcept {
    known_ = size_;
    for (double& time : taken_) time = period_;
  }
  /// A channel rests at `value`. @rt-safe
  void rest_at(std::size_t channel, double value) noexcept {
    last_[channel] = value;
    for (std::size_t i = 0; i < size_; ++i) values_[channel * size_ + i] = value;
  }
  /// A test begins, in motion or not: what was before says nothing of its acceleration. @rt-safe
  void forget() noexcept { known_ = 0; }

  /// Of a command that would leave `elapsed` after the last. @rt-safe
  double velocity(std::size_t channel, double value, double elapsed) const noexcept {
    const double way = value - last_[channel];
    return way == 0 ? 0 : way / elapsed;
  }
  double acceleration(std::size_t channel, double value, double elapsed) const noexcept {  ///< @rt-safe
    if (known_ + 1 < size_) return 0;
    const double middle = before(channel, window_), first = before(channel, size_);
    double recent = elapsed, earlier = 0;
    for (std::size_t i = 1; i < window_; ++i) recent += time_before(i);
    for (std::size_t i = window_; i < size_; ++i) earlier += time_before(i);
    const double change = (value - middle) / recent - (middle - first) / earlier;
    return 2 * std::abs(change) / (recent + earlier);
  }
  /// They have left. @rt-safe
  template <class Commands>
  void sent(const Commands& commands, double elapsed) noexcept {
    for (std::size_t c = 0; c < last_.size(); ++c) {
      last_[c] = commands[c].value;
      values_[c * size_ + next_] = commands[c].value;
    }
    taken_[next_] = elapsed;
    next_ = (next_ + 1) % size_;
    if (known_ < size_) ++known_;
  }

 private:
  /// The value that left `count` commands before the one to come. @rt-safe
  double before(std::size_t channel, std::size_t count) const noexcept {
    return values_[channel * size_ + (next_ + size_ - count) % size_];
  }
  double time_before(std::size_t count) const noexcept { return taken_[(next_ + size_ - count) % size_]; }

  std::size_t window_, size_;
  double period_;
  std::vector<double> values_, taken_, last_;
  std::size_t next_ = 0, known_ = 0;
};

}  // namespace gusset

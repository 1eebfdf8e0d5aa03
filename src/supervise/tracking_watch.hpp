#pragma once

#include <cstddef>
#include <vector>

namespace gusset {

/// Tracking while the test runs, x the target, y the measured position, f the force, a channel each:
///
///   energy  E += ½(f_k + f_{k−1})·((y_k − y_{k−1}) − (x_k − x_{k−1}))       fed in by the error [J]
///   delay   τ = −Σ e·x'/Σ x'²,  e = y − x, both sums forgetting over about 2 s, all channels together
///           (y(t) = x(t − τ) makes e = −τ·x')
class TrackingWatch {
 public:
  TrackingWatch(std::size_t channels, double dt)
      : dt_(dt), keep_(1 - dt / (dt + 2.0)), x_(channels), y_(channels), f_(channels), energy_(channels) {}

  void start(std::size_t channel, double x, double y, double f) noexcept {
    x_[channel] = x;
    y_[channel] = y;
    f_[channel] = f;
    energy_[channel] = 0;
  }
  void observe(std::size_t channel, double x, double y, double f) noexcept {  ///< @rt-safe
    energy_[channel] += 0.5 * (f + f_[channel]) * ((y - y_[channel]) - (x - x_[channel]));
    const double rate = (x - x_[channel]) / dt_;
    error_ = keep_ * error_ - (y - x) * rate;
    power_ = keep_ * power_ + rate * rate;
    x_[channel] = x;
    y_[channel] = y;
    f_[channel] = f;
  }
  double energy(std::size_t channel) const noexcept { return energy_[channel]; }
  double delay() const noexcept { return power_ > 0 ? error_ / power_ : 0; }

 private:
  double dt_, keep_;
  double error_ = 0, power_ = 0;
  std::vector<double> x_, y_, f_, energy_;
};

}  // namespace gusset

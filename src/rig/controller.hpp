#pragma once

#include "rig/servo_parameters.hpp"
#include "rig/signal_delay.hpp"

namespace gusset {

/// The digital controller of a servo-hydraulic rig. At each of its steps T it samples, forms
///
///   u = Kp·(xc − x) + Ki·∫(xc − x) + Kd·(xc' − x') + Kff·xc' + Kdp·Δp
///
/// State: ∫(xc − x) where Ki is not 0; the last samples where a velocity is a backward difference. u is on its
/// way in an InputLine.
class DigitalController {
 public:
  struct Measured {
    double x, velocity, pressure;
  };
  DigitalController() = default;
  DigitalController(const ServoParameters& parameters, double dt);
  void claim(Layout& layout, const std::string& channel);

  double step(State& state, const Command& command,
              const Measured& measured) const noexcept;  ///< u; @rt-safe
  /// At rest at x under a constant drive.
  void rest(State& state, double x, double pressure, double drive) const;

 private:
  double kp_ = 0, ki_ = 0, kd_ = 0, kff_ = 0, kdp_ = 0;
  double dt_ = 0;
  bool difference_measured_ = false, difference_command_ = false;
  Segment integral_, last_measured_, last_command_;
  CommandSampler sampler_;
};

}  // namespace gusset

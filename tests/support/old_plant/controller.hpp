#pragma once

#include "rig/servo_parameters.hpp"
#include "rig/signal_delay.hpp"

namespace gusset::old {

/// The digital controller of a servo-hydraulic rig. At each of its steps T it samples, forms
///
///   u = Kp·(xc − x) + Ki·∫(xc − x) + Kd·(xc' − x') + Kff·xc' + Kdp·Δp
///
/// and holds u, which reaches the valve a time τ = (m + f)·T later: during a step the valve sees the
/// older value for f·T (slot 1), then the newer for (1 − f)·T (slot 0).
///
/// State: u on its way, in order of age; ∫(xc − x) where Ki is not 0; the last samples where a
/// velocity is a backward difference.
class DigitalController {
 public:
  struct Measured {
    double x, velocity, pressure;
  };
  struct Drive {
    double now;           ///< formed in this step
    double older, newer;  ///< seen by the valve in slot 1, then in slot 0
  };

  DigitalController() = default;
  DigitalController(const RigContext& context, const ServoParameters& parameters);

  Drive step(State& state, const Command& command, const Measured& measured) const noexcept;
  /// At rest at x under a constant drive.
  void rest(State& state, double x, double pressure, double drive) const;

  bool split() const { return delay_.fraction > 0; }
  double span(int slot) const { return (slot == 0 ? 1 - delay_.fraction : delay_.fraction) * dt_; }

 private:
  double kp_ = 0, ki_ = 0, kd_ = 0, kff_ = 0, kdp_ = 0;
  double dt_ = 0;
  DelaySteps delay_;
  Segment drives_, integral_, last_measured_, last_command_;
  CommandSampler sampler_;
};

}  // namespace gusset::old

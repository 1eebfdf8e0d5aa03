#pragma once

#include "rig/drive.hpp"

namespace gusset {

/// The block structure of a small rig with an analogue servo-controller:
///
///   e = gain·(u(t − τ) − x)                    unity displacement feedback
///   i'' + b1·i' + b2·i = b0·e                  servo-valve
///   F' + a3·F = i − a2·x'                      actuator, natural velocity feedback
///   m·x'' + c·x' + k·x = F − f                 the rig's own mass, damping, stiffness; f: specimen's
///
/// u moves linearly between samples. With s the Laplace variable and D(s) = m s² + c s + k of rig and
/// specimen together,
///
///   x/u = gain·b0 / [(s² + b1 s + b2)((s + a3)·D + a2 s) + gain·b0]
///
/// States of its model: F; i, i'.
struct Blocks {
  double gain, b0, b1, b2, a2, a3;
  double mass, damping, stiffness;  ///< the rig's own
  double delay, force_delay;        ///< [s]
};

class BlocksDrive final : public Drive {
 public:
  explicit BlocksDrive(const Blocks& blocks) : p_(blocks) {}

  DriveModel model() const override;
  Line line() const override { return {"commands", "m", 1e-3, p_.delay, true}; }
  void claim_states(Layout& layout, const std::string& channel) const override {
    layout.add(channel, "actuator", "N", 1, 10);
    layout.add(channel, "valve", "N/s", 1, 1e3);
    layout.add(channel, "valve_rate", "N/s^2", 1, 1e5);
  }
  double control(State&, const Command& command, const Seen&) const noexcept override {
    return command.value;
  }
  /// Where b2·i = gain·b0·(u − x), i = a3·F, F = k·x.
  double settle(double command, double stiffness) const override {
    return command / (1 + p_.b2 * p_.a3 / (p_.gain * p_.b0) * stiffness);
  }
  double rest(State&, double command, double, double force, double* states) const override {
    states[0] = force;
    states[1] = p_.a3 * force;
    states[2] = 0;
    return command;
  }
  std::vector<Signal> signals() const override {
    return {
        {"measured", "m"}, {"force", "N"}, {"measured_velocity", "m/s"}, {"measured_acceleration", "m/s^2"}};
  }
  double measure(const Measured& measured, double* signals) const noexcept override {
    signals[0] = measured.displacement;
    signals[2] = measured.velocity;
    signals[3] = measured.acceleration;
    return measured.force;
  }
  double force_delay() const override { return p_.force_delay; }

 private:
  Blocks p_;
};

}  // namespace gusset

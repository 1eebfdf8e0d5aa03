#pragma once

#include "rig/controller.hpp"
#include "rig/drive.hpp"

namespace gusset {

/// A servo-hydraulic actuator or shake table with its digital controller (Conte & Trombetti 2000). Under the
/// controller's input u, held and a time τ late:
///
///   q                                  = k_q·u(t − τ)              valve = "none"
///   T_v·q' + q                         = k_q·u(t − τ)              valve = "first-order"
///   q''/ω_v² + 2ζ_v·q'/ω_v + q         = k_q·u(t − τ)              valve = "second-order"
///   (V/4β)·Δp' = q − A·x' − (C_l + K_c)·Δp                         A·x': natural velocity feedback
///   m·x''      = A·Δp − c·x' − f                                   f: the specimen's force
///
/// Oil column: ω² = 4βA²/(VM), ζ = ((C_l + K_c)/A)·sqrt(βM/V), M = m + rigid payload.
/// Lag at low frequency: (1 − G·Kff)/(G·Kp), G = k_q/A (plus τ and half of T that the hold takes).
///
/// States of its model: Δp; valve. Memory: the controller's.
class ServoDrive final : public Drive {
 public:
  ServoDrive(const ServoParameters& parameters, double dt) : p_(parameters), controller_(parameters, dt) {}

  DriveModel model() const override;
  Line line() const override { return {"drives", "V", 1e-3, p_.delay, false}; }
  void claim_memory(Layout& layout, const std::string& channel) override {
    controller_.claim(layout, channel);
  }
  void claim_states(Layout& layout, const std::string& channel) const override {
    layout.add(channel, "pressure", "Pa", 1, 1e4);
    layout.add(channel, "flow", "m^3/s", p_.valve_order, 1e-5);
  }
  double control(State& state, const Command& command, const Seen& seen) const noexcept override {
    return controller_.step(state, command, {seen.displacement, seen.velocity, seen.states[0]});
  }
  double rest(State& state, double command, double displacement, double force, double* states) const override;
  std::vector<Signal> signals() const override;
  double measure(const Measured& measured, double* signals) const noexcept override;
  double force_delay() const override { return p_.force_delay; }
  RigCapacity capacity(const RigCapacity& declared) const override;
  double effort(const double* signals) const noexcept override { return p_.area * signals[4]; }

 private:
  ServoParameters p_;
  DigitalController controller_;
};

}  // namespace gusset

#pragma once

#include "rig/propagator.hpp"
#include "support/old_plant/controller.hpp"
#include "support/old_plant/mechanics.hpp"

namespace gusset::old {

/// A servo-hydraulic actuator or shake table with its digital controller (Conte & Trombetti 2000),
/// the specimen solved together with it. Under the controller's drive u, held and a time τ late,
/// the plant is carried exactly (matrix exponential):
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
/// State: z = [x, specimen's own; their velocities; Δp; valve], the controller's, delayed force.
class ServoRig final : public SpecimenRig {
 public:
  ServoRig(const RigContext& context, const ServoParameters& parameters);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  const Specimen& specimen() const override { return mechanics_->specimen(); }
  std::vector<Signal> signals(std::size_t channel) const override;
  RigCapacity capacity(std::size_t channel) const override;
  double effort(std::size_t, const double* measured) const noexcept override { return p_.area * measured[4]; }

 private:
  void move(State& state, double drive, int slot) const noexcept;
  double force_on_piston(const double* z) const noexcept;
  /// Everything that is measured but the force, which may be late; returns the force.
  double measure(const State& state, double* measured) const noexcept;

  ServoParameters p_;
  DigitalController controller_;
  int pieces_[2] = {1, 1};
  double durations_[2] = {0, 0};
  std::unique_ptr<Mechanics> mechanics_;
  Propagator plant_;
  Segment z_, remainder_;
  SignalDelay force_delay_;
};

}  // namespace gusset::old

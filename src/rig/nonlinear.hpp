#pragma once

#include <algorithm>

#include "rig/controller.hpp"
#include "rig/input_line.hpp"
#include "rig/mechanics.hpp"

namespace gusset {

/// The numbers of a NonlinearActuator, SI throughout, beside those of its controller.
struct NonlinearParameters {
  double supply = 0, back = 0;   ///< p_s, p_r [Pa]
  double relief = 0;             ///< no chamber goes above it [Pa]
  double nominal_flow = 0;       ///< Q_nom [m³/s]
  double rated_flow = 0;         ///< Q_rated, at rated_pressure [m³/s]
  double rated_pressure = 0;     ///< drop over both ports [Pa]
  double overlap = 0;            ///< share of the full opening
  double full_drive = 10;        ///< [V]
  double area = 0;               ///< A [m²]
  double stroke = 0;             ///< to either side [m]
  double dead_length = 0;        ///< oil behind the piston at the end of the stroke [m]
  double bulk_modulus = 0;       ///< β [Pa]
  double leakage = 0;            ///< C_l [m³/s/Pa]
  double mass = 0, damping = 0;  ///< of piston and platen
  int inner_steps = 0;           ///< of a rig's step; 0: as many as it takes
};

/// A servo-hydraulic actuator with its valve and both chambers. With the controller's drive u, held and
/// a time τ late,
///
///   o  = clip(|u|/u_full − overlap, 0, 1)                               opening
///   Q(Δp) = o·K·Δp/(Δp² + ε²)^¼ / sqrt(1 + (oσ)²)                       flow through a port
///   u > 0:  Q₁ = Q(p_s − p₁), Q₂ = Q(p₂ − p_r);   u < 0:  Q₁ = −Q(p₁ − p_r), Q₂ = −Q(p_s − p₂)
///   p₁' = β/(A(L + x))·(Q₁ − A·x' − C_l(p₁ − p₂))
///   p₂' = β/(A(L − x))·(A·x' + C_l(p₁ − p₂) − Q₂)
///   m·x'' = A(p₁ − p₂) − c·x' − f                                       f: the specimen's force
///
/// K = Q_nom/sqrt(p_rated/2), σ = sqrt(1 − l²)/l with l = Q_rated/Q_nom, L = stroke + dead length.
/// ε = p_s/1000 rounds the square root off where the flow turns. Pressures stay within 0 (cavitation)
/// and the relief valves' setting; at the ends of the stroke the piston stops dead.
///
///   no load, full opening: x' = (Q_rated/A)·sqrt((p_s − p_r)/p_rated);   stall: A(p_s − p_r)
///   small motion: k_q = K·sqrt((p_s − p_r)/2)/u_full, V = 2AL of the linear one
///
/// Fixed inner steps, Runge–Kutta of fourth order, short against the oil column and against the filling
/// of the smallest chamber. A specimen that is not linear is solved together with the piston at the end of each
/// (see SpecimenSolver): its force there acted all through the inner step.
///
/// State: z = [x, specimen's own; their velocities; p₁ − p₂; (p₁ + p₂)/2], the controller's, and where
/// the energy went: supplied = valve + leak + relief + compression + work, all integrals over time.
/// Mean pressure and energies are parameters: behind a closed valve the mean stays where it is put.
/// Branch "freeze", thrown by analyses: the valve has no overlap. Within it nothing moves, so that a
/// derivative at rest would say nothing of the test.
class NonlinearActuator final : public SpecimenRig {
 public:
  NonlinearActuator(const RigContext& context, const ServoParameters& control,
                    const NonlinearParameters& parameters);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  const Specimen& specimen() const override { return mechanics_->specimen(); }
  std::vector<Signal> signals(std::size_t channel) const override;
  bool affine() const override { return false; }

  RigCapacity capacity(std::size_t channel) const override;
  double effort(std::size_t, const double* measured) const noexcept override {
    return p_.area * (measured[5] - measured[6]);
  }

  /// All pressure on one side of the piston, and a twentieth for what its mass adds when it is stopped.
  std::optional<double> unreachable_force(std::size_t) const override {
    return 1.05 * p_.area * std::max(p_.relief, p_.supply);
  }

  double no_load_velocity() const;
  double stall_force() const { return p_.area * (p_.supply - p_.back); }

 private:
  enum Energy { supplied, valve, leak, relief, compression, work, energies };
  struct Flows {
    double one, two;  ///< into chamber 1, out of chamber 2
  };
  double port(double opening, double drop) const noexcept;
  Flows flows(double drive, double overlap, double p1, double p2) const noexcept;
  void rates(const double* y, double drive, double overlap, double remainder, double* dy) const noexcept;
  void move(State& state, double drive, int slot) const noexcept;
  void hold_within_bounds(double* z, double* energy) const noexcept;
  double measure(const State& state, double* measured) const noexcept;
  int inner_steps(double span, const SpecimenAtRest& specimen) const;

  NonlinearParameters p_;
  double k_ = 0, sigma_ = 0, half_ = 0;  ///< K, σ, L
  double epsilon_ = 0;
  DigitalController controller_;
  InputLine line_;
  int pieces_[2] = {1, 1};
  double durations_[2] = {0, 0};
  int size_ = 0;  ///< of z
  std::unique_ptr<Mechanics> mechanics_;
  Segment z_, energy_, remainder_;
  int freeze_ = 0;
  SignalDelay force_delay_;
};

extern const RigKind nonlinear_rig_kind;

}  // namespace gusset

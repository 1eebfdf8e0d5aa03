#pragma once

#include <vector>

#include "compensate/compensator.hpp"

namespace gusset {

/// G(z) = (b_0 + b_1·z⁻¹ + …)/(a_0 + a_1·z⁻¹ + …), a_0 ≠ 0.
struct Coefficients {
  std::vector<double> b, a;
};

/// A compensator that is a discrete transfer function (Chen 2008, eq. 2.1), run as its difference
/// equation
///
///   a_0·u_k = Σ b_j·x_{k−j} − Σ_{j≥1} a_j·u_{k−j}
///
/// on x, x' and x'' alike; at the integrator's step on the coefficients of the target's piece alike,
/// which draws the command's profile through the compensated points. State: three entries an age of
/// x, then of u, the youngest first.
class LinearCompensator final : public Compensator {
 public:
  LinearCompensator(const CompensatorContext& context, Coefficients coefficients, bool per_step);

  Piece plan(State& state, const Piece& target) const noexcept override;
  Command command(State& state, const Command& target) const noexcept override;
  void start(State& state, double displacement, double force) const override;
  bool per_step() const override { return per_step_; }

 private:
  void run(State& state, double* lanes) const noexcept;

  std::vector<double> b_, a_;  ///< divided by a_0
  bool per_step_;
  Segment inputs_, outputs_;
};

/// Reads at = "rig" | "integrator": at which step the compensator works.
bool reads_per_step(const Section& section, bool fallback);

/// What `at` means, for the tables of parameters.
inline constexpr Parameter at_rig{"at", "word", "rig", "at the step of the rig or of the integrator"};
inline constexpr Parameter at_integrator{"at", "word", "integrator",
                                         "at the step of the rig or of the integrator"};

}  // namespace gusset

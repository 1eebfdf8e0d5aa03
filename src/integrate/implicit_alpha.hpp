#pragma once

#include "integrate/motion_integrator.hpp"

namespace gusset {

/// The parameters of the implicit family, as in Chung & Hulbert 1993.
struct AlphaParameters {
  double alpha_m = 0, alpha_f = 0, beta = 0.25, gamma = 0.5;
};

/// Newmark, HHT-α and generalised-α in one (Chung & Hulbert 1993, eq. 8–13): with
/// x_{i+1−α} = (1 − α)·x_{i+1} + α·x_i,
///
///   M·a_{i+1−α_m} + C·v_{i+1−α_f} + K·d_{i+1−α_f} + r_{i+1−α_f} = F_{i+1−α_f}
///   d_{i+1} = d_i + Δt·v_i + Δt²·((½ − β)·a_i + β·a_{i+1})
///   v_{i+1} = v_i + Δt·((1 − γ)·a_i + γ·a_{i+1})
///
/// solved for a_{i+1} with the matrix
///   A = (1 − α_m)·M + (1 − α_f)·γΔt·C + (1 − α_f)·βΔt²·(K + Σ b·k̂·bᵀ),
/// factored before the test. r are the forces known at t_i only, on their lines (see Integrator): a
/// correction by `change` moves the solution by  A·δa = −(1 − α_f)·Σ b·change.
///
/// With specimens the command runs in a ramp towards the latest d_{i+1}, so that the sub-steps are
/// Shing's interpolated commands: each moves 1/(N − k) of what is left. `iterations` of them, at even
/// distances, end with a correction; the last one is not moved to any more, and the force at
/// d_{i+1} is taken from its line.
///
/// State: d, p, v, a (n each).
class ImplicitAlpha final : public MotionIntegrator {
 public:
  ImplicitAlpha(const IntegratorContext& context, const AlphaParameters& parameters);

  void advance(State& state, const Load& load, const Response& response) const noexcept override;
  void correct(State& state, const double* change, std::span<const Contribution> contributions,
               const Response& response) const noexcept override;
  int corrections() const override { return iterations_; }
  int work_vectors() const override { return 3; }
  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override;

 private:
  AlphaParameters p_;
  int iterations_;
  BandFactor factor_;  ///< A
  Segment acceleration_;
};

/// Reads `iterations`: corrections a step where there is anything to correct.
int read_iterations(const IntegratorContext& context);

extern const Parameter iterations_parameter;

}  // namespace gusset

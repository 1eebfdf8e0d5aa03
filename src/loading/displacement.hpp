#pragma once

#include <memory>
#include <vector>

#include "loading/lagrange.hpp"
#include "loading/method.hpp"
#include "loading/numerical_storeys.hpp"

namespace gusset {

/// The displacement-driven test (Wu 2008, eq. 2.1–2.7). At t_i the forces measured on the specimens
/// load the numerical structure, the integrator gives d_{i+1}, and each interface gets the target
/// that leads its specimen there during the step:
///
///   M_N·a_i + C_N·v_i + K_N·d_i = F_i − Σ b·R_E,i
///   target: x = bᵀ·d  (+ the ground's displacement where the reference is absolute)
///
/// With an absolute reference the rig moves the specimen with the ground, as a shake table does, and
/// R_E holds all of its inertia: F = −M_N·ι·a_g. With a relative one the rig moves it against a fixed
/// floor, and the load of the ground on its mass m is added numerically: F = −(M_N·ι + b·m)·a_g.
///
/// An integrator that corrects its step (see Integrator) is given the forces of sub-steps on the way:
/// correction j of N follows the first sub-step that ends at or after j/N of the way to where the
/// integrator uses the force; from there the target runs straight to the new d_{i+1}.
///
/// Restoring forces of the numerical structure are treated alike (NumericalStoreys).
///
/// With profile p1 … p3 (lagrange.hpp) computing d_{i+1} takes `late` sub-steps, during which the
/// target is predicted: nothing that follows from the force at t_i moves the rig before.
///
/// State: the measured forces, held from the end of the last step, and those of the storeys; for p2
/// and p3 the increments p_{i−1} and p_{i−2} of each target.
class DisplacementMethod final : public Method {
 public:
  /// `estimates` has one entry a channel, then one a storey. `tangent_damping`: see NumericalStoreys.
  DisplacementMethod(std::unique_ptr<Integrator> integrator, std::vector<Channel> channels,
                     std::vector<StoreyForce> storeys, std::vector<ForceEstimate> estimates, Profile profile,
                     double dt, int substeps, Layout& layout, int late = 0, double tangent_damping = 0);

  void begin(State& state, const Input& input, const Response& response, Piece* pieces,
             double* lines) const noexcept override;
  void correct(int substep, State& state, const double* forces, const double* positions,
               const Response& response, Piece* pieces, double* lines) const noexcept override;
  /// After a correction at its very end the step stands on the line, not on the measured point: the
  /// force kept for the next step follows. Moves the storeys.
  void end(State& state, double* lines) const noexcept override;
  std::size_t lines_size() const override {
    return 2 * estimates_.size() + storeys_.size() + (order_ > 0 ? drawn * channels_.size() : 0);
  }

  void start(State& state, const LinearStart& motion, const Input& input, Command* targets) const override;
  std::span<const Contribution> contributions() const override { return contributions_; }
  const Integrator* integrator() const override { return integrator_.get(); }

 private:
  /// An interface as `begin` reads it: one floor, or the difference of two. Flat and small, since
  /// every step goes through it.
  struct Tap {
    double ground, weight, second_weight;
    int dof, second_dof;

    double of(const double* values) const noexcept {
      double sum = weight * values[dof];
      if (second_weight != 0) sum += second_weight * values[second_dof];
      return sum;
    }
  };

  std::unique_ptr<Integrator> integrator_;
  std::vector<Tap> taps_;
  std::vector<Contribution> contributions_;  ///< the interfaces' weights, flat
  std::vector<ForceEstimate> estimates_;
  double rate_ = 0;  ///< 1/Δt
  int substeps_ = 1;
  NumericalStoreys storeys_;
  int order_ = 0;    ///< of the Lagrange polynomials; 0: another profile
  int late_ = 0;     ///< sub-steps predicted before d_{i+1} is there
  Segment history_;  ///< p_{i−1}, then p_{i−2}, of each target

  static constexpr std::size_t drawn = sizeof(LagrangeStep) / sizeof(double);

  /// What the storeys keep in `lines`, behind what the channels do.
  NumericalStoreys::Scratch scratch(double* lines) const noexcept {
    const std::size_t all = estimates_.size();
    return {lines + channels_.size(), lines + all + channels_.size(), lines + 2 * all};
  }
  /// Keeps the channel's polynomials in scratch, moves its history on, draws the first sub-step.
  void draw(std::size_t channel, State& state, double next, Piece& piece, double* lines) const noexcept;
  double* drawn_at(std::size_t channel, double* lines) const noexcept;
  void try_storeys(State& state, double* lines) const noexcept;
};

}  // namespace gusset

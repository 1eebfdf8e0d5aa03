#pragma once

#include <memory>
#include <vector>

#include "base/input.hpp"
#include "base/interface.hpp"
#include "integrate/integrator.hpp"
#include "method/profile.hpp"

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
/// State: the measured forces, held from the end of the last step.
class DisplacementMethod {
 public:
  struct Channel {
    Interface interface;
    double ground = 0;  ///< how much of the ground's motion the target includes
  };

  DisplacementMethod() = default;
  /// `estimates` has one entry a channel.
  DisplacementMethod(std::unique_ptr<Integrator> integrator, std::vector<Channel> channels,
                     std::vector<ForceEstimate> estimates, Profile profile, double dt, int substeps,
                     Layout& layout);

  /// From the measured forces to the targets of the step. `lines` is scratch of `lines_size()`
  /// entries that lives until the step's end. @rt-safe
  void begin(State& state, const Input& input, const Response& response, Piece* pieces,
             double* lines) const noexcept;

  /// Whether the sub-step's measurement corrects the step. @rt-safe
  bool corrects_after(int substep) const noexcept {
    return iterates_ && corrects_[static_cast<std::size_t>(substep)];
  }
  /// Corrects the step by the forces measured at the measured positions, one a channel, at the end of
  /// a sub-step; moves the targets of the sub-steps to come. @rt-safe
  void correct(int substep, State& state, const double* forces, const double* positions,
               const Response& response, Piece* pieces, double* lines) const noexcept;
  /// After a correction at its very end the step stands on the line, not on the measured point: the
  /// force kept for the next step follows. @rt-safe
  void end(State& state, const double* lines) const noexcept;

  std::size_t lines_size() const { return 2 * estimates_.size(); }

  const Integrator& integrator() const { return *integrator_; }
  const std::vector<Channel>& channels() const { return channels_; }
  Segment forces() const { return forces_; }
  Profile profile() const { return profile_; }

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
  std::vector<Channel> channels_;
  std::vector<Tap> taps_;
  std::vector<Contribution> contributions_;  ///< the interfaces' weights, flat
  std::vector<ForceEstimate> estimates_;
  Profile profile_ = Profile::b_spline;
  double dt_ = 0;
  double rate_ = 0;  ///< 1/Δt
  int substeps_ = 1;
  bool iterates_ = false;
  std::vector<bool> corrects_;  ///< one a sub-step
  Segment forces_;
};

}  // namespace gusset

#pragma once

#include <memory>
#include <vector>

#include "base/input.hpp"
#include "base/interface.hpp"
#include "integrate/integrator.hpp"
#include "method/profile.hpp"
#include "structure/restoring.hpp"

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
/// Restoring forces of the numerical structure are treated alike: known at t_i, on their lines during
/// the step, tried at each correction, and moved for good at the end of the step. Their velocity is
/// v_{i+1} = (3·p_{i+1} − p_i)/(2Δt).
///
/// State: the measured forces, held from the end of the last step, and those of the storeys.
class DisplacementMethod {
 public:
  struct Channel {
    Interface interface;
    double ground = 0;  ///< how much of the ground's motion the target includes
  };

  DisplacementMethod() = default;
  /// `estimates` has one entry a channel, then one a storey.
  DisplacementMethod(std::unique_ptr<Integrator> integrator, std::vector<Channel> channels,
                     std::vector<StoreyForce> storeys, std::vector<ForceEstimate> estimates,
                     Profile profile, double dt, int substeps, Layout& layout);

  /// From the measured forces to the targets of the step. `lines` is scratch of `lines_size()`
  /// entries that lives until the step's end. @rt-safe
  void begin(State& state, const Input& input, const Response& response, Piece* pieces,
             double* lines) const noexcept;

  /// Whether the sub-step's measurement corrects the step. @rt-safe
  bool corrects_after(int substep) const noexcept {
    return corrects_[static_cast<std::size_t>(substep)];
  }
  /// Corrects the step by the forces measured at the measured positions, one a channel, at the end of
  /// a sub-step; moves the targets of the sub-steps to come. @rt-safe
  void correct(int substep, State& state, const double* forces, const double* positions,
               const Response& response, Piece* pieces, double* lines) const noexcept;
  /// Keeps the forces for the next step. @rt-safe
  void end(State& state, const double* forces, const double* lines) const noexcept;

  /// Puts the storeys at t_0, given the integrator's state.
  void start_storeys(State& state, const double* velocity) const;
  const std::vector<StoreyForce>& storeys() const { return storeys_; }

  std::size_t lines_size() const { return 2 * estimates_.size() + storeys_.size(); }

  const Integrator& integrator() const { return *integrator_; }
  const std::vector<Channel>& channels() const { return channels_; }
  Segment forces() const { return forces_; }  ///< of the channels; the storeys' follow
  std::span<const Contribution> contributions() const { return contributions_; }
  Profile profile() const { return profile_; }

 private:
  std::unique_ptr<Integrator> integrator_;
  std::vector<Channel> channels_;
  std::vector<Contribution> contributions_;
  std::vector<ForceEstimate> estimates_;
  Profile profile_ = Profile::b_spline;
  double dt_ = 0;
  int substeps_ = 1;
  std::vector<bool> corrects_;  ///< one a sub-step
  Segment forces_;
  std::vector<StoreyForce> storeys_;
  Segment storey_forces_;  ///< directly behind forces_: one array to the integrator

  Stretch stretch_of(const State& state, std::size_t storey, double point,
                     const double* lines) const noexcept;
  void try_storeys(State& state, double* lines) const noexcept;
};

}  // namespace gusset

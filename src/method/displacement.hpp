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
/// State: the measured forces, held from the end of the last step.
class DisplacementMethod {
 public:
  struct Channel {
    Interface interface;
    double ground = 0;  ///< how much of the ground's motion the target includes
  };

  DisplacementMethod() = default;
  DisplacementMethod(std::unique_ptr<Integrator> integrator, std::vector<Channel> channels,
                     Profile profile, double dt, Layout& layout);

  /// From the measured forces to the targets of the step. @rt-safe
  void begin(State& state, const Input& input, const Response& response, Piece* pieces) const
      noexcept;

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
  Profile profile_ = Profile::b_spline;
  double rate_ = 0;  ///< 1/Δt
  Segment forces_;
};

}  // namespace gusset

#pragma once

#include <memory>
#include <vector>

#include "method/method.hpp"

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
class DisplacementMethod final : public Method {
 public:
  DisplacementMethod(std::unique_ptr<Integrator> integrator, std::vector<Channel> channels,
                     Profile profile, double dt, Layout& layout);

  void begin(State& state, const Input& input, const Response& response,
             Piece* pieces) const noexcept override;
  const Integrator* integrator() const override { return integrator_.get(); }

 private:
  std::unique_ptr<Integrator> integrator_;
  std::vector<Contribution> contributions_;
};

}  // namespace gusset

#pragma once

#include <Eigen/Core>

#include "base/linear_system.hpp"

namespace gusset {

/// The exact response of the whole structure to ground acceleration that is linear between steps:
/// with x = [d; v] and a(t_i + s) = a_i + (a_{i+1} − a_i)·s/Δt,
///   x_{i+1} = Φ·x_i + Γ0·a_i + Γ1·(a_{i+1} − a_i)
/// Φ, Γ0 and Γ1 read off one matrix exponential of the augmented system (Van Loan).
class ExactResponse {
 public:
  ExactResponse(const LinearSystem& system, const Eigen::VectorXd& displacement,
                const Eigen::VectorXd& velocity, double dt);

  void advance(double acceleration, double next_acceleration);
  double displacement(int dof) const { return state_(dof); }
  double velocity(int dof) const { return state_(size_ + dof); }

 private:
  int size_;
  Eigen::MatrixXd transition_;
  Eigen::VectorXd constant_, linear_, state_;
};

}  // namespace gusset

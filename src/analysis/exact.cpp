#include "analysis/exact.hpp"

#include <Eigen/LU>

#include "base/balance.hpp"

namespace gusset {

ExactResponse::ExactResponse(const LinearSystem& system, const Eigen::VectorXd& displacement,
                             const Eigen::VectorXd& velocity, double dt)
    : size_(system.size()) {
  const Eigen::Index n = size_;
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(system.mass);
  // Time in units of the step, so that the exponential sees numbers of order one:
  // z = [d; v·Δt; a·Δt²; Δa·Δt²],  dz/dτ = augmented·z.
  Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(2 * n + 2, 2 * n + 2);
  augmented.block(0, n, n, n).setIdentity();
  augmented.block(n, 0, n, n) = -dt * dt * factor.solve(system.stiffness);
  augmented.block(n, n, n, n) = -dt * factor.solve(system.damping);
  augmented.block(n, 2 * n, n, 1) = -system.influence;
  augmented(2 * n, 2 * n + 1) = 1;
  const Eigen::MatrixXd whole = exponential(augmented);

  Eigen::VectorXd scale(2 * n);
  scale << Eigen::VectorXd::Ones(n), Eigen::VectorXd::Constant(n, dt);
  transition_ = scale.cwiseInverse().asDiagonal() * whole.topLeftCorner(2 * n, 2 * n) * scale.asDiagonal();
  constant_ = dt * dt * scale.cwiseInverse().cwiseProduct(whole.block(0, 2 * n, 2 * n, 1));
  linear_ = dt * dt * scale.cwiseInverse().cwiseProduct(whole.block(0, 2 * n + 1, 2 * n, 1));
  state_.resize(2 * n);
  state_ << displacement, velocity;
}

void ExactResponse::advance(double acceleration, double next_acceleration) {
  state_ =
      (transition_ * state_ + constant_ * acceleration + linear_ * (next_acceleration - acceleration)).eval();
}

}  // namespace gusset

#pragma once

#include <Eigen/Core>

namespace gusset {

/// ẋ = A·x + B·u advanced exactly over a time h while u moves in a straight line from u_0 to u_1:
///   x(h) = Φ·x(0) + Γ_0·u_0 + Γ_1·u_1
/// Φ, Γ_0 and Γ_1 are read off one matrix exponential (Van Loan 1978):
///   exp([A B 0; 0 0 I/h; 0 0 0]·h) = [Φ, P, Q; …],  Γ_1 = Q,  Γ_0 = P − Q.
struct LinearPlant {
  Eigen::MatrixXd transition;  ///< Φ
  Eigen::MatrixXd from_start;  ///< Γ_0
  Eigen::MatrixXd from_end;    ///< Γ_1

  LinearPlant() = default;
  LinearPlant(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double h);
};

}  // namespace gusset

#include "base/balance.hpp"

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

namespace gusset {

Eigen::VectorXd balance(Eigen::MatrixXd& matrix) {
  const Eigen::Index n = matrix.rows();
  Eigen::VectorXd scales = Eigen::VectorXd::Ones(n);
  for (int sweep = 0; sweep < 50; ++sweep) {
    bool changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double diagonal = std::abs(matrix(i, i));
      const double column = matrix.col(i).lpNorm<1>() - diagonal;
      const double row = matrix.row(i).lpNorm<1>() - diagonal;
      if (!(column > 0) || !(row > 0)) continue;
      int exponent = 0;
      std::frexp(row / column, &exponent);
      // Half of it on each side; powers of two keep the entries' digits.
      const int half = exponent / 2;
      if (half == 0) continue;
      const double factor = std::ldexp(1.0, half);
      if (column * factor + row / factor >= 0.95 * (column + row)) continue;
      matrix.col(i) *= factor;
      matrix.row(i) /= factor;
      scales(i) *= factor;
      changed = true;
    }
    if (!changed) break;
  }
  return scales;
}

Eigen::MatrixXd exponential(Eigen::MatrixXd matrix) {
  const Eigen::VectorXd scales = balance(matrix);
  const Eigen::MatrixXd e = matrix.exp();
  return scales.asDiagonal() * e * scales.cwiseInverse().asDiagonal();
}

}  // namespace gusset

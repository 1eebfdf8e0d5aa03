#include "analysis/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace gusset {
namespace {

constexpr double near_one = 1e-6;
constexpr double harmless = 1e-12;

using Complex = std::complex<double>;

void collect(const Eigen::MatrixXd& matrix, std::vector<Complex>& values) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix, false);
  values.resize(static_cast<std::size_t>(matrix.rows()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    values[static_cast<std::size_t>(i)] = solver.eigenvalues()(i);
  }
}

/// How far rounding may have pushed the eigenvalues just outside the unit circle: 8ε‖A‖κ with
/// κ = ‖x‖‖y‖/|yᴴx| of the right and left eigenvectors. The entries of A carry the rounding of a whole
/// step, so that schemes without any numerical damping come out up to 1e-13 beyond: a growth of
/// `harmless` a step takes 7e11 steps to double anything, and counts as none.
bool within_rounding(const Eigen::MatrixXd& matrix) {
  const Eigen::EigenSolver<Eigen::MatrixXd> right(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> left(matrix.transpose());
  const Eigen::MatrixXcd x = right.eigenvectors();
  const Eigen::MatrixXcd y = left.eigenvectors();
  const double norm = matrix.norm();
  constexpr double eps = std::numeric_limits<double>::epsilon();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    const Complex value = right.eigenvalues()(i);
    const double excess = std::abs(value) - 1;
    if (excess <= harmless) continue;
    // The left eigenvector of the same eigenvalue; the two lists may differ in order.
    Eigen::Index same = 0;
    (left.eigenvalues().array() - value).abs().minCoeff(&same);
    Complex product = 0;
    for (Eigen::Index k = 0; k < matrix.rows(); ++k) product += y(k, same) * x(k, i);
    // A defective eigenvalue has no finite κ (yᵀx = 0): then only the cap counts.
    const double kappa = 1 / std::max(std::abs(product), 1e-300);
    if (excess > std::min(8 * eps * norm * kappa, near_one)) return false;
  }
  return true;
}

}  // namespace

Spectrum spectrum(const Eigen::MatrixXd& matrix) {
  Spectrum result;
  if (!matrix.allFinite()) {
    result.radius = std::numeric_limits<double>::infinity();
    result.stable = false;
    return result;
  }
  Eigen::MatrixXd balanced = matrix;
  balance(balanced);
  collect(balanced, result.values);
  std::sort(result.values.begin(), result.values.end(),
            [](const Complex& a, const Complex& b) { return std::abs(a) > std::abs(b); });
  result.radius = result.values.empty() ? 0 : std::abs(result.values.front());
  if (result.radius > 1) {
    result.stable = result.radius <= 1 + near_one && within_rounding(balanced);
  }
  return result;
}

std::vector<Complex> continuous_poles(const LinearSystem& system) {
  Eigen::MatrixXd a = system.rates();
  balance(a);
  std::vector<Complex> all;
  collect(a, all);
  std::vector<Complex> poles;
  for (const Complex& s : all) {
    if (s.imag() >= 0) poles.push_back(s);
  }
  std::sort(poles.begin(), poles.end(),
            [](const Complex& x, const Complex& y) { return std::abs(x) < std::abs(y); });
  return poles;
}

}  // namespace gusset

#include "analysis/output_error.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

using Complex = std::complex<double>;

constexpr int rounds = 15;

/// The signal through 1/A(z).
std::vector<double> through_inverse(const std::vector<double>& signal, const std::vector<double>& a) {
  std::vector<double> numerator(a.size(), 0.0);
  numerator.front() = 1;
  return TransferFunction(numerator, a, 1).run(signal);
}

/// Roots outside the unit circle mirrored into it: a filter must not run away.
std::vector<double> stabilized(const std::vector<double>& a) {
  std::vector<Complex> product{1};
  for (Complex z : roots(a)) {
    if (std::abs(z) >= 1) z = 0.999 * std::conj(1.0 / z) / std::max(1.0, std::abs(1.0 / z));
    std::vector<Complex> next(product.size() + 1, 0);
    for (std::size_t i = 0; i < product.size(); ++i) {
      next[i] += product[i];
      next[i + 1] -= z * product[i];
    }
    product = next;
  }
  std::vector<double> real;
  for (const Complex& c : product) real.push_back(c.real());
  return real;
}

/// One round of least squares for a_1 … a_n (returned with a_0 = 1) and b_0 … b_n.
std::vector<double> least_squares(const std::vector<double>& u, const std::vector<double>& y, int n) {
  const auto first = static_cast<std::size_t>(n);
  const auto rows = static_cast<Eigen::Index>(y.size() - first);
  Eigen::MatrixXd phi(rows, 2 * n + 1);
  Eigen::VectorXd right(rows);
  for (Eigen::Index r = 0; r < rows; ++r) {
    const std::size_t k = first + static_cast<std::size_t>(r);
    for (int j = 1; j <= n; ++j) phi(r, j - 1) = -y[k - static_cast<std::size_t>(j)];
    for (int j = 0; j <= n; ++j) phi(r, n + j) = u[k - static_cast<std::size_t>(j)];
    right(r) = y[k];
  }
  // Columns of like size, so that the rank is judged fairly.
  const Eigen::VectorXd scale = phi.colwise().norm().cwiseMax(1e-300).cwiseInverse();
  const Eigen::MatrixXd scaled = phi * scale.asDiagonal();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
  const Eigen::VectorXd theta = scale.asDiagonal() * qr.solve(right);
  std::vector<double> a{1};
  for (int j = 0; j < n; ++j) a.push_back(theta(j));
  return a;
}

/// The coefficients as one vector, in powers of s·time.
struct Shape {
  std::size_t poles, zeros;
  double time;

  OutputErrorFit unpack(const Eigen::VectorXd& theta) const {
    OutputErrorFit fit;
    for (std::size_t i = 0; i <= poles; ++i) {
      fit.a.push_back(theta(static_cast<Eigen::Index>(i)) * std::pow(time, static_cast<double>(i)));
    }
    for (std::size_t i = 1; i <= zeros; ++i) {
      fit.b.push_back(theta(static_cast<Eigen::Index>(poles + i)) * std::pow(time, static_cast<double>(i)));
    }
    return fit;
  }
};

/// y − G·u, or nothing where G is not stable.
std::optional<Eigen::VectorXd> residual(const OutputErrorFit& fit, const std::vector<double>& u,
                                        const std::vector<double>& y, double dt, Hold hold) {
  if (!(std::abs(fit.a.back()) > 0)) return std::nullopt;
  const TransferFunction g = fit.continuous().discretize(hold, dt);
  if (!g.stable()) return std::nullopt;
  const std::vector<double> own = g.run(u);
  Eigen::VectorXd r(static_cast<Eigen::Index>(y.size()));
  for (std::size_t k = 0; k < y.size(); ++k) r(static_cast<Eigen::Index>(k)) = y[k] - own[k];
  if (!r.allFinite()) return std::nullopt;
  return r;
}

}  // namespace

ContinuousTransferFunction OutputErrorFit::continuous() const {
  ContinuousTransferFunction g;
  g.numerator.assign(b.rbegin(), b.rend());
  g.numerator.push_back(1);
  g.denominator.assign(a.rbegin(), a.rend());
  return g;
}

std::optional<OutputErrorFit> fit_output_error(const std::vector<double>& u, const std::vector<double>& y,
                                               double dt, Hold hold, std::vector<double> a,
                                               std::vector<double> b, double time) {
  const Shape shape{a.size() - 1, b.size(), time};
  const auto n = static_cast<Eigen::Index>(a.size() + b.size());
  Eigen::VectorXd theta(n);
  for (std::size_t i = 0; i < a.size(); ++i) {
    theta(static_cast<Eigen::Index>(i)) = a[i] / std::pow(time, static_cast<double>(i));
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    theta(static_cast<Eigen::Index>(a.size() + i)) = b[i] / std::pow(time, static_cast<double>(i + 1));
  }
  std::optional<Eigen::VectorXd> r = residual(shape.unpack(theta), u, y, dt, hold);
  if (!r) return std::nullopt;
  double damping = 1e-3;
  Eigen::MatrixXd normal(n, n);
  for (int round = 0; round < 60; ++round) {
    Eigen::MatrixXd jacobian(r->size(), n);
    for (Eigen::Index j = 0; j < n; ++j) {
      const double h = 1e-6 * std::max(std::abs(theta(j)), 1e-3);
      Eigen::VectorXd moved = theta;
      moved(j) += h;
      std::optional<Eigen::VectorXd> other = residual(shape.unpack(moved), u, y, dt, hold);
      if (!other) return std::nullopt;
      jacobian.col(j) = (*r - *other) / h;
    }
    normal = jacobian.transpose() * jacobian;
    const Eigen::VectorXd gradient = jacobian.transpose() * *r;
    bool better = false;
    double gained = 0;
    for (int attempt = 0; attempt < 12 && !better; ++attempt) {
      Eigen::MatrixXd damped = normal;
      damped.diagonal() *= 1 + damping;
      const Eigen::VectorXd moved = theta + damped.ldlt().solve(gradient);
      std::optional<Eigen::VectorXd> other = residual(shape.unpack(moved), u, y, dt, hold);
      if (other && other->squaredNorm() < r->squaredNorm()) {
        gained = 1 - other->squaredNorm() / r->squaredNorm();
        theta = moved;
        r = std::move(other);
        damping = std::max(0.1 * damping, 1e-12);
        better = true;
      } else {
        damping *= 10;
      }
    }
    if (!better || gained < 1e-10) break;
  }
  OutputErrorFit fit = shape.unpack(theta);
  fit.error = r->squaredNorm();
  Eigen::VectorXd powers(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    powers(i) = std::pow(time, static_cast<double>(at <= shape.poles ? at : at - shape.poles));
  }
  const Eigen::MatrixXd inverse = normal.completeOrthogonalDecomposition().pseudoInverse();
  fit.covariance =
      fit.error / static_cast<double>(r->size()) * (powers.asDiagonal() * inverse * powers.asDiagonal());
  return fit;
}

std::vector<Complex> discrete_poles(const std::vector<double>& u, const std::vector<double>& y, int n) {
  std::vector<double> a = least_squares(u, y, n);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<double> filter = stabilized(a);
    const std::vector<double> next = least_squares(through_inverse(u, filter), through_inverse(y, filter), n);
    double change = 0;
    for (std::size_t i = 0; i < a.size(); ++i) change += std::abs(next[i] - a[i]);
    a = next;
    if (change < 1e-9) break;
  }
  return roots(a);
}

}  // namespace gusset

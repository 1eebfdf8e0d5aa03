#include "analysis/transfer_function.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "analysis/spectrum.hpp"
#include "base/balance.hpp"

namespace gusset {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Complex on_circle(double frequency, double dt) {
  return std::polar(1.0, 2 * std::numbers::pi * frequency * dt);
}

Complex evaluate(const std::vector<double>& polynomial, Complex z) {
  Complex sum = 0;
  for (const double c : polynomial) sum = sum * z + c;
  return sum;
}

/// Which entries a flow along the non-zeros of `a` reaches from the non-zeros of `seed`.
std::vector<bool> closure(const MatrixXd& a, const VectorXd& seed) {
  const Index n = a.rows();
  std::vector<bool> reached(static_cast<std::size_t>(n));
  std::vector<Index> open;
  const auto visit = [&](Index i) {
    if (reached[static_cast<std::size_t>(i)]) return;
    reached[static_cast<std::size_t>(i)] = true;
    open.push_back(i);
  };
  for (Index i = 0; i < n; ++i) {
    if (seed(i) != 0) visit(i);
  }
  while (!open.empty()) {
    const Index j = open.back();
    open.pop_back();
    for (Index i = 0; i < n; ++i) {
      if (a(i, j) != 0) visit(i);
    }
  }
  return reached;
}

/// det(zI − A), highest power first (Faddeev and LeVerrier).
std::vector<double> characteristic_polynomial(const MatrixXd& a) {
  const Index n = a.rows();
  std::vector<double> c{1};
  MatrixXd m = MatrixXd::Zero(n, n);
  for (Index k = 1; k <= n; ++k) {
    m = (a * m).eval();
    m.diagonal().array() += c.back();
    c.push_back(-(a * m).trace() / static_cast<double>(k));
  }
  return c;
}

/// Controllable canonical form of n(s)/d(s), d_0 = 1.
StateSpace canonical(const std::vector<double>& numerator, const std::vector<double>& denominator) {
  const auto n = static_cast<Index>(denominator.size()) - 1;
  StateSpace s;
  s.a = MatrixXd::Zero(n, n);
  s.b = MatrixXd::Zero(n, 1);
  s.c = MatrixXd::Zero(1, n);
  s.d = MatrixXd::Constant(1, 1, numerator.front());
  if (n == 0) return s;
  for (Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i + 1);
    s.a(0, i) = -denominator[at];
    s.c(0, i) = numerator[at] - denominator[at] * numerator.front();
    if (i > 0) s.a(i, i - 1) = 1;
  }
  s.b(0, 0) = 1;
  return s;
}

std::vector<double> padded(const std::vector<double>& values, std::size_t size) {
  std::vector<double> result(size - values.size(), 0.0);
  result.insert(result.end(), values.begin(), values.end());
  return result;
}

std::vector<double> without_leading_zeros(std::vector<double> values) {
  while (values.size() > 1 && values.front() == 0) values.erase(values.begin());
  return values;
}

}  // namespace

Eigen::MatrixXcd StateSpace::response(double frequency) const {
  if (a.rows() == 0) return d.cast<Complex>();
  Eigen::MatrixXcd shifted = -a.cast<Complex>();
  shifted.diagonal().array() += on_circle(frequency, dt);
  return c.cast<Complex>() * shifted.partialPivLu().solve(b.cast<Complex>()) + d.cast<Complex>();
}

TransferFunction::TransferFunction(std::vector<double> numerator, std::vector<double> denominator, double dt)
    : dt_(dt) {
  denominator = without_leading_zeros(std::move(denominator));
  numerator = without_leading_zeros(std::move(numerator));
  if (denominator.empty() || numerator.empty() || denominator.front() == 0 ||
      numerator.size() > denominator.size()) {
    throw std::invalid_argument("a transfer function needs a denominator of at least the numerator's degree");
  }
  const double lead = denominator.front();
  numerator_ = padded(numerator, denominator.size());
  for (double& value : numerator_) value /= lead;
  for (double& value : denominator) value /= lead;
  denominator_ = std::move(denominator);
}

TransferFunction TransferFunction::delay(double seconds, double dt) {
  const double steps = seconds / dt;
  auto whole = static_cast<std::size_t>(std::floor(steps));
  double part = steps - static_cast<double>(whole);
  if (part > 1 - 1e-9) {
    ++whole;
    part = 0;
  } else if (part < 1e-9) {
    part = 0;
  }
  const std::size_t order = whole + (part > 0 ? 1 : 0);
  std::vector<double> n(order + 1, 0.0);
  std::vector<double> d(order + 1, 0.0);
  d.front() = 1;
  n[whole] = 1 - part;
  if (part > 0) n[whole + 1] = part;
  return {n, d, dt};
}

TransferFunction TransferFunction::from(const StateSpace& system, int output, int input) {
  const std::vector<bool> reached = closure(system.a, system.b.col(input));
  const std::vector<bool> seen = closure(system.a.transpose(), system.c.row(output).transpose());
  std::vector<Index> kept;
  for (Index i = 0; i < system.a.rows(); ++i) {
    if (reached[static_cast<std::size_t>(i)] && seen[static_cast<std::size_t>(i)]) kept.push_back(i);
  }
  const MatrixXd a = system.a(kept, kept);
  const MatrixXd b = system.b(kept, std::vector<Index>{input});
  const MatrixXd c = system.c(std::vector<Index>{output}, kept);

  std::vector<double> denominator = characteristic_polynomial(a);
  std::vector<double> impulse{system.d(output, input)};
  VectorXd x = b;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    impulse.push_back((c * x)(0));
    x = (a * x).eval();
  }
  std::vector<double> numerator;
  double size = 0;
  for (std::size_t k = 0; k < denominator.size(); ++k) {
    double sum = 0;
    for (std::size_t j = 0; j <= k; ++j) sum += denominator[j] * impulse[k - j];
    numerator.push_back(sum);
    size = std::max({size, std::abs(sum), std::abs(denominator[k])});
  }
  // Factors of z on both sides come from registers that only pass values on.
  const double nothing = 1e-12 * size;
  while (denominator.size() > 1 && std::abs(denominator.back()) <= nothing &&
         std::abs(numerator.back()) <= nothing) {
    denominator.pop_back();
    numerator.pop_back();
  }
  return {numerator, denominator, system.dt};
}

Complex TransferFunction::at(Complex z) const { return evaluate(numerator_, z) / evaluate(denominator_, z); }

Complex TransferFunction::response(double frequency) const { return at(on_circle(frequency, dt_)); }

std::vector<Complex> TransferFunction::poles() const { return roots(denominator_); }
std::vector<Complex> TransferFunction::zeros() const { return roots(numerator_); }

bool TransferFunction::stable() const {
  for (const Complex& pole : poles()) {
    if (!(std::abs(pole) < 1)) return false;
  }
  return true;
}

std::vector<double> TransferFunction::run(const std::vector<double>& input) const {
  std::vector<double> output(input.size());
  for (std::size_t k = 0; k < input.size(); ++k) {
    double sum = 0;
    for (std::size_t j = 0; j < numerator_.size() && j <= k; ++j) sum += numerator_[j] * input[k - j];
    for (std::size_t j = 1; j < denominator_.size() && j <= k; ++j) sum -= denominator_[j] * output[k - j];
    output[k] = sum;
  }
  return output;
}

TransferFunction TransferFunction::series(const TransferFunction& next) const {
  if (dt_ != next.dt_) throw std::invalid_argument("transfer functions of different steps in series");
  return {multiply(numerator_, next.numerator_), multiply(denominator_, next.denominator_), dt_};
}

TransferFunction TransferFunction::feedback(const TransferFunction& back) const {
  if (dt_ != back.dt_) throw std::invalid_argument("transfer functions of different steps in a loop");
  std::vector<double> denominator = multiply(denominator_, back.denominator_);
  const std::vector<double> loop = multiply(numerator_, back.numerator_);
  for (std::size_t i = 0; i < denominator.size(); ++i) denominator[i] += loop[i];
  return {multiply(numerator_, back.denominator_), denominator, dt_};
}

std::complex<double> ContinuousTransferFunction::response(double frequency) const {
  const Complex s(0, 2 * std::numbers::pi * frequency);
  return evaluate(numerator, s) / evaluate(denominator, s);
}

std::vector<Complex> ContinuousTransferFunction::poles() const { return roots(denominator); }

TransferFunction ContinuousTransferFunction::discretize(Hold hold, double dt) const {
  std::vector<double> d = without_leading_zeros(denominator);
  const std::vector<double> shorter = without_leading_zeros(numerator);
  if (shorter.size() > d.size() || d.front() == 0) {
    throw std::invalid_argument("a transfer function with more zeros than poles has no discrete form");
  }
  std::vector<double> n = padded(shorter, d.size());
  const std::size_t order = d.size() - 1;
  if (hold == Hold::tustin) {
    // Σ c_i·s^{order−i}·(z+1)^order with s = (2/dt)(z−1)/(z+1).
    const auto substitute = [&](const std::vector<double>& c) {
      std::vector<double> sum(order + 1, 0.0);
      for (std::size_t i = 0; i <= order; ++i) {
        std::vector<double> term{c[i]};
        for (std::size_t k = 0; k < order - i; ++k) term = multiply(term, {2 / dt, -2 / dt});
        for (std::size_t k = 0; k < i; ++k) term = multiply(term, {1, 1});
        for (std::size_t k = 0; k <= order; ++k) sum[k] += term[k];
      }
      return sum;
    };
    return {substitute(n), substitute(d), dt};
  }
  const double lead = d.front();
  for (double& value : n) value /= lead;
  for (double& value : d) value /= lead;
  // In units of the step, so that powers of large poles do not swamp the exponential.
  for (std::size_t i = 0; i <= order; ++i) {
    n[i] *= std::pow(dt, static_cast<double>(i));
    d[i] *= std::pow(dt, static_cast<double>(i));
  }
  StateSpace s = canonical(n, d);
  const Index m = s.a.rows();
  MatrixXd augmented = MatrixXd::Zero(m + 2, m + 2);
  augmented.topLeftCorner(m, m) = s.a;
  augmented.block(0, m, m, 1) = s.b;
  augmented(m, m + 1) = 1;
  const MatrixXd e = exponential(augmented);
  const MatrixXd phi = e.topLeftCorner(m, m);
  const VectorXd held = e.block(0, m, m, 1);
  const VectorXd rising = e.block(0, m + 1, m, 1);
  s.dt = dt;
  s.a = phi;
  if (hold == Hold::zero_order) {
    s.b = held;
  } else {
    // x_{k+1} = Φx_k + Γ0·u_k + Γ1·(u_{k+1} − u_k); with w = x − Γ1·u it is a state space.
    s.b = phi * rising + held - rising;
    s.d += s.c * rising;
  }
  return TransferFunction::from(s);
}

std::vector<Complex> roots(std::vector<double> polynomial) {
  polynomial = without_leading_zeros(std::move(polynomial));
  std::vector<Complex> result;
  while (polynomial.size() > 1 && polynomial.back() == 0) {
    polynomial.pop_back();
    result.emplace_back(0.0);
  }
  const auto n = static_cast<Index>(polynomial.size()) - 1;
  if (n < 1) return result;
  MatrixXd companion = MatrixXd::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    companion(0, i) = -polynomial[static_cast<std::size_t>(i + 1)] / polynomial.front();
    if (i > 0) companion(i, i - 1) = 1;
  }
  balance(companion);
  const Eigen::EigenSolver<MatrixXd> solver(companion, false);
  for (Index i = 0; i < n; ++i) result.push_back(solver.eigenvalues()(i));
  return result;
}

std::vector<double> multiply(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> product(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  }
  return product;
}

}  // namespace gusset

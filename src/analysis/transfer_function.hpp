#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace gusset {

/// x_{k+1} = A·x_k + B·u_k,  y_k = C·x_k + D·u_k, a step of dt apart.
struct StateSpace {
  Eigen::MatrixXd a, b, c, d;
  double dt = 0;

  /// C·(zI − A)⁻¹·B + D at z = exp(2πj·frequency·dt).
  Eigen::MatrixXcd response(double frequency) const;
};

/// A discrete transfer function (Chen 2008, eq. 2.1)
///
///   G(z) = (n_0·z^m + n_1·z^{m−1} + … + n_m)/(d_0·z^m + d_1·z^{m−1} + … + d_m),   d_0 = 1
///
/// Both lists have the same length and start with the highest power, so they are also the
/// coefficients of the difference equation
///
///   y_k = Σ n_j·u_{k−j} − Σ_{j≥1} d_j·y_{k−j}
class TransferFunction {
 public:
  /// Coefficients from the highest power of z down; the denominator's degree must not be below the
  /// numerator's (throws std::invalid_argument).
  TransferFunction(std::vector<double> numerator, std::vector<double> denominator, double dt);

  static TransferFunction gain(double value, double dt) { return {{value}, {1}, dt}; }
  /// A pure delay. A fraction f of a step is interpolated linearly, (1 − f)·z^{−m} + f·z^{−m−1}: what
  /// a delay does to a signal that is linear between its samples.
  static TransferFunction delay(double seconds, double dt);
  /// One input and one output of a state space. The denominator is the characteristic polynomial of
  /// the part that the input reaches and the output sees; the numerator follows from the impulse
  /// response. Common factors of z are removed.
  static TransferFunction from(const StateSpace& system, int output = 0, int input = 0);

  const std::vector<double>& numerator() const { return numerator_; }
  const std::vector<double>& denominator() const { return denominator_; }
  double dt() const { return dt_; }
  int order() const { return static_cast<int>(denominator_.size()) - 1; }

  std::complex<double> at(std::complex<double> z) const;
  /// G(exp(2πj·f·dt)), f in Hz (eq. 2.2).
  std::complex<double> response(double frequency) const;
  std::vector<std::complex<double>> poles() const;
  std::vector<std::complex<double>> zeros() const;
  bool stable() const;
  /// The difference equation, from rest.
  std::vector<double> run(const std::vector<double>& input) const;

  /// One after the other.
  TransferFunction series(const TransferFunction& next) const;
  /// This in the forward path, `back` in the path that is subtracted: G/(1 + G·H).
  TransferFunction feedback(const TransferFunction& back) const;

 private:
  std::vector<double> numerator_, denominator_;
  double dt_;
};

/// How a continuous signal is taken to move between its samples.
enum class Hold {
  zero_order,   ///< held: a staircase
  first_order,  ///< linear from sample to sample; y_k then depends on u_k
  tustin        ///< s = (2/dt)(z − 1)/(z + 1)
};

/// G(s) = (n_0·s^m + …)/(d_0·s^n + …), highest power first, m ≤ n.
struct ContinuousTransferFunction {
  std::vector<double> numerator, denominator;

  std::complex<double> response(double frequency) const;
  std::vector<std::complex<double>> poles() const;
  TransferFunction discretize(Hold hold, double dt) const;
};

/// The roots of a polynomial with the highest power first (eigenvalues of its balanced companion).
std::vector<std::complex<double>> roots(std::vector<double> polynomial);
/// The product of two polynomials.
std::vector<double> multiply(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace gusset

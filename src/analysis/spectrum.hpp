#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "base/balance.hpp"
#include "base/linear_system.hpp"

namespace gusset {

/// Eigenvalues of a one-step matrix.
struct Spectrum {
  std::vector<std::complex<double>> values;  ///< largest modulus first
  double radius = 0;                         ///< ρ = max |λ|
  bool stable = true;                        ///< every |λ| ≤ 1 up to what rounding can do to it
};

/// The matrix is balanced first (diagonal similarity): positions, velocities and forces differ by
/// many orders of magnitude, and without it ρ can be wrong in the first digit. An eigenvalue counts
/// as stable if |λ| ≤ 1 + min(8ε·‖A‖·κ, 1e-6), κ its condition number, computed only near 1.
Spectrum spectrum(const Eigen::MatrixXd& matrix);

/// Eigenvalues of the continuous system M·ẍ + C·ẋ + K·x = 0, its series included, one of each conjugate
/// pair, the real ones too; lowest modulus first.
std::vector<std::complex<double>> continuous_poles(const LinearSystem& system);

}  // namespace gusset

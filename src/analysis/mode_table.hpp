#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "base/linear_system.hpp"
#include "build/experiment.hpp"

namespace gusset {

/// A vibration mode of the whole structure beside the same mode of the hybrid test. From an eigenvalue
/// λ = exp(s·Δt): frequency = Im s/2π (that of the zero crossings), damping = −Re s/|s|,
///
///   period_elongation = T/T_exact − 1 = exact_frequency/frequency − 1      positive: the test is too slow
///
/// period_error = frequency/exact_frequency − 1 has the other sign (Chen 2007's PE).
struct Mode {
  double exact_frequency = 0;  ///< [Hz]
  double exact_damping = 0;
  std::optional<double> frequency;  ///< absent where the test has no such mode: too coarse a step
  std::optional<double> damping;
  std::optional<double> period_elongation;
  std::optional<double> period_error;
  std::vector<double> shape;  ///< of the exact mode, degree by degree of freedom: the largest is 1
};

/// What `check` and `analyze` say of the modes: those that vibrate, by frequency, and those that do not.
struct ModeTable {
  std::vector<Mode> modes;
  std::vector<double> decays;  ///< over-damped motion: time constants [s], longest first
  int free = 0;                ///< motion that nothing holds, nor brakes: poles at 0
  bool linear = true;          ///< false: devices and yielding parts as they are at rest
};

/// The one-step matrix of the test and where the floors' displacements stand in it; nothing: not known.
struct TestMatrix {
  const Eigen::MatrixXd& matrix;
  std::vector<Eigen::Index> floors;
};

/// Complex modes of the whole structure, paired with those of the test. The cost of a pair is
///
///   |s − s_exact|/|s_exact| + 1 − MAC,    MAC = |φᴴ·φ_exact|²/(|φ|²·|φ_exact|²)
///
/// of the floors' shapes, and the sum over all pairs is least (assign_columns()). A mode whose pole would have to be
/// more than half of |s_exact| away has no partner. Without `floors`, and in a matrix of more than 200
/// rows, MAC counts as 1.
ModeTable compare_modes(const LinearSystem& whole, const TestMatrix& test, double dt);

/// The same of an experiment. Of a large structure the ten lowest modes of the whole alone, φᵀ·C·φ/(2ω) being
/// their damping.
ModeTable mode_table(const Experiment& experiment);

}  // namespace gusset

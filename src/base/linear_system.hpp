#pragma once

#include <Eigen/Core>

#include "base/interface.hpp"

namespace gusset {

/// The structure as a whole, numerical and experimental parts joined without any test in between:
///   M·ẍ + C·ẋ + K·x = −M·ι·a_g
/// with x relative to the ground. It is what a test is measured against.
struct LinearSystem {
  Eigen::MatrixXd mass, damping, stiffness;
  Eigen::VectorXd influence;  ///< ι: 1 where the degree of freedom moves with the ground
  bool linear = true;         ///< false where a nonlinear part entered with its initial stiffness

  int size() const { return static_cast<int>(mass.rows()); }

  void add_mass(const Interface& at, double value) { add(mass, at, value); }
  void add_damping(const Interface& at, double value) { add(damping, at, value); }
  void add_stiffness(const Interface& at, double value) { add(stiffness, at, value); }

  /// Adds a degree of freedom with its own mass, tied to the interface by a spring and a dashpot.
  /// Its coordinate is relative to the ground, like the others'.
  void add_oscillator(const Interface& at, double m, double c, double k);

 private:
  static void add(Eigen::MatrixXd& matrix, const Interface& at, double value) {
    for (const auto& [i, wi] : at.weights) {
      for (const auto& [j, wj] : at.weights) matrix(i, j) += value * wi * wj;
    }
  }
};

/// Its motion at t_0, relative to the ground.
struct LinearStart {
  Eigen::VectorXd displacement, velocity, acceleration;
};

}  // namespace gusset

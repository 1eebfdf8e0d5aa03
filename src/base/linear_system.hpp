#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "base/interface.hpp"

namespace gusset {

/// The structure as a whole, numerical and experimental parts joined without any test in between:
///   M·ẍ + C·ẋ + K·x = −M·ι·a_g
/// with x relative to the ground. It is what a test is measured against.
///
/// Large structures are kept as lists of entries (`sparse`), from which matrix() makes sparse
/// matrices; mass, damping and stiffness then stay empty.
struct LinearSystem {
  using Entries = std::vector<Eigen::Triplet<double>>;

  Eigen::MatrixXd mass, damping, stiffness;
  Eigen::VectorXd influence;  ///< ι: 1 where the degree of freedom moves with the ground
  bool linear = true;         ///< false where the response is not that of these matrices: a nonlinear
                              ///< part entered with its initial stiffness, or there are `series`

  /// A spring and a dashpot in series. Its force is a state of its own, no entry of K or C:
  ///   f' = k·(bᵀẋ − f/c),  loading the structure with b·f
  struct Series {
    Interface at;
    double stiffness, damping;
  };
  std::vector<Series> series = {};

  bool sparse = false;
  Entries mass_entries = {}, damping_entries = {}, stiffness_entries = {};  ///< of one place they add up

  int size() const { return static_cast<int>(influence.size()); }

  void add_mass(const Interface& at, double value) { add(mass, mass_entries, at, value); }
  void add_damping(const Interface& at, double value) { add(damping, damping_entries, at, value); }
  void add_stiffness(const Interface& at, double value) { add(stiffness, stiffness_entries, at, value); }

  /// Adds a degree of freedom with its own mass, tied to the interface by a spring and a dashpot.
  /// Its coordinate is relative to the ground, like the others'.
  void add_oscillator(const Interface& at, double m, double c, double k);

  Eigen::SparseMatrix<double> matrix(const Entries& entries) const;

  /// A of ż = A·z, z = [x; ẋ; forces of the series], without load. Not for sparse ones.
  Eigen::MatrixXd rates() const;

 private:
  void add(Eigen::MatrixXd& matrix, Entries& entries, const Interface& at, double value) const;
};

/// Its motion at t_0, relative to the ground.
struct LinearStart {
  Eigen::VectorXd displacement, velocity, acceleration;
};

}  // namespace gusset

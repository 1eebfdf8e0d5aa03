#pragma once

#include <Eigen/Core>
#include <vector>

#include "base/interface.hpp"

namespace gusset {

struct LinearSystem;

/// Mass, damping and stiffness of a specimen that is a structure of its own: of its degrees of freedom q,
/// relative to its base. What yields is in them as it is at rest. The mass is the physical one.
struct TestStructure {
  Eigen::MatrixXd mass, damping, stiffness;

  int size() const { return static_cast<int>(mass.rows()); }
};

/// The force with which a specimen pulls the floor it stands on, as load cells under its base measure it; a
/// signal of the lowest floor's channel, behind those of actuator_signals():
///   shear = k·x + c·ẋ − Σ e        e: see YieldingStoreys
struct BaseShear {
  Eigen::RowVectorXd stiffness, damping;  ///< k, c of each floor; yielding storeys as they are at rest
  std::vector<int> storeys;               ///< the yielding ones that stand on the base
};

/// Joins a specimen to the whole structure: degree of freedom i moves as where[i] does; one that is nowhere
/// there (no weights) is added behind the others.
void join_matrices(LinearSystem& system, const TestStructure& specimen, std::vector<Interface> where);

/// Circular frequencies of what is not held.
std::vector<double> free_frequencies(const TestStructure& specimen, const std::vector<bool>& held);

}  // namespace gusset

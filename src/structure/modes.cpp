#include <Eigen/Eigenvalues>
#include <cmath>

#include "base/linear_system.hpp"
#include "structure/structure.hpp"

namespace gusset {

std::vector<double> natural_frequencies(const LinearSystem& system) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      system.stiffness, system.mass, Eigen::EigenvaluesOnly);
  std::vector<double> frequencies;
  for (const double squared : solver.eigenvalues()) {
    frequencies.push_back(std::sqrt(std::max(squared, 0.0)));
  }
  return frequencies;
}

}  // namespace gusset

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/linear_system.hpp"
#include "structure/structure.hpp"

namespace gusset {

std::vector<double> natural_frequencies(const LinearSystem& system) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(system.stiffness, system.mass,
                                                                         Eigen::EigenvaluesOnly);
  std::vector<double> frequencies;
  for (const double squared : solver.eigenvalues()) {
    frequencies.push_back(std::sqrt(std::max(squared, 0.0)));
  }
  return frequencies;
}

NaturalModes natural_modes(const LinearSystem& system) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(system.stiffness, system.mass);
  NaturalModes modes;
  for (const double squared : solver.eigenvalues()) {
    modes.frequencies.push_back(std::sqrt(std::max(squared, 0.0)));
  }
  modes.shapes = solver.eigenvectors();
  return modes;
}

double lowest_frequency(const Structure& structure) {
  const BandFactor factor(structure.stiffness);
  if (!factor.ok()) return 0;  // something moves freely
  const auto n = static_cast<std::size_t>(structure.size());
  std::vector<double> x(n, 1.0);
  std::vector<double> y(n);
  double squared = 0;
  for (int i = 0; i < 200; ++i) {
    structure.mass.multiply(x.data(), y.data());
    x = y;
    factor.solve(x.data());
    const double next =
        structure.stiffness.quadratic_form(x.data()) / structure.mass.quadratic_form(x.data());
    double largest = 0;
    for (const double value : x) largest = std::max(largest, std::abs(value));
    for (double& value : x) value /= largest;
    if (std::abs(next - squared) <= 1e-14 * next) return std::sqrt(next);
    squared = next;
  }
  return std::sqrt(squared);
}

}  // namespace gusset

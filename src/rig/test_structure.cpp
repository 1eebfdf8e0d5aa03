#include "rig/test_structure.hpp"

#include "base/linear_system.hpp"
#include "structure/structure.hpp"

namespace gusset {

void join_matrices(LinearSystem& system, const TestStructure& specimen, std::vector<Interface> where) {
  for (Interface& interface : where) {
    if (!interface.weights.empty()) continue;
    const int n = system.size();
    interface.weights.emplace_back(n, 1.0);
    system.influence.conservativeResize(n + 1);
    system.influence(n) = 1;
    if (system.sparse) continue;
    for (Eigen::MatrixXd* matrix : {&system.mass, &system.damping, &system.stiffness}) {
      matrix->conservativeResizeLike(Eigen::MatrixXd::Zero(n + 1, n + 1));
    }
  }
  const auto add = [&](Eigen::MatrixXd& to, LinearSystem::Entries& entries, const Eigen::MatrixXd& from) {
    for (Eigen::Index i = 0; i < from.rows(); ++i) {
      for (Eigen::Index j = 0; j < from.cols(); ++j) {
        for (const auto& [row, wi] : where[static_cast<std::size_t>(i)].weights) {
          for (const auto& [column, wj] : where[static_cast<std::size_t>(j)].weights) {
            const double value = wi * wj * from(i, j);
            if (value == 0) continue;
            if (system.sparse) {
              entries.emplace_back(row, column, value);
            } else {
              to(row, column) += value;
            }
          }
        }
      }
    }
  };
  add(system.mass, system.mass_entries, specimen.mass);
  add(system.damping, system.damping_entries, specimen.damping);
  add(system.stiffness, system.stiffness_entries, specimen.stiffness);
}

std::vector<double> free_frequencies(const TestStructure& specimen, const std::vector<bool>& held) {
  std::vector<Eigen::Index> left;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!held[i]) left.push_back(static_cast<Eigen::Index>(i));
  }
  if (left.empty()) return {};
  return natural_frequencies({specimen.mass(left, left), specimen.damping(left, left),
                              specimen.stiffness(left, left),
                              Eigen::VectorXd::Ones(static_cast<Eigen::Index>(left.size()))});
}

}  // namespace gusset

#include "base/linear_system.hpp"

#include <Eigen/LU>

namespace gusset {

void LinearSystem::add(Eigen::MatrixXd& matrix, Entries& entries, const Interface& at, double value) const {
  for (const auto& [i, wi] : at.weights) {
    for (const auto& [j, wj] : at.weights) {
      if (sparse) {
        entries.emplace_back(i, j, value * wi * wj);
      } else {
        matrix(i, j) += value * wi * wj;
      }
    }
  }
}

void LinearSystem::add_oscillator(const Interface& at, double m, double c, double k) {
  const int n = size();
  influence.conservativeResize(n + 1);
  influence(n) = 1;
  if (sparse) {
    mass_entries.emplace_back(n, n, m);
  } else {
    for (Eigen::MatrixXd* matrix : {&mass, &damping, &stiffness}) {
      matrix->conservativeResizeLike(Eigen::MatrixXd::Zero(n + 1, n + 1));
    }
    mass(n, n) = m;
  }

  // The spring stretches by x_n − bᵀ·x.
  Interface stretch = at;
  for (auto& [dof, weight] : stretch.weights) weight = -weight;
  stretch.weights.emplace_back(n, 1.0);
  add_damping(stretch, c);
  add_stiffness(stretch, k);
}

Eigen::MatrixXd LinearSystem::rates() const {
  const Eigen::Index n = size();
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(mass);
  const auto all = 2 * n + static_cast<Eigen::Index>(series.size());
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(all, all);
  a.block(0, n, n, n).setIdentity();
  a.block(n, 0, n, n) = -factor.solve(stiffness);
  a.block(n, n, n, n) = -factor.solve(damping);
  Eigen::Index f = 2 * n;
  for (const Series& part : series) {
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
    for (const auto& [dof, weight] : part.at.weights) b(dof) += weight;
    a.block(n, f, n, 1) = -factor.solve(b);
    a.block(f, n, 1, n) = part.stiffness * b.transpose();
    a(f, f) = -part.stiffness / part.damping;
    ++f;
  }
  return a;
}

Eigen::SparseMatrix<double> LinearSystem::matrix(const Entries& entries) const {
  Eigen::SparseMatrix<double> result(size(), size());
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace gusset

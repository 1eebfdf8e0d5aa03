#include "structure/sparse_modes.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Factor = Eigen::SimplicialLDLT<Sparse>;

double trace(const LinearSystem::Entries& entries) {
  double sum = 0;
  for (const auto& entry : entries) sum += entry.row() == entry.col() ? entry.value() : 0;
  return sum;
}

/// Vectors that no mode is likely to be orthogonal to, the same in every run.
Eigen::MatrixXd starting_block(Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd block(rows, columns);
  std::uint64_t random = 0x9e3779b97f4a7c15U;
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) {
      random ^= random << 13;
      random ^= random >> 7;
      random ^= random << 17;
      block(i, j) = static_cast<double>(random >> 11) * 0x1p-53 - 0.5;
    }
  }
  return block;
}

bool definite(const Factor& factor) {
  if (factor.info() != Eigen::Success) return false;
  const auto pivots = factor.vectorD();
  return pivots.minCoeff() > 1e-13 * pivots.maxCoeff();
}

}  // namespace

NaturalModes lowest_modes(const LinearSystem& system, int count) {
  const Sparse mass = system.matrix(system.mass_entries);
  const Sparse stiffness = system.matrix(system.stiffness_entries);
  const Eigen::Index n = system.size();
  count = std::min(count, system.size());
  Factor factor(stiffness);
  if (!definite(factor)) {
    const double shift = 1e-6 * trace(system.stiffness_entries) / trace(system.mass_entries);
    factor.compute(stiffness + std::max(shift, 1e-12) * mass);
  }
  const Eigen::Index block = std::min<Eigen::Index>(n, count + 8);
  Eigen::MatrixXd x = starting_block(n, block);
  Eigen::VectorXd last = Eigen::VectorXd::Zero(count);
  constexpr int most = 200;
  for (int i = 0; i < most; ++i) {
    const Eigen::MatrixXd y = factor.solve(mass * x);
    const Eigen::MatrixXd small_k = y.transpose() * (stiffness * y);
    const Eigen::MatrixXd small_m = y.transpose() * (mass * y);
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(small_k, small_m);
    x = y * solver.eigenvectors();
    const Eigen::VectorXd now = solver.eigenvalues().head(count);
    const bool settled = (now - last).cwiseAbs().maxCoeff() <= 1e-12 * now.cwiseAbs().maxCoeff();
    last = now;
    if (settled) break;
  }
  NaturalModes modes;
  for (const double squared : last) modes.frequencies.push_back(std::sqrt(std::max(squared, 0.0)));
  modes.shapes = x.leftCols(count);
  return modes;
}

double highest_frequency(const LinearSystem& system) {
  const Sparse stiffness = system.matrix(system.stiffness_entries);
  const Factor mass(system.matrix(system.mass_entries));
  Eigen::VectorXd x = starting_block(system.size(), 1);
  double squared = 0;
  constexpr int most = 500;
  for (int i = 0; i < most; ++i) {
    const Eigen::VectorXd force = stiffness * x;
    const Eigen::VectorXd y = mass.solve(force);
    // Rayleigh's quotient with M·y = K·x: yᵀKx/yᵀMx = force·y/(x·K·x).
    const double below = x.dot(force);
    if (!(below > 0)) return 0;
    const double next = force.dot(y) / below;
    const double size = y.norm();
    if (!(size > 0)) return 0;
    x = y / size;
    const bool settled = std::abs(next - squared) <= 1e-7 * next;
    squared = next;
    if (settled) break;
  }
  return std::sqrt(squared);
}

}  // namespace gusset

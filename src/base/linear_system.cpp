#include "base/linear_system.hpp"

namespace gusset {

void LinearSystem::add_oscillator(const Interface& at, double m, double c, double k) {
  const int n = size();
  for (Eigen::MatrixXd* matrix : {&mass, &damping, &stiffness}) {
    matrix->conservativeResizeLike(Eigen::MatrixXd::Zero(n + 1, n + 1));
  }
  influence.conservativeResize(n + 1);
  influence(n) = 1;
  mass(n, n) = m;

  // The spring stretches by x_n − bᵀ·x.
  Interface stretch = at;
  for (auto& [dof, weight] : stretch.weights) weight = -weight;
  stretch.weights.emplace_back(n, 1.0);
  add_damping(stretch, c);
  add_stiffness(stretch, k);
}

}  // namespace gusset

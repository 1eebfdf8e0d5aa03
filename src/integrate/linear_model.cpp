#include "integrate/linear_model.hpp"

#include <algorithm>
#include <cstdlib>

namespace gusset {
namespace {

bool is_zero(const BandMatrix& matrix) {
  if (!matrix.symmetric()) return false;
  for (int k = 0; k <= matrix.half_bandwidth(); ++k) {
    for (const double value : matrix.band(k)) {
      if (value != 0) return false;
    }
  }
  return true;
}

BandMatrix with_estimates(const BandMatrix& stiffness, const std::vector<ForceEstimate>& estimates) {
  int width = stiffness.half_bandwidth();
  for (const ForceEstimate& estimate : estimates) {
    if (estimate.stiffness == 0) continue;
    for (const auto& [i, wi] : estimate.interface.weights) {
      for (const auto& [j, wj] : estimate.interface.weights) width = std::max(width, std::abs(i - j));
    }
  }
  BandMatrix sum = BandMatrix(stiffness.size(), width).plus(stiffness, 1);
  for (const ForceEstimate& estimate : estimates) {
    if (estimate.stiffness == 0) continue;
    for (const auto& [i, wi] : estimate.interface.weights) {
      for (const auto& [j, wj] : estimate.interface.weights) {
        if (j <= i) sum.add(i, j, estimate.stiffness * wi * wj);
      }
    }
  }
  return sum;
}

}  // namespace

LinearModel::LinearModel(const IntegratorContext& context)
    : size_(context.structure.size()),
      mass_(context.structure.mass),
      damping_(context.structure.damping),
      stiffness_(context.structure.stiffness),
      estimated_(with_estimates(stiffness_, context.estimates)),
      damped_(!is_zero(damping_)),
      inertia_(context.structure.inertia) {
  for (const ForceEstimate& estimate : context.estimates) {
    if (estimate.stiffness != 0) estimates_.push_back(estimate);
  }
  if (mass_.half_bandwidth() == 0) {
    inverse_mass_.reserve(static_cast<std::size_t>(size_));
    for (int i = 0; i < size_; ++i) inverse_mass_.push_back(1 / mass_(i, i));
  } else {
    mass_factor_ = BandFactor(mass_);
  }
}

BandMatrix LinearModel::combine(double m, double c, double k) const {
  const BandMatrix zero(size_, 0);
  BandMatrix sum = zero.plus(mass_, m);
  if (damped_ && c != 0) sum = sum.plus(damping_, c);
  if (k != 0) sum = sum.plus(estimated_, k);
  return sum;
}

void LinearModel::load(double ground, const Load& load, double* __restrict q, double share) const noexcept {
  const double* __restrict inertia = inertia_.data();
  for (int i = 0; i < size_; ++i) q[i] = -inertia[i] * ground;
  for (const Contribution& c : load.contributions) q[c.dof] -= c.weight * load.forces[c.force];
  if (load.next_forces == nullptr || share == 0) return;
  for (const Contribution& c : load.contributions) {
    q[c.dof] -= c.weight * share * (load.next_forces[c.force] - load.forces[c.force]);
  }
}

void LinearModel::subtract_internal(const double* d, const double* v, double* __restrict q,
                                    double* __restrict work) const noexcept {
  stiffness_.multiply(d, work);
  for (int i = 0; i < size_; ++i) q[i] -= work[i];
  if (!damped_) return;
  damping_.multiply(v, work);
  for (int i = 0; i < size_; ++i) q[i] -= work[i];
}

void LinearModel::subtract_estimated(const double* d, double* q) const noexcept {
  for (const ForceEstimate& estimate : estimates_) {
    const double force = estimate.stiffness * estimate.interface.of(d);
    for (const auto& [dof, weight] : estimate.interface.weights) q[dof] -= weight * force;
  }
}

void LinearModel::solve_mass(double* x) const noexcept {
  if (inverse_mass_.empty()) {
    mass_factor_.solve(x);
    return;
  }
  const double* inverse = inverse_mass_.data();
  for (int i = 0; i < size_; ++i) x[i] *= inverse[i];
}

double read_rho(const Section& section) {
  const double rho = section.number("rho_inf", dim::none, 1.0);
  if (!(rho >= 0 && rho <= 1)) {
    section.fail("rho_inf", "rho_inf is the spectral radius at infinite frequency, 0 to 1",
                 "write rho_inf = 0.8, or 1 for no numerical damping");
  }
  return rho;
}

}  // namespace gusset

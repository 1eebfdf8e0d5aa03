#include "rig/force/yielding.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "base/linear_plant.hpp"

namespace gusset {

void YieldingStoreys::add_at_rest(const std::vector<StoreyForce>& storeys, Eigen::MatrixXd& damping,
                                  Eigen::MatrixXd& stiffness) {
  for (const StoreyForce& storey : storeys) {
    for (const auto& [i, a] : storey.interface.weights) {
      for (const auto& [j, b] : storey.interface.weights) {
        damping(i, j) += a * b * storey.restoring->damping();
        stiffness(i, j) += a * b * storey.restoring->stiffness();
      }
    }
  }
}

YieldingStoreys::YieldingStoreys(std::shared_ptr<const std::vector<StoreyForce>> storeys,
                                 const Eigen::MatrixXd& a, const Eigen::MatrixXd& mass, double dt,
                                 Layout& layout)
    : storeys_(std::move(storeys)), floors_(static_cast<int>(mass.rows())) {
  if (empty()) return;
  const auto count = static_cast<Eigen::Index>(storeys_->size());
  const Eigen::MatrixXd inverse = mass.inverse();
  push_ = Eigen::MatrixXd::Zero(floors_, count);
  for (Eigen::Index s = 0; s < count; ++s) {
    for (const auto& [dof, weight] : (*storeys_)[static_cast<std::size_t>(s)].interface.weights) {
      push_.col(s) += weight * inverse.col(dof);
    }
  }
  Eigen::MatrixXd input = Eigen::MatrixXd::Zero(a.rows(), count);
  input.middleRows(floors_, floors_) = push_;
  const LinearPlant plant(a, input, dt);
  from_start_ = plant.from_start;
  from_end_ = plant.from_end;
  error_ = layout.add("specimen", "yielding", "N", static_cast<int>(count), 1.0);
}

bool YieldingStoreys::affine() const {
  return empty() || std::all_of(storeys_->begin(), storeys_->end(),
                                [](const StoreyForce& storey) { return storey.restoring->affine(); });
}

Stretch YieldingStoreys::stretch(std::size_t storey, const double* x) const noexcept {
  const Interface& interface = (*storeys_)[storey].interface;
  return {interface.of(x), interface.of(x + floors_), 0};
}

double YieldingStoreys::residual(std::size_t storey, const Stretch& at, double force) const noexcept {
  const Restoring& restoring = *(*storeys_)[storey].restoring;
  return restoring.stiffness() * at.displacement + restoring.damping() * at.velocity - force;
}

void YieldingStoreys::start(State& state, const double* x) const {
  if (empty()) return;
  for (std::size_t s = 0; s < storeys_->size(); ++s) {
    const Stretch at = stretch(s, x);
    const double force = (*storeys_)[s].restoring->start(state, at.displacement, at.velocity);
    state.at(error_)[s] = residual(s, at, force);
  }
}

void YieldingStoreys::advance(bool trial, State& state, double* x, double* found) const noexcept {
  const std::size_t count = storeys_->size();
  const double* error = state.at(error_);
  for (Eigen::Index i = 0; i < from_start_.rows(); ++i) {
    for (std::size_t s = 0; s < count; ++s) {
      const auto column = static_cast<Eigen::Index>(s);
      x[i] += (from_start_(i, column) + from_end_(i, column)) * error[s];
    }
  }
  // x is that of e_1 = e_0 now; from here on by what e_1 changes.
  std::copy_n(error, count, found);
  constexpr int passes = 40;
  double first = 0;
  for (int pass = 0; pass < passes; ++pass) {
    double largest = 0;
    std::array<double, most> change;
    for (std::size_t s = 0; s < count; ++s) {
      const Stretch at = stretch(s, x);
      const double better = residual(s, at, (*storeys_)[s].restoring->trial(state, at));
      change[s] = better - found[s];
      found[s] = better;
      largest = std::max(largest, std::abs(change[s]));
    }
    if (pass == 0) first = largest;
    if (!(largest > 1e-15 * first)) break;
    for (Eigen::Index i = 0; i < from_end_.rows(); ++i) {
      for (std::size_t s = 0; s < count; ++s) x[i] += from_end_(i, static_cast<Eigen::Index>(s)) * change[s];
    }
  }
  for (std::size_t s = 0; s < count; ++s) {
    const Stretch at = stretch(s, x);
    const Restoring& restoring = *(*storeys_)[s].restoring;
    found[s] = residual(s, at, trial ? restoring.trial(state, at) : restoring.advance(state, at));
  }
  if (!trial) std::copy_n(found, count, state.at(error_));
}

double YieldingStoreys::acceleration(const double* error, int floor) const noexcept {
  double sum = 0;
  for (std::size_t s = 0; s < storeys_->size(); ++s) {
    sum += push_(floor, static_cast<Eigen::Index>(s)) * error[s];
  }
  return sum;
}

}  // namespace gusset

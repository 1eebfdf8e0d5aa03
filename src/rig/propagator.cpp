#include "rig/propagator.hpp"

#include <algorithm>

#include "base/linear_plant.hpp"

namespace gusset {

Propagator::Propagator(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, std::span<const double> durations)
    : states_(static_cast<int>(a.rows())),
      inputs_(static_cast<int>(b.cols())),
      stride_(states_ + 2 * inputs_) {
  for (const double h : durations) {
    const LinearPlant plant(a, b, h);
    const Eigen::MatrixXd held = plant.from_start + plant.from_end;
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      for (Eigen::Index j = 0; j < a.cols(); ++j) rows_.push_back(plant.transition(i, j));
      for (Eigen::Index j = 0; j < b.cols(); ++j) rows_.push_back(held(i, j));
      for (Eigen::Index j = 0; j < b.cols(); ++j) rows_.push_back(plant.from_end(i, j));
    }
  }
}

Eigen::VectorXd Propagator::gain(int input, int slot) const {
  Eigen::VectorXd gain(states_);
  const double* row = rows_.data() + static_cast<std::ptrdiff_t>(slot) * states_ * stride_;
  for (int i = 0; i < states_; ++i, row += stride_) gain(i) = row[states_ + input];
  return gain;
}

void Propagator::hold(double* z, const double* u, int slot) const noexcept {
  double next[most_states];
  const double* row = rows_.data() + static_cast<std::ptrdiff_t>(slot) * states_ * stride_;
  for (int i = 0; i < states_; ++i, row += stride_) {
    double sum = 0;
    for (int j = 0; j < states_; ++j) sum += row[j] * z[j];
    for (int j = 0; j < inputs_; ++j) sum += row[states_ + j] * u[j];
    next[i] = sum;
  }
  std::copy(next, next + states_, z);
}

void Propagator::ramp(double* z, const double* u, const double* change, int slot) const noexcept {
  double next[most_states];
  const double* row = rows_.data() + static_cast<std::ptrdiff_t>(slot) * states_ * stride_;
  for (int i = 0; i < states_; ++i, row += stride_) {
    double sum = 0;
    for (int j = 0; j < states_; ++j) sum += row[j] * z[j];
    for (int j = 0; j < inputs_; ++j) {
      sum += row[states_ + j] * u[j] + row[states_ + inputs_ + j] * change[j];
    }
    next[i] = sum;
  }
  std::copy(next, next + states_, z);
}

}  // namespace gusset

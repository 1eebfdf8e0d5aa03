#include "rig/imposed.hpp"

#include <Eigen/LU>
#include <algorithm>

#include "base/linear_system.hpp"

namespace gusset {

ImposedRig::ImposedRig(const RigContext& context, PlantRig::Stand stand)
    : matrices_(std::move(stand.specimen)),
      where_(static_cast<std::size_t>(matrices_.size())),
      dt_(context.dt) {
  for (std::size_t c = 0; c < stand.attachments.size(); ++c) {
    held_.push_back(stand.attachments[c].weights.front().first);
    where_[static_cast<std::size_t>(held_.back())] = context.channels[c].interface;
  }
  for (int i = 0; i < matrices_.size(); ++i) {
    if (std::find(held_.begin(), held_.end(), i) == held_.end()) free_.push_back(i);
  }
  const auto y = static_cast<Eigen::Index>(free_.size()), x = static_cast<Eigen::Index>(held_.size());
  const Eigen::Index size = 2 * (x + y);
  if (size > Propagator::most_states || matrices_.size() > most) {
    context.section.fail("kind", "the specimen has too many degrees of freedom", "condense the specimen");
  }
  inverse_ = matrices_.mass(free_, free_).inverse();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size), b = Eigen::MatrixXd::Zero(size, x);
  a.block(0, y, y, y).setIdentity();
  a.block(y, 0, y, y) = -inverse_ * matrices_.stiffness(free_, free_);
  a.block(y, y, y, y) = -inverse_ * matrices_.damping(free_, free_);
  a.block(y, 2 * y, y, x) = -inverse_ * matrices_.stiffness(free_, held_);
  a.block(y, 2 * y + x, y, x) = -inverse_ * matrices_.damping(free_, held_);
  a.block(2 * y, 2 * y + x, x, x).setIdentity();
  b.block(y, 0, y, x) = -inverse_ * matrices_.mass(free_, held_);
  b.block(2 * y + x, 0, x, x).setIdentity();
  propagator_ = Propagator(a, b, {&dt_, 1});
  own_ = context.layout.add("specimen", "position", "m", static_cast<int>(y), 1e-3);
  context.layout.add("specimen", "speed", "m/s", static_cast<int>(y), 1e-2);
}

void ImposedRig::advance(State& state, RigRow row, bool) const noexcept {
  double z[Propagator::most_states], curvatures[most];
  const std::size_t y = free_.size(), x = held_.size();
  double* own = state.at(own_);
  std::copy_n(own, 2 * y, z);
  for (std::size_t c = 0; c < x; ++c) {
    const Command& command = row.command(c);
    z[2 * y + c] = command.value - 0.5 * dt_ * (command.start_rate + command.rate);
    z[2 * y + x + c] = command.start_rate;
    curvatures[c] = command.curvature;
  }
  propagator_.hold(z, curvatures, 0);
  std::copy_n(z, 2 * y, own);
  measure(state, row, curvatures);
}

void ImposedRig::measure(const State& state, RigRow row, const double* curvatures) const noexcept {
  double q[most], v[most], a[most], push[most];
  const std::size_t y = free_.size(), x = held_.size();
  const double* own = state.at(own_);
  for (std::size_t c = 0; c < x; ++c) {
    q[held_[c]] = row.command(c).value;
    v[held_[c]] = row.command(c).rate;
    a[held_[c]] = curvatures[c];
  }
  for (std::size_t i = 0; i < y; ++i) {
    q[free_[i]] = own[i];
    v[free_[i]] = own[y + i];
  }
  const int n = matrices_.size();
  const auto force = [&](int at) noexcept {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += matrices_.stiffness(at, j) * q[j] + matrices_.damping(at, j) * v[j];
    return sum;
  };
  for (std::size_t i = 0; i < y; ++i) {
    push[i] = force(free_[i]);
    for (const int j : held_) push[i] += matrices_.mass(free_[i], j) * a[j];
  }
  for (std::size_t i = 0; i < y; ++i) {
    a[free_[i]] = 0;
    for (std::size_t j = 0; j < y; ++j) {
      a[free_[i]] -= inverse_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) * push[j];
    }
  }
  for (std::size_t c = 0; c < x; ++c) {
    double sum = force(held_[c]);
    for (int j = 0; j < n; ++j) sum += matrices_.mass(held_[c], j) * a[j];
    row.signals(c)[0] = q[held_[c]];
    row.signals(c)[1] = sum;
  }
}

void ImposedRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  double curvatures[most];
  double* own = state.at(own_);
  for (std::size_t i = 0; i < free_.size(); ++i) {
    own[i] = specimen.displacement(free_[i]);
    own[free_.size() + i] = specimen.velocity(free_[i]);
  }
  for (std::size_t c = 0; c < held_.size(); ++c) curvatures[c] = row.command(c).curvature;
  measure(state, row, curvatures);
}

void ImposedRig::join(LinearSystem& system) const { join_matrices(system, matrices_, where_); }

std::vector<double> ImposedRig::frequencies() const {
  std::vector<bool> held(where_.size(), false);
  for (const int i : held_) held[static_cast<std::size_t>(i)] = true;
  return free_frequencies(matrices_, held);
}

}  // namespace gusset

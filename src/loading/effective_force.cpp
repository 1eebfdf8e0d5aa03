#include "loading/effective_force.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/linear_system.hpp"

namespace gusset {

EffectiveForceMethod::EffectiveForceMethod(Parameters parameters, std::vector<Channel> channels, double dt,
                                           Layout& layout)
    : Method(std::move(channels), Profile::ramp, dt, layout, 0),
      p_(std::move(parameters)),
      size_(static_cast<int>(p_.inertia.size())),
      inverse_(p_.equilibrium.inverse()) {
  displacement_ = layout.add("feedback", "displacement", "m", size_, 1e-6);
  velocity_ = layout.add("feedback", "velocity", "m/s", size_, 1e-5);
  acceleration_ = layout.add("feedback", "acceleration", "m/s^2", size_, 1e-4);
  if (p_.iterations) ahead_ = layout.add("feedback", "ahead", "m/s^2", size_, 1e-4);
  force_ = layout.add("method", "force", "N", size_, 1.0);
  corrects_.assign(static_cast<std::size_t>(p_.substeps), p_.iterations);
  corrects_.back() = false;
  iterates_ = p_.iterations;
}

std::vector<Method::Feed> EffectiveForceMethod::feeds() const {
  std::vector<Feed> feeds = {{displacement_, "measured", "m", 0},
                             {velocity_, "velocity", "m/s", 0},
                             {acceleration_, "acceleration", "m/s^2", 0}};
  // A rig that cannot look ahead has only what it measures now.
  if (p_.iterations) feeds.push_back({ahead_, "ahead", "m/s^2", 0, "acceleration"});
  return feeds;
}

std::vector<std::string> EffectiveForceMethod::remarks() const {
  if (!p_.iterations || p_.every) return {};
  double largest = 0;
  for (int i = 0; i < size_; ++i) {
    double growth = 1;
    for (int k = 0; k + 1 < p_.substeps; ++k)
      growth *= std::abs(1 - 1 / ((1 - p_.ratio(i)) * (p_.substeps - k)));
    largest = std::max(largest, growth);
  }
  if (largest < 10) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", largest);
  return {"with extrapolate = \"last\" the sub-steps multiply an error of the force by " + std::string(text) +
          " before the last one corrects it; a structure that yields does not forgive that, nor does an "
          "actuator: write extrapolate = \"every\", or more substeps"};
}

void EffectiveForceMethod::next(int k, double ground, State& state, const double* measured,
                                Piece* pieces) const noexcept {
  std::array<double, most_floors> error_space, change_space;
  Vector error(error_space.data(), size_), change(change_space.data(), size_);
  double* force = state.at(force_);
  change.setZero();
  if (p_.every || k + 1 == p_.substeps) {
    for (int i = 0; i < size_; ++i) {
      error(i) = force[i] + p_.inertia(i) * ground + p_.virtual_mass(i) * measured[i];
    }
    change.noalias() = inverse_.lazyProduct(error);
  }
  for (int i = 0; i < size_; ++i) {
    const double target = -p_.inertia(i) * ground - p_.virtual_mass(i) * (measured[i] - change(i));
    force[i] += (target - force[i]) / (p_.substeps - k);
    pieces[i] = {force[i], 0, 0};
  }
}

void EffectiveForceMethod::begin(State& state, const Input& input, const Response& response, Piece* pieces,
                                 double* lines) const noexcept {
  std::copy_n(state.at(displacement_), size_, response.displacement);
  std::copy_n(state.at(velocity_), size_, response.velocity);
  std::copy_n(state.at(acceleration_), size_, response.acceleration);
  const double ground = input.next_acceleration;
  if (p_.iterations) {
    lines[0] = ground;
    next(0, ground, state, state.at(ahead_), pieces);
    return;
  }
  double* force = state.at(force_);
  const double* a = state.at(acceleration_);
  for (int i = 0; i < size_; ++i) {
    const double target = -p_.inertia(i) * ground - p_.virtual_mass(i) * a[i];
    if (p_.hold) {
      pieces[i] = {target, 0, 0};
    } else {
      pieces[i] = {force[i], (target - force[i]) / dt_, 0};
    }
    force[i] = target;
  }
}

void EffectiveForceMethod::correct(int substep, State& state, const double*, const double*, const Response&,
                                   Piece* pieces, double* lines) const noexcept {
  next(substep + 1, lines[0], state, state.at(acceleration_), pieces);
}

void EffectiveForceMethod::start(State& state, const LinearStart& motion, const Input& input,
                                 Command* targets) const {
  for (int i = 0; i < size_; ++i) {
    const double force = -p_.inertia(i) * input.acceleration - p_.virtual_mass(i) * motion.acceleration(i);
    targets[i] = {force, 0, 0, 0};
    state.at(force_)[i] = force;
  }
}

}  // namespace gusset

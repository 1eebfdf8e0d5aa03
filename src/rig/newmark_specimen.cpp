#include "rig/newmark_specimen.hpp"

#include <Eigen/LU>
#include <array>
#include <cmath>

#include "structure/structure.hpp"

namespace gusset {

NewmarkSpecimen::NewmarkSpecimen(Parameters parameters, Layout& layout)
    : beta_(parameters.beta),
      gamma_(parameters.gamma),
      dt_(parameters.dt),
      substeps_(parameters.substeps),
      size_(parameters.structure.size()),
      structure_(std::move(parameters.structure)),
      storeys_(std::move(parameters.storeys)) {
  LinearSystem system{structure_.mass, structure_.damping, structure_.stiffness,
                      Eigen::VectorXd::Ones(size_)};
  join_storeys(system);
  inverse_ = (system.mass + gamma_ * dt_ * system.damping + beta_ * dt_ * dt_ * system.stiffness).inverse();
  displacement_ = layout.add("specimen", "displacement", "m", size_, 1e-6);
  velocity_ = layout.add("specimen", "velocity", "m/s", size_, 1e-5);
  acceleration_ = layout.add("specimen", "acceleration", "m/s^2", size_, 1e-4);
}

Stretch NewmarkSpecimen::stretch(std::size_t storey, const double* x, const double* v) const noexcept {
  const Interface& interface = storeys_[storey].interface;
  return {interface.of(x), interface.of(v), 0};
}

void NewmarkSpecimen::predict(const double* x, const double* v, const double* a, double* tilde_x,
                              double* tilde_v) const noexcept {
  for (int i = 0; i < size_; ++i) {
    tilde_x[i] = x[i] + dt_ * v[i] + (0.5 - beta_) * dt_ * dt_ * a[i];
    tilde_v[i] = v[i] + (1 - gamma_) * dt_ * a[i];
  }
}

void NewmarkSpecimen::solve(State& state, RigRow row, double* x, double* v, double* a) const noexcept {
  std::array<double, most_floors> residual_space, change_space;
  Vector residual(residual_space.data(), size_), change(change_space.data(), size_);
  const Vector xs(x, size_), vs(v, size_), as(a, size_);
  for (int i = 0; i < size_; ++i) a[i] = 0;
  // A linear structure is solved at the first pass. Along the initial stiffness a yielding one comes
  // nearer by a factor of about βΔt²·k/m each time.
  constexpr int passes = 40;
  double first = 0;
  for (int pass = 0; pass < passes; ++pass) {
    residual.noalias() = -structure_.damping.lazyProduct(vs);
    residual.noalias() -= structure_.stiffness.lazyProduct(xs);
    residual.noalias() -= structure_.mass.lazyProduct(as);
    for (std::size_t i = 0; i < static_cast<std::size_t>(size_); ++i)
      residual_space[i] += row.command(i).value;
    for (std::size_t s = 0; s < storeys_.size(); ++s) {
      const double force = storeys_[s].restoring->trial(state, stretch(s, x, v));
      for (const auto& [dof, weight] : storeys_[s].interface.weights) {
        residual_space[static_cast<std::size_t>(dof)] -= weight * force;
      }
    }
    change.noalias() = inverse_.lazyProduct(residual);
    double largest = 0;
    for (int i = 0; i < size_; ++i) {
      const double da = change_space[static_cast<std::size_t>(i)];
      a[i] += da;
      v[i] += gamma_ * dt_ * da;
      x[i] += beta_ * dt_ * dt_ * da;
      largest = std::max(largest, std::abs(da));
    }
    if (pass == 0) first = largest;
    if (storeys_.empty() || !(largest > 1e-15 * first)) break;
  }
}

void NewmarkSpecimen::advance(State& state, RigRow row, bool trial) const noexcept {
  std::array<double, most_floors> x, v, a;
  predict(state.at(displacement_), state.at(velocity_), state.at(acceleration_), x.data(), v.data());
  solve(state, row, x.data(), v.data(), a.data());
  std::array<double, most_floors> ahead = a;
  if (!trial) {
    for (std::size_t s = 0; s < storeys_.size(); ++s) {
      storeys_[s].restoring->advance(state, stretch(s, x.data(), v.data()));
    }
    std::copy_n(x.data(), size_, state.at(displacement_));
    std::copy_n(v.data(), size_, state.at(velocity_));
    std::copy_n(a.data(), size_, state.at(acceleration_));
    if (substeps_ > 1) {
      std::array<double, most_floors> later_x, later_v;
      predict(x.data(), v.data(), a.data(), later_x.data(), later_v.data());
      solve(state, row, later_x.data(), later_v.data(), ahead.data());
    }
  }
  for (int i = 0; i < size_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    double* signals = row.signals(k);
    signals[actuator_displacement] = x[k];
    signals[actuator_force] = row.command(k).value;
    signals[actuator_velocity] = v[k];
    signals[actuator_acceleration] = a[k];
    if (substeps_ > 1) signals[4] = ahead[k];
  }
}

void NewmarkSpecimen::start(State& state, const LinearStart& specimen, RigRow row) const {
  for (const StoreyForce& storey : storeys_) {
    storey.restoring->start(state, storey.interface.of(specimen.displacement.data()),
                            storey.interface.of(specimen.velocity.data()));
  }
  for (int i = 0; i < size_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    state.at(displacement_)[i] = specimen.displacement(i);
    state.at(velocity_)[i] = specimen.velocity(i);
    state.at(acceleration_)[i] = specimen.acceleration(i);
    double* signals = row.signals(k);
    signals[actuator_displacement] = specimen.displacement(i);
    signals[actuator_force] = row.command(k).value;
    signals[actuator_velocity] = specimen.velocity(i);
    signals[actuator_acceleration] = specimen.acceleration(i);
  }
  if (substeps_ == 1) return;
  std::array<double, most_floors> x, v, ahead;
  predict(state.at(displacement_), state.at(velocity_), state.at(acceleration_), x.data(), v.data());
  solve(state, row, x.data(), v.data(), ahead.data());
  for (std::size_t k = 0; k < static_cast<std::size_t>(size_); ++k) row.signals(k)[4] = ahead[k];
}

std::vector<Signal> NewmarkSpecimen::signals(std::size_t) const {
  std::vector<Signal> signals = actuator_signals();
  if (substeps_ > 1) signals.push_back({"ahead", "m/s^2"});
  return signals;
}

std::vector<double> NewmarkSpecimen::frequencies() const {
  LinearSystem system{structure_.mass, structure_.damping, structure_.stiffness,
                      Eigen::VectorXd::Ones(size_)};
  join_storeys(system);
  return natural_frequencies(system);
}

void NewmarkSpecimen::join_storeys(LinearSystem& system) const {
  for (const StoreyForce& storey : storeys_) {
    storey.restoring->join(system, storey.interface);
  }
}

bool NewmarkSpecimen::affine() const {
  return std::all_of(storeys_.begin(), storeys_.end(),
                     [](const StoreyForce& storey) { return storey.restoring->affine(); });
}

}  // namespace gusset

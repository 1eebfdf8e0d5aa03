#include "loading/numerical_storeys.hpp"

namespace gusset {

NumericalStoreys::NumericalStoreys(std::vector<StoreyForce> storeys, double dt, Layout& layout,
                                   double tangent_damping)
    : storeys_(std::move(storeys)), dt_(dt) {
  forces_ = layout.add("storeys", "force", "N", static_cast<int>(storeys_.size()), 1.0);
  for (const StoreyForce& storey : storeys_) {
    stiffness_.push_back(storey.restoring->stiffness());
    tangent_.push_back(storey.restoring->damped() ? tangent_damping : 0);
  }
}

double NumericalStoreys::trial(std::size_t storey, State& state, const Stretch& at) const noexcept {
  const Restoring& restoring = *storeys_[storey].restoring;
  if (tangent_[storey] == 0) return restoring.trial(state, at);
  double tangent = 0;
  const double force = restoring.trial(state, at, &tangent);
  return force - tangent_[storey] * (stiffness_[storey] - tangent) * at.velocity;
}

void NumericalStoreys::start(State& state, const double* displacement, const double* velocity,
                             Far far) const {
  for (std::size_t s = 0; s < storeys_.size(); ++s) {
    const Interface& interface = storeys_[s].interface;
    double x = interface.of(displacement), v = interface.of(velocity);
    if (far.displacement != nullptr) {
      x -= far.displacement[s];
      v -= far.velocity[s];
    }
    state.at(forces_)[s] = storeys_[s].restoring->start(state, x, v);
  }
}

void NumericalStoreys::hold(const State& state, const double* d, const double* p,
                            const Scratch& to) const noexcept {
  for (std::size_t s = 0; s < storeys_.size(); ++s) {
    const Interface& interface = storeys_[s].interface;
    to.lines[s] = state.at(forces_)[s] - stiffness_[s] * interface.of(d);
    to.rates[s] = interface.of(p);
  }
}

Stretch NumericalStoreys::stretch(std::size_t storey, const double* d, const double* p, double point,
                                  const Scratch& scratch, Far far) const noexcept {
  const Interface& interface = storeys_[storey].interface;
  const double increment = interface.of(p);
  double x = interface.of(d) - (1 - point) * increment;
  double v = (increment + (increment - scratch.rates[storey]) * (point - 0.5)) / dt_;
  if (far.displacement != nullptr) {
    x -= far.displacement[storey];
    v -= far.velocity[storey];
  }
  return {x, v, point < 1 ? 1 : 0};
}

void NumericalStoreys::attempt(State& state, const double* d, const double* p, double point,
                               const Scratch& scratch, Far far) const noexcept {
  for (std::size_t s = 0; s < storeys_.size(); ++s) {
    const Stretch at = stretch(s, d, p, point, scratch, far);
    const double force = trial(s, state, at);
    const double own = far.displacement != nullptr ? at.displacement + far.displacement[s] : at.displacement;
    const double line = force - stiffness_[s] * own;
    scratch.change[s] = line - scratch.lines[s];
    scratch.lines[s] = line;
  }
}

void NumericalStoreys::look(State& state, const double* d, const double* p, const Scratch& scratch, Far far,
                            double* forces) const noexcept {
  for (std::size_t s = 0; s < storeys_.size(); ++s) {
    forces[s] = trial(s, state, stretch(s, d, p, 1, scratch, far));
  }
}

void NumericalStoreys::settle(State& state, const double* d, const double* p, const Scratch& scratch,
                              Far far) const noexcept {
  for (std::size_t s = 0; s < storeys_.size(); ++s) {
    const Stretch at = stretch(s, d, p, 1, scratch, far);
    double& force = state.at(forces_)[s];
    force = storeys_[s].restoring->advance(state, at);
    if (tangent_[s] == 0) continue;
    force -= tangent_[s] * (stiffness_[s] - storeys_[s].restoring->tangent(state, at.velocity)) * at.velocity;
  }
}

}  // namespace gusset

#include "integrate/implicit_alpha.hpp"

#include <algorithm>

namespace gusset {

const Parameter iterations_parameter{
    "iterations", "-", "sub-steps, or 4",
    "corrections a step: with a specimen at most (and by default) one a sub-step of the rig; with "
    "yielding storeys alone 4"};

int read_iterations(const IntegratorContext& context) {
  constexpr int most = 1000;
  const int fallback = context.measured ? context.substeps : 4;
  const int iterations = context.section.integer("iterations", fallback, 1, most);
  if (context.estimates.empty()) return 0;
  if (!context.measured || iterations <= context.substeps) return iterations;
  if (context.any_step) return context.substeps;
  context.section.fail("iterations",
                       "each correction needs a force measured in a sub-step of its own; there are " +
                           std::to_string(context.substeps) + " a step",
                       "lower iterations, or shorten rig.dt");
}

ImplicitAlpha::ImplicitAlpha(const IntegratorContext& context, const AlphaParameters& parameters)
    : MotionIntegrator(context),
      p_(parameters),
      iterations_(read_iterations(context)),
      factor_(model_.combine(1 - p_.alpha_m, (1 - p_.alpha_f) * p_.gamma * dt_,
                             (1 - p_.alpha_f) * p_.beta * dt_ * dt_)) {
  acceleration_ = context.layout.add("numerical", "acceleration", "m/s^2", model_.size(), 1e-1);
}

void ImplicitAlpha::advance(State& state, const Load& load, const Response& response) const noexcept {
  const int n = model_.size();
  double* __restrict d = state.at(displacement_);
  double* __restrict p = state.at(increment_);
  double* __restrict v = state.at(velocity_);
  double* __restrict a = state.at(acceleration_);
  double* __restrict x = response.scratch;      // d at 1 − α_f, without a_{i+1}
  double* __restrict y = response.scratch + n;  // v at 1 − α_f, without a_{i+1}
  double* __restrict work = response.scratch + 2 * n;
  double* __restrict q = response.acceleration;  // right-hand side, then a_{i+1}
  const double dt2 = dt_ * dt_;
  const double f = 1 - p_.alpha_f;

  for (int i = 0; i < n; ++i) {
    // How far displacement and velocity go without a_{i+1}; kept apart from d for the lines.
    work[i] = f * (dt_ * v[i] + dt2 * (0.5 - p_.beta) * a[i]);
    x[i] = d[i] + work[i];
    y[i] = v[i] + f * dt_ * (1 - p_.gamma) * a[i];
  }
  model_.load(f * load.next_ground_acceleration + p_.alpha_f * load.ground_acceleration, load, q, f);
  model_.subtract_estimated(work, q);
  model_.subtract_internal(x, y, q, work);
  if (p_.alpha_m != 0) {
    model_.mass().multiply(a, work);
    for (int i = 0; i < n; ++i) q[i] -= p_.alpha_m * work[i];
  }
  factor_.solve(q);
  for (int i = 0; i < n; ++i) {
    const double next = q[i];
    response.displacement[i] = d[i];
    response.velocity[i] = v[i];
    p[i] = dt_ * (v[i] + dt_ * ((0.5 - p_.beta) * a[i] + p_.beta * next));
    d[i] += p[i];
    v[i] += dt_ * ((1 - p_.gamma) * a[i] + p_.gamma * next);
    response.acceleration[i] = a[i];
    a[i] = next;
  }
}

void ImplicitAlpha::correct(State& state, const double* change, std::span<const Contribution> contributions,
                            const Response& response) const noexcept {
  const int n = model_.size();
  double* __restrict q = response.scratch;
  std::fill(q, q + n, 0.0);
  for (const Contribution& c : contributions) {
    q[c.dof] -= (1 - p_.alpha_f) * c.weight * change[c.force];
  }
  factor_.solve(q);
  double* __restrict d = state.at(displacement_);
  double* __restrict p = state.at(increment_);
  double* __restrict v = state.at(velocity_);
  double* __restrict a = state.at(acceleration_);
  for (int i = 0; i < n; ++i) {
    const double step = p_.beta * dt_ * dt_ * q[i];
    d[i] += step;
    p[i] += step;
    v[i] += p_.gamma * dt_ * q[i];
    a[i] += q[i];
  }
}

void ImplicitAlpha::start(State& state, const double* displacement, const double* velocity,
                          const double* acceleration) const {
  MotionIntegrator::start(state, displacement, velocity, acceleration);
  std::copy_n(acceleration, model_.size(), state.at(acceleration_));
}

}  // namespace gusset

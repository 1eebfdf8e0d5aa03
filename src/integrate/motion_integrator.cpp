#include "integrate/motion_integrator.hpp"

namespace gusset {

MotionIntegrator::MotionIntegrator(const IntegratorContext& context) : model_(context), dt_(context.dt) {
  const int n = context.structure.size();
  displacement_ = context.layout.add("numerical", "displacement", "m", n, 1e-3);
  increment_ = context.layout.add("numerical", "increment", "m", n, 1e-5);
  velocity_ = context.layout.add("numerical", "velocity", "m/s", n, 1e-2);
}

void MotionIntegrator::start(State& state, const double* displacement, const double* velocity,
                             const double* acceleration) const {
  for (int i = 0; i < model_.size(); ++i) {
    state.at(displacement_)[i] = displacement[i];
    state.at(increment_)[i] = dt_ * velocity[i] - 0.5 * dt_ * dt_ * acceleration[i];
    state.at(velocity_)[i] = velocity[i];
  }
}

}  // namespace gusset

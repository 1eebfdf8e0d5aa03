#include "integrate/motion_integrator.hpp"
#include "kinds/examples.hpp"

namespace gusset::examples {
namespace {

/// Symplectic Euler: first order, explicit, stable up to ω·Δt = 2 without damping.
///
///   M·a_i = F_i − C·v_i − K·d_i,    v_{i+1} = v_i + Δt·a_i,    d_{i+1} = d_i + Δt·v_{i+1}
///
/// State: d, p, v (n each).
class SymplecticEuler final : public MotionIntegrator {
 public:
  explicit SymplecticEuler(const IntegratorContext& context) : MotionIntegrator(context) {}

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    double* d = state.at(displacement_);
    double* p = state.at(increment_);
    double* v = state.at(velocity_);
    double* a = response.acceleration;
    model_.load(load.ground_acceleration, load, a);
    model_.subtract_internal(d, v, a, response.scratch);
    model_.solve_mass(a);
    for (int i = 0; i < model_.size(); ++i) {
      response.displacement[i] = d[i];
      response.velocity[i] = v[i];
      v[i] += dt_ * a[i];
      p[i] = dt_ * v[i];
      d[i] += p[i];
    }
  }
};

}  // namespace

const IntegratorKind symplectic_euler_kind{
    "symplectic-euler",
    "Explicit, first order, stable up to omega*dt = 2 without damping",
    "v' = v + dt a;  d' = d + dt v'",
    {},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      return std::make_unique<SymplecticEuler>(context);
    }};

}  // namespace gusset::examples

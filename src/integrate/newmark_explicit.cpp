#include "integrate/kinds.hpp"
#include "integrate/motion_integrator.hpp"

namespace gusset {
namespace {

/// Newmark's method with β = 0 (Newmark 1959; Shing & Mahin 1985 for tests):
///
///   (M + γΔt·C)·a_i = F_i − K·d_i − C·ṽ_i,      v_i = ṽ_i + γΔt·a_i
///   d_{i+1} = d_i + Δt·v_i + ½Δt²·a_i,          ṽ_{i+1} = v_i + (1 − γ)Δt·a_i
///
/// With γ = ½ its displacements are those of the central difference method; γ > ½ damps, at the
/// price of first order. Stable up to ω·Δt = 2 (γ = ½), √(2/γ) in general without damping.
/// State: d, p, ṽ (n each). Start: ṽ_0 = v_0 − γΔt·a_0.
class NewmarkExplicit final : public MotionIntegrator {
 public:
  NewmarkExplicit(const IntegratorContext& context, double gamma)
      : MotionIntegrator(context),
        gamma_(gamma),
        factor_(model_.mass().plus(model_.damping(), gamma * context.dt)) {}

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict w = state.at(velocity_);
    double* __restrict a = response.acceleration;
    double* __restrict v = response.velocity;
    double* __restrict d_now = response.displacement;
    const int n = model_.size();
    model_.load(load.ground_acceleration, load, a);
    model_.subtract_internal(d, w, a, response.scratch);
    factor_.solve(a);
    for (int i = 0; i < n; ++i) {
      v[i] = w[i] + gamma_ * dt_ * a[i];
      w[i] = v[i] + (1 - gamma_) * dt_ * a[i];
      d_now[i] = d[i];
      p[i] = dt_ * (v[i] + 0.5 * dt_ * a[i]);
      d[i] += p[i];
    }
  }

  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override {
    MotionIntegrator::start(state, displacement, velocity, acceleration);
    double* w = state.at(velocity_);  // ṽ
    for (int i = 0; i < model_.size(); ++i) w[i] -= gamma_ * dt_ * acceleration[i];
  }

 private:
  double gamma_;
  BandFactor factor_;  ///< M + γΔt·C
};

}  // namespace

const IntegratorKind newmark_explicit_kind{
    "newmark-explicit",
    "Explicit, second order for gamma = 1/2, stable up to omega*dt = sqrt(2/gamma) without a specimen",
    "(M + gamma dt C) a = F - K d - C w;  v = w + gamma dt a;  d' = d + dt v + dt^2/2 a;  "
    "w' = v + (1 - gamma) dt a",
    {{"gamma", "-", "0.5", "above 1/2: numerical damping, first order"}},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      const double gamma = context.section.number("gamma", dim::none, 0.5);
      if (!(gamma >= 0.5 && gamma <= 2)) {
        context.section.fail("gamma", "gamma below 1/2 is unstable at every step, above 2 useless",
                             "write gamma = 0.5");
      }
      return std::make_unique<NewmarkExplicit>(context, gamma);
    }};

}  // namespace gusset

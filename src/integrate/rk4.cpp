#include <algorithm>

#include "integrate/kinds.hpp"
#include "integrate/motion_integrator.hpp"

namespace gusset {
namespace {

/// The classical fourth-order Runge–Kutta scheme (Kutta 1901) on y = [d; v], with the ground's
/// acceleration linear in the step and measured forces on their lines r_i + k̂·bᵀ(d − d_i):
///
///   a1 = a(d, v, t_i),                 a2 = a(d + ½Δt·v, v + ½Δt·a1, t_i + ½Δt)
///   a3 = a(d + ½Δt·v + ¼Δt²·a1, v + ½Δt·a2, t_i + ½Δt)
///   a4 = a(d + Δt·v + ½Δt²·a2, v + Δt·a3, t_i + Δt)
///   d_{i+1} = d + Δt·v + Δt²/6·(a1 + a2 + a3),    v_{i+1} = v + Δt/6·(a1 + 2a2 + 2a3 + a4)
///
/// Stable up to ω·Δt = 2√2 without damping. State: d, p, v (n each).
class RungeKutta4 final : public MotionIntegrator {
 public:
  explicit RungeKutta4(const IntegratorContext& context) : MotionIntegrator(context) {}

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    const int n = model_.size();
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict v = state.at(velocity_);
    double* __restrict a1 = response.acceleration;
    double* __restrict a2 = response.scratch;
    double* __restrict a3 = response.scratch + n;
    double* __restrict a4 = response.scratch + 2 * n;
    double* __restrict x = response.scratch + 3 * n;  // d − d_i of the stage
    double* __restrict w = response.scratch + 4 * n;
    double* __restrict work = response.scratch + 5 * n;
    const double h = 0.5 * dt_;
    const double now = load.ground_acceleration;
    const double next = load.next_ground_acceleration;

    std::fill(x, x + n, 0.0);
    acceleration(d, x, v, now, 0, load, a1, work);
    for (int i = 0; i < n; ++i) {
      x[i] = h * v[i];
      w[i] = v[i] + h * a1[i];
    }
    acceleration(d, x, w, 0.5 * (now + next), 0.5, load, a2, work);
    for (int i = 0; i < n; ++i) {
      x[i] = h * (v[i] + h * a1[i]);
      w[i] = v[i] + h * a2[i];
    }
    acceleration(d, x, w, 0.5 * (now + next), 0.5, load, a3, work);
    for (int i = 0; i < n; ++i) {
      x[i] = dt_ * (v[i] + h * a2[i]);
      w[i] = v[i] + dt_ * a3[i];
    }
    acceleration(d, x, w, next, 1, load, a4, work);
    for (int i = 0; i < n; ++i) {
      response.displacement[i] = d[i];
      response.velocity[i] = v[i];
      p[i] = dt_ * (v[i] + dt_ / 6 * (a1[i] + a2[i] + a3[i]));
      d[i] += p[i];
      v[i] += dt_ / 6 * (a1[i] + 2 * (a2[i] + a3[i]) + a4[i]);
    }
  }

  int work_vectors() const override { return 7; }

  bool linear_only() const override { return true; }

 private:
  /// a = M⁻¹(F − K·(d + x) − Σ b·k̂·bᵀx − C·v) at t_i + share·Δt; `work` has 2n entries.
  void acceleration(const double* d, const double* x, const double* v, double ground, double share,
                    const Load& load, double* a, double* work) const noexcept {
    const int n = model_.size();
    double* __restrict y = work + n;
    for (int i = 0; i < n; ++i) y[i] = d[i] + x[i];
    model_.load(ground, load, a, share);
    model_.subtract_internal(y, v, a, work);
    model_.subtract_estimated(x, a);
    model_.solve_mass(a);
  }
};

}  // namespace

const IntegratorKind rk4_kind{
    "rk4",
    "Classical Runge-Kutta for linear structures and specimens: explicit, fourth order, stable up to "
    "omega*dt = 2 sqrt(2)",
    "d' = d + dt v + dt^2/6 (a1 + a2 + a3);  v' = v + dt/6 (a1 + 2 a2 + 2 a3 + a4)",
    {},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      return std::make_unique<RungeKutta4>(context);
    }};

}  // namespace gusset

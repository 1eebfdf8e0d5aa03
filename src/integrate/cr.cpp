#include "integrate/kinds.hpp"
#include "integrate/linear_model.hpp"

namespace gusset {
namespace {

/// Chen & Ricles 2008, eq. 4–5 and 24: explicit in displacement and velocity, yet stable at every
/// step, since the integration parameters hold the structure's own matrices.
///
///   M·a_i = q_i = F_i − C·v_i − K·d_i
///   u_i = α·a_i,   α = (4M + 2Δt·C + Δt²·(K + Σ b·k̂·bᵀ))⁻¹·4M
///   v_{i+1} = v_i + Δt·u_i,     d_{i+1} = d_i + Δt·v_i + Δt²·u_i
///
/// For a linear structure the poles are those of Newmark's average acceleration method.
/// State: d, p, v (n each). Since α·a = D⁻¹·4q, one factor serves.
class ChenRicles final : public Integrator {
 public:
  explicit ChenRicles(const IntegratorContext& context)
      : model_(context),
        dt_(context.dt),
        factor_(model_.combine(1, 0.5 * dt_, 0.25 * dt_ * dt_)) {
    const MotionSegments segments = claim_motion(context);
    displacement_ = segments.displacement;
    increment_ = segments.increment;
    velocity_ = segments.velocity;
  }

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    const int n = model_.size();
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict v = state.at(velocity_);
    double* __restrict a = response.acceleration;
    double* __restrict u = response.scratch;
    model_.load(load.ground_acceleration, load, a);
    model_.subtract_internal(d, v, a, u);
    for (int i = 0; i < n; ++i) u[i] = a[i];
    model_.solve_mass(a);
    factor_.solve(u);
    for (int i = 0; i < n; ++i) {
      response.displacement[i] = d[i];
      response.velocity[i] = v[i];
      p[i] = dt_ * (v[i] + dt_ * u[i]);
      d[i] += p[i];
      v[i] += dt_ * u[i];
    }
  }

  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override {
    for (int i = 0; i < model_.size(); ++i) {
      state.at(displacement_)[i] = displacement[i];
      state.at(increment_)[i] = dt_ * velocity[i] - 0.5 * dt_ * dt_ * acceleration[i];
      state.at(velocity_)[i] = velocity[i];
    }
  }

 private:
  LinearModel model_;
  double dt_;
  BandFactor factor_;  ///< M + ½Δt·C + ¼Δt²·(K + Σ b·k̂·bᵀ)
  Segment velocity_;
};

}  // namespace

const IntegratorKind cr_kind{
    "cr",
    "Explicit, second order, stable at every step on a linear structure (Chen & Ricles 2008)",
    "M a = F - C v - K d;  u = (4M + 2dt C + dt^2 K)^-1 4M a;  v' = v + dt u;  d' = d + dt v + dt^2 u",
    {},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      return std::make_unique<ChenRicles>(context);
    }};

}  // namespace gusset

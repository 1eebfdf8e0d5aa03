#include "integrate/kinds.hpp"
#include "integrate/motion_integrator.hpp"

namespace gusset {
namespace {

/// Chen & Ricles 2008, eq. 4–5 and 24: explicit in displacement and velocity, yet stable at every
/// step, since the integration parameters hold the structure's own matrices.
///
///   M·a_i = q_i = F_i − C·w_i − K·d_i
///   u_i = α·a_i,   α = (4M + 2Δt·C + Δt²·(K + Σ b·k̂·bᵀ))⁻¹·4M
///   w_{i+1} = w_i + Δt·u_i,     d_{i+1} = d_i + Δt·w_i + Δt²·u_i
///
/// For a linear structure the poles are those of Newmark's average acceleration method. What the
/// paper calls the velocity, w, is that of t_i − ½Δt (d_{i+1} = d_i + Δt·w_{i+1}, as in leapfrog):
/// taken as that of t_i it is of first order, and so is a response that starts from w_0 = v_0.
/// Here w_0 = v_0 − ½Δt·u_0 with (M + ¼Δt²·K)·u_0 = M·a_0, and the response shows v_i = w_i + ½Δt·u_i
/// and u_i, which satisfy M·u_i + C·v_i + K·(d_i + ¼Δt²·u_i) = F_i: second order in all three.
///
/// State: d, p, w (n each). Since α·a = D⁻¹·4q, one factor serves.
class ChenRicles final : public MotionIntegrator {
 public:
  explicit ChenRicles(const IntegratorContext& context)
      : MotionIntegrator(context),
        factor_(model_.combine(1, 0.5 * dt_, 0.25 * dt_ * dt_)),
        start_factor_(model_.combine(1, 0, 0.25 * dt_ * dt_)) {}

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    const int n = model_.size();
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict w = state.at(velocity_);
    double* __restrict u = response.acceleration;
    model_.load(load.ground_acceleration, load, u);
    model_.subtract_internal(d, w, u, response.scratch);
    factor_.solve(u);
    for (int i = 0; i < n; ++i) {
      response.displacement[i] = d[i];
      response.velocity[i] = w[i] + 0.5 * dt_ * u[i];
      w[i] += dt_ * u[i];
      p[i] = dt_ * w[i];
      d[i] += p[i];
    }
  }

  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override {
    double* w = state.at(velocity_);
    model_.mass().multiply(acceleration, w);
    start_factor_.solve(w);
    for (int i = 0; i < model_.size(); ++i) {
      w[i] = velocity[i] - 0.5 * dt_ * w[i];
      state.at(displacement_)[i] = displacement[i];
      state.at(increment_)[i] = dt_ * w[i];
    }
  }

 private:
  BandFactor factor_;  ///< M + ½Δt·C + ¼Δt²·(K + Σ b·k̂·bᵀ)
  BandFactor start_factor_;
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

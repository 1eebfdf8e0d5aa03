#include <algorithm>
#include <cmath>

#include "integrate/kinds.hpp"
#include "integrate/motion_integrator.hpp"

namespace gusset {
namespace {

/// LSRT2, the L-stable two-stage real-time compatible Rosenbrock scheme (Bursi, Gonzalez-Buelga,
/// Vulcan, Neild & Wagg 2008; Lamarche, Bonelli, Bursi & Tremblay 2009) on y = [d; v], y' = f(y, t):
///
///   W·k1 = Δt·f(y_i, t_i),                                      W = I − γΔt·J
///   W·k2 = Δt·f(y_i + ½k1, t_i + ½Δt) − γΔt·J·k1,     y_{i+1} = y_i + k2,     γ = 1 − 1/√2
///
/// J holds K + Σ b·k̂·bᵀ. With S = M + γΔt·C + γ²Δt²·(K + Σ b·k̂·bᵀ) the velocity parts are, r taken
/// on its line,
///   S·k1_v = Δt·(F_i − K·(d + z1) − Σ b·k̂·bᵀz1 − C·v),           z1 = γΔt·v,   k1_d = Δt·v + γΔt·k1_v
///   S·k2_v = Δt·(F_½ − K·(d + z2) − Σ b·k̂·bᵀz2 − C·w),  w = v + (½ − γ)·k1_v,
///                                 z2 = (½ − γ)·k1_d + γΔt·w,       k2_d = Δt·w + γΔt·k2_v
///
/// The second stage's force acts at t_i + ½Δt: with a specimen it is corrected once, from what is
/// measured half-way:  S·δk2_v = −Δt·Σ b·change. State: d, p, v (n each). Spectral radius
/// |1 + (1 − 2γ)z|/|1 − γz|² at z = iω·Δt: 0 at infinite frequency.
class Rosenbrock final : public MotionIntegrator {
 public:
  explicit Rosenbrock(const IntegratorContext& context)
      : MotionIntegrator(context),
        corrected_(!context.estimates.empty()),
        factor_(model_.combine(1, gamma * dt_, gamma * gamma * dt_ * dt_)) {}

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    const int n = model_.size();
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict v = state.at(velocity_);
    double* __restrict k1 = response.scratch;     // k1_v, then k2_v
    double* __restrict x = response.scratch + n;  // d + z
    double* __restrict z = response.scratch + 2 * n;
    double* __restrict w = response.scratch + 3 * n;
    double* __restrict work = response.scratch + 4 * n;
    double* __restrict a = response.acceleration;

    model_.load(load.ground_acceleration, load, k1);
    for (int i = 0; i < n; ++i) a[i] = k1[i];
    model_.subtract_internal(d, v, a, work);
    for (int i = 0; i < n; ++i) {
      z[i] = gamma * dt_ * v[i];
      x[i] = d[i] + z[i];
    }
    model_.subtract_internal(x, v, k1, work);
    model_.subtract_estimated(z, k1);
    for (int i = 0; i < n; ++i) k1[i] *= dt_;
    factor_.solve(k1);
    for (int i = 0; i < n; ++i) {
      w[i] = v[i] + (0.5 - gamma) * k1[i];
      z[i] = (0.5 - gamma) * dt_ * (v[i] + gamma * k1[i]) + gamma * dt_ * w[i];
      x[i] = d[i] + z[i];
    }
    model_.load(0.5 * (load.ground_acceleration + load.next_ground_acceleration), load, k1, 0.5);
    model_.subtract_internal(x, w, k1, work);
    model_.subtract_estimated(z, k1);
    for (int i = 0; i < n; ++i) k1[i] *= dt_;
    factor_.solve(k1);
    for (int i = 0; i < n; ++i) {
      response.displacement[i] = d[i];
      response.velocity[i] = v[i];
      p[i] = dt_ * (w[i] + gamma * k1[i]);
      d[i] += p[i];
      v[i] += k1[i];
    }
    model_.solve_mass(a);
  }

  void correct(State& state, const double* change, std::span<const Contribution> contributions,
               const Response& response) const noexcept override {
    const int n = model_.size();
    double* __restrict q = response.scratch;
    std::fill(q, q + n, 0.0);
    for (const Contribution& c : contributions) q[c.dof] -= dt_ * c.weight * change[c.force];
    factor_.solve(q);
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict v = state.at(velocity_);
    for (int i = 0; i < n; ++i) {
      d[i] += gamma * dt_ * q[i];
      p[i] += gamma * dt_ * q[i];
      v[i] += q[i];
    }
  }

  int corrections() const override { return corrected_ ? 1 : 0; }
  double correction_point() const override { return 0.5; }
  int work_vectors() const override { return 5; }

 private:
  static constexpr double gamma = 0.29289321881345247560;  // 1 − 1/√2
  bool corrected_;
  BandFactor factor_;  ///< S
};

}  // namespace

const IntegratorKind rosenbrock_kind{
    "rosenbrock",
    "LSRT2: linearly implicit, two stages, second order, L-stable (Bursi 2008; Lamarche 2009)",
    "(I - g dt J) k1 = dt f(y, t);  (I - g dt J) k2 = dt f(y + k1/2, t + dt/2) - g dt J k1;  "
    "y' = y + k2;  g = 1 - 1/sqrt(2)",
    {},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      return std::make_unique<Rosenbrock>(context);
    }};

}  // namespace gusset

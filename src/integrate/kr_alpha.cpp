#include "integrate/kinds.hpp"
#include "integrate/motion_integrator.hpp"

namespace gusset {
namespace {

struct KrParameters {
  double alpha_m, alpha_f, beta, gamma;
};

/// KR-α (Kolay & Ricles 2014, eq. 1–6, 16 and 24): explicit, stable at every step, with numerical
/// damping chosen by the spectral radius ρ at infinite frequency.
///
///   v_{i+1} = v_i + Δt·α1·a_i,     d_{i+1} = d_i + Δt·v_i + Δt²·α2·a_i
///   M·((I − α3)·a_i + α3·a_{i−1}) = (1 − α_f)·q_i + α_f·q_{i−1},    q = F − C·v − K·d
///   N = M + γΔt·C + βΔt²·(K + Σ b·k̂·bᵀ),   α1 = N⁻¹·M,   α2 = (½ + γ)·α1,
///   α3 = N⁻¹·(α_m·M + α_f·(N − M))
///
/// With u = α1·a, so that M·a = N·u, the equation of motion becomes symmetric and banded:
///   ((1 − α_m)·M + (1 − α_f)·(N − M))·u_i
///       = (1 − α_f)·q_i + α_f·q_{i−1} − α_f·M·a_{i−1} − (α_m − α_f)·M·u_{i−1}
///
/// As with CR the paper's v is not the velocity at t_i but γΔt·a behind it: the response shows
/// v_i + γΔt·u_i and u_i, which are of second order, and the start is v_0 − γΔt·u_0 with
/// (M + βΔt²·K)·u_0 = M·a_0.
///
/// State: d, p, v, u_{i−1}, and s_{i−1} = q_{i−1} − M·a_{i−1}, which is all that is needed of the
/// two (n each). Start: u_{−1} = u_0 and s_{−1} = 0 give u_0 back.
class KrAlpha final : public MotionIntegrator {
 public:
  KrAlpha(const IntegratorContext& context, const KrParameters& parameters)
      : MotionIntegrator(context),
        p_(parameters),
        n_(model_.combine(1, p_.gamma * dt_, p_.beta * dt_ * dt_)),
        start_factor_(model_.combine(1, 0, p_.beta * dt_ * dt_)),
        factor_(model_.combine(1 - p_.alpha_m, (1 - p_.alpha_f) * p_.gamma * dt_,
                               (1 - p_.alpha_f) * p_.beta * dt_ * dt_)) {
    last_u_ = context.layout.add("numerical", "acceleration", "m/s^2", model_.size(), 1e-1);
    unbalance_ = context.layout.add("numerical", "unbalance", "N", model_.size(), 1.0);
  }

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    const int n = model_.size();
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict v = state.at(velocity_);
    double* __restrict u = state.at(last_u_);
    double* __restrict s = state.at(unbalance_);
    double* __restrict q = response.scratch;
    double* __restrict rhs = response.scratch + n;
    double* __restrict a = response.acceleration;
    model_.load(load.ground_acceleration, load, q);
    model_.subtract_internal(d, v, q, rhs);
    model_.mass().multiply(u, a);
    for (int i = 0; i < n; ++i) {
      rhs[i] = (1 - p_.alpha_f) * q[i] + p_.alpha_f * s[i] - (p_.alpha_m - p_.alpha_f) * a[i];
    }
    factor_.solve(rhs);
    n_.multiply(rhs, a);  // M·a_i
    for (int i = 0; i < n; ++i) {
      s[i] = q[i] - a[i];
      u[i] = rhs[i];
      response.displacement[i] = d[i];
      response.velocity[i] = v[i] + p_.gamma * dt_ * u[i];
      p[i] = dt_ * (v[i] + dt_ * (0.5 + p_.gamma) * u[i]);
      d[i] += p[i];
      v[i] += dt_ * u[i];
      a[i] = u[i];
    }
  }

  int work_vectors() const override { return 2; }

  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override {
    MotionIntegrator::start(state, displacement, velocity, acceleration);
    double* u = state.at(last_u_);
    model_.mass().multiply(acceleration, u);
    start_factor_.solve(u);
    for (int i = 0; i < model_.size(); ++i) {
      state.at(velocity_)[i] -= p_.gamma * dt_ * u[i];
      state.at(unbalance_)[i] = 0;
    }
  }

 private:
  KrParameters p_;
  BandMatrix n_;
  BandFactor start_factor_, factor_;
  Segment last_u_, unbalance_;
};

const std::vector<Parameter> rho_parameter{
    {"rho_inf", "-", "1", "spectral radius at infinite frequency: 0 (most damping) to 1 (none)"}};

}  // namespace

/// α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1), γ = ½ − α_m + α_f, β = ¼(½ + γ)². ρ = 1 gives α2 = α1 =
/// α3·2 = CR's α: displacements then are CR's.
const IntegratorKind kr_alpha_kind{
    "kr-alpha",
    "Explicit, second order, stable at every step, damping chosen by rho_inf (Kolay & Ricles 2014)",
    "v' = v + dt a1 a;  d' = d + dt v + dt^2 a2 a;  a1 = (M + gamma dt C + beta dt^2 K)^-1 M, "
    "a2 = (1/2 + gamma) a1;  am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), "
    "gamma = 1/2 - am + af, beta = (1/2 + gamma)^2/4",
    rho_parameter, [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      const double rho = read_rho(context.section);
      const double m = (2 * rho - 1) / (rho + 1);
      const double f = rho / (rho + 1);
      const double gamma = 0.5 - m + f;
      return std::make_unique<KrAlpha>(context,
                                       KrParameters{m, f, 0.25 * (0.5 + gamma) * (0.5 + gamma), gamma});
    }};

/// The same scheme with the parameters of Kolay & Ricles 2019: α_m = (2ρ³ + ρ² − 1)/(ρ³ + ρ² + ρ + 1),
/// α_f = ρ/(ρ + 1), γ = ½ − α_m + α_f, β = ½(½ + γ). What they do: γ makes the scheme of second order;
/// with this β the paper's start from rest takes a displacement of infinite frequency to −1 times itself
/// (KR-α: to 1 − 4/(½ + γ), −3 for ρ = 1), so that it does not overshoot; and the characteristic equation
/// there becomes (λ + ρ)(λ² + ρ²) = 0 where KR-α has (λ + ρ)³ = 0, whose powers grow before they decay.
/// Programs and publications quote the square, ρ∞* = ρ²: their 0.5 is rho_inf = 0.7071 here, where
/// rho_inf is the spectral radius whatever the scheme.
const IntegratorKind mkr_alpha_kind{
    "mkr-alpha",
    "KR-alpha with less overshoot at high frequencies and larger period elongation (Kolay & Ricles 2019)",
    "as kr-alpha with am = (2 rho^3 + rho^2 - 1)/(rho^3 + rho^2 + rho + 1), af = rho/(rho + 1), "
    "gamma = 1/2 - am + af, beta = (1/2 + gamma)/2",
    {{"rho_inf", "-", "1",
      "spectral radius at infinite frequency: 0 to 1. Square root of the rho_inf* that publications on "
      "MKR-alpha quote: 0.7071 for their 0.5"}},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      const double rho = read_rho(context.section);
      const double m = (2 * rho * rho * rho + rho * rho - 1) / (rho * rho * rho + rho * rho + rho + 1);
      const double f = rho / (rho + 1);
      const double gamma = 0.5 - m + f;
      return std::make_unique<KrAlpha>(context, KrParameters{m, f, 0.5 * (0.5 + gamma), gamma});
    }};

}  // namespace gusset

#include "integrate/kinds.hpp"
#include "integrate/motion_integrator.hpp"

namespace gusset {

double read_hht_alpha(const Section& section);

namespace {

/// α-operator splitting (Nakashima, Kaminosono, Ishida & Ando 1990; Combescure & Pegon 1997,
/// eq. 10–16). The specimen goes to the explicit predictor d̃, and its force at the corrected d is
/// taken from the stiffness estimate, r ≈ r̃ + k̂·bᵀ(d − d̃):
///
///   q_i = F_i − C·v_i − K·d_i − Σ b·(r̃_i + k̂·bᵀ(d_i − d̃_i)),    M·a_i = (1 + α)·q_i − α·q_{i−1}
///   d_i = d̃_i + βΔt²·a_i,     v_i = ṽ_i + γΔt·a_i
///   d̃_{i+1} = d_i + Δt·v_i + (½ − β)Δt²·a_i,     ṽ_{i+1} = v_i + (1 − γ)Δt·a_i
///
/// with β = (1 − α)²/4, γ = ½ − α. On the linear numerical part it is HHT-α; with specimens it is
/// stable at every step if k̂ is not below their stiffness and the command ends on d̃ itself (profile
/// ramp or quadratic). No iteration: one measurement a step.
///
/// State: d (holds d̃, what the specimens are sent to), p, ṽ, q_{i−1} (n each). The response is that
/// of the corrected d_i. Start: d̃_0 = d_0 − βΔt²·a_0, ṽ_0 = v_0 − γΔt·a_0, q_{−1} = M·a_0.
class AlphaOs final : public MotionIntegrator {
 public:
  AlphaOs(const IntegratorContext& context, double alpha)
      : MotionIntegrator(context),
        alpha_(alpha),
        beta_(0.25 * (1 - alpha) * (1 - alpha)),
        gamma_(0.5 - alpha),
        factor_(model_.combine(1, (1 + alpha) * gamma_ * dt_, (1 + alpha) * beta_ * dt_ * dt_)) {
    net_ = context.layout.add("numerical", "net_force", "N", model_.size(), 1.0);
  }

  void advance(State& state, const Load& load, const Response& response) const noexcept override {
    const int n = model_.size();
    double* __restrict d = state.at(displacement_);
    double* __restrict p = state.at(increment_);
    double* __restrict w = state.at(velocity_);
    double* __restrict net = state.at(net_);
    double* __restrict a = response.acceleration;
    double* __restrict v = response.velocity;
    double* __restrict d_now = response.displacement;
    double* __restrict work = response.scratch;
    model_.load(load.ground_acceleration, load, a);
    model_.subtract_internal(d, w, a, work);
    for (int i = 0; i < n; ++i) a[i] = (1 + alpha_) * a[i] - alpha_ * net[i];
    factor_.solve(a);
    model_.mass().multiply(a, work);
    for (int i = 0; i < n; ++i) {
      net[i] = (work[i] + alpha_ * net[i]) / (1 + alpha_);
      d_now[i] = d[i] + beta_ * dt_ * dt_ * a[i];
      v[i] = w[i] + gamma_ * dt_ * a[i];
      p[i] = dt_ * (v[i] + 0.5 * dt_ * a[i]);  // d̃_{i+1} − d̃_i
      d[i] += p[i];
      w[i] = v[i] + (1 - gamma_) * dt_ * a[i];
    }
  }

  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override {
    MotionIntegrator::start(state, displacement, velocity, acceleration);
    for (int i = 0; i < model_.size(); ++i) {
      state.at(displacement_)[i] -= beta_ * dt_ * dt_ * acceleration[i];
      state.at(velocity_)[i] -= gamma_ * dt_ * acceleration[i];
    }
    model_.mass().multiply(acceleration, state.at(net_));
  }

 private:
  double alpha_, beta_, gamma_;
  BandFactor factor_;  ///< M + (1 + α)γΔt·C + (1 + α)βΔt²·(K + Σ b·k̂·bᵀ)
  Segment net_;
};

}  // namespace

const IntegratorKind alpha_os_kind{
    "alpha-os",
    "Operator splitting: explicit for the specimen, implicit for the rest, no iteration (Nakashima "
    "1990; Combescure & Pegon 1997)",
    "as hht-alpha, with r(d) = r(d~) + k^ (d - d~) at d~ = d + dt v + dt^2 (1/2 - beta) a",
    {{"alpha", "-", "-0.1", "-1/3 (most damping) to 0 (none)"}},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      return std::make_unique<AlphaOs>(context, read_hht_alpha(context.section));
    }};

}  // namespace gusset

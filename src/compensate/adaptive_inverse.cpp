#include "compensate/adaptive.hpp"
#include "compensate/kinds.hpp"
#include "compensate/lanes.hpp"

namespace gusset {
namespace {

/// Adaptive inverse compensation, AIC (Chen & Ricles 2010): inverse compensation whose α follows the
/// tracking indicator,
///
///   u_k = α·x_k − (α − 1)·x_{k−1},      α = α_0 + k_p·TI + k_i·∫TI dt
///   TI += ¼·[(y_k − y_{k−1})(x_k + x_{k−1}) − (x_k − x_{k−1})(y_k + y_{k−1})]
///
/// TI is taken positive where the measured motion lags, so that positive gains raise α there: the
/// negative of the indicator in the results (Mercan 2007), which falls with lag. Its unit is m², so
/// k_p is in 1/m² and k_i in 1/(m²·s). State: x, x', x'' of the sub-step before; TI, ∫TI and the
/// previous x and y for the adaptation.
class AdaptiveInverse final : public AdaptiveCompensator {
 public:
  AdaptiveInverse(const CompensatorContext& context, double alpha, double kp, double ki)
      : AdaptiveCompensator(context, {{"alpha", "-", dim::none, alpha, 1.0, 2 * alpha + 10}}, 0.01, 1e-4),
        alpha_(alpha),
        kp_(kp),
        ki_(ki),
        dt_(context.dt),
        history_(context, 1),
        memory_(memory(context, "indicator", 4)) {}

 private:
  Command compensate(State& state, const Command& target,
                     const SlewedParameters& alpha) const noexcept override {
    const double weights[] = {alpha.value[0], 1 - alpha.value[0]};
    const double rates[] = {alpha.rate[0], -alpha.rate[0]};
    const double curvatures[] = {alpha.curvature[0], -alpha.curvature[0]};
    return history_.apply(state, target, {weights, rates, curvatures});
  }
  void adapt(State& state, const Command& target, const Command&, double y,
             bool active) const noexcept override {
    double* m = state.at(memory_);  // TI, ∫TI, x, y
    const double x = target.value;
    if (active) {
      m[0] += 0.25 * ((y - m[3]) * (x + m[2]) - (x - m[2]) * (y + m[3]));
      m[1] += dt_ * m[0];
      const double proposed = alpha_ + kp_ * m[0] + ki_ * m[1];
      m[2] = x;
      m[3] = y;
      adopt(state, &proposed, y);
      return;
    }
    m[2] = x;
    m[3] = y;
  }
  void rest(State& state, double displacement) const noexcept override {
    double* m = state.at(memory_);
    m[0] = m[1] = 0;
    m[2] = m[3] = displacement;
  }
  void start_histories(State& state, double displacement) const override {
    history_.start(state, displacement);
  }

  double alpha_, kp_, ki_, dt_;
  LaneHistory history_;
  Segment memory_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double alpha = section.has("delay") ? 1 + section.non_negative("delay", dim::time) / context.dt
                                            : section.positive("alpha", dim::none);
  const Dimension per_area{.length = -2};
  const Dimension per_area_time{.length = -2, .time = -1};
  return std::make_unique<AdaptiveInverse>(context, alpha, section.number("kp", per_area, 0),
                                           section.number("ki", per_area_time, 0));
}

}  // namespace

const CompensatorKind adaptive_inverse_kind{
    "adaptive-inverse",
    "inverse compensation whose alpha follows the tracking indicator (Chen & Ricles 2010)",
    "u_k = alpha x_k - (alpha-1) x_{k-1},  alpha = alpha_0 + kp TI + ki int TI dt",
    {{"alpha", "-", "", "alpha_0; or give delay"},
     {"delay", "s", "", "alpha_0 = 1 + delay/rig.dt"},
     {"kp", "1/m^2", "0", "proportional gain"},
     {"ki", "1/(m^2*s)", "0", "integral gain"},
     {"alpha_min", "-", "1", "lower bound"},
     {"alpha_max", "-", "2 alpha_0 + 10", "upper bound"},
     GUSSET_ADAPTIVE_PARAMETERS},
    make};

}  // namespace gusset

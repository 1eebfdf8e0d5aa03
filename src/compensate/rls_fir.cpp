#include <cmath>
#include <numbers>

#include "compensate/adaptive.hpp"
#include "compensate/filtered_pair.hpp"
#include "compensate/kinds.hpp"
#include "compensate/lanes.hpp"

namespace gusset {
namespace {

constexpr int taps = FilteredPair::samples;

/// A finite impulse response as the rig's inverse, found by recursive least squares:
///
///   u_k = θ·[x_k … x_{k−3}]
///   e = u_f − θ·Y,  K = P·Y/(λ + YᵀPY),  θ += K·e,  P = (P − K·YᵀP)/λ,  Y = [y_f,k … y_f,k−3]
///
/// Starts at θ = [1 + τ/δ, −τ/δ, 0, 0] with P = P_0·I. Where λ < 1 and nothing excites it P would grow
/// without end: it is not forgotten beyond P_0.
class RecursiveLeastSquares final : public AdaptiveCompensator {
 public:
  RecursiveLeastSquares(const CompensatorContext& context, double e, double forgetting, double covariance,
                        double cutoff)
      : AdaptiveCompensator(context,
                            {{"theta1", "-", dim::none, 1 + e, -10 * (1 + e), 10 * (1 + e)},
                             {"theta2", "-", dim::none, -e, -10 * (1 + e), 10 * (1 + e)},
                             {"theta3", "-", dim::none, 0, -10 * (1 + e), 10 * (1 + e)},
                             {"theta4", "-", dim::none, 0, -10 * (1 + e), 10 * (1 + e)}},
                            0.01, 1e-3),
        history_(context, taps - 1),
        pair_(context, 2, cutoff),
        forgetting_(forgetting),
        covariance_(covariance),
        matrix_(memory(context, "covariance", taps * taps)) {}

 private:
  Command compensate(State& state, const Command& target,
                     const SlewedParameters& theta) const noexcept override {
    return history_.apply(state, target, {theta.value, theta.rate, theta.curvature});
  }
  void adapt(State& state, const Command&, const Command& command, double measured,
             bool active) const noexcept override {
    const double u = pair_.take(state, command.value, measured);
    if (!active) return;
    const double* y = pair_.recent(state);
    double* p = state.at(matrix_);
    const double* theta = values(state);
    double py[taps] = {};
    double error = u;
    double denominator = forgetting_;
    for (int i = 0; i < taps; ++i) {
      for (int j = 0; j < taps; ++j) py[i] += p[taps * i + j] * y[j];
      error -= theta[i] * y[i];
      denominator += y[i] * py[i];
    }
    double proposed[taps];
    for (int i = 0; i < taps; ++i) proposed[i] = theta[i] + py[i] / denominator * error;
    double trace = 0;
    for (int i = 0; i < taps; ++i) trace += p[taps * i + i];
    const double forget = trace < taps * covariance_ ? 1 / forgetting_ : 1;
    for (int i = 0; i < taps; ++i) {
      for (int j = 0; j < taps; ++j) {
        p[taps * i + j] = forget * (p[taps * i + j] - py[i] * py[j] / denominator);
      }
    }
    adopt(state, proposed, measured);
  }
  void rest(State& state, double displacement) const noexcept override {
    pair_.rest(state, displacement);
    for (int i = 0; i < taps * taps; ++i) state.at(matrix_)[i] = i % (taps + 1) == 0 ? covariance_ : 0;
  }
  void start_histories(State& state, double displacement) const override {
    history_.start(state, displacement);
  }

  LaneHistory history_;
  FilteredPair pair_;
  double forgetting_, covariance_;
  Segment matrix_;
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double forgetting = section.number("forgetting", dim::none, 0.9995);
  if (!(forgetting > 0) || forgetting > 1) {
    section.fail("forgetting", "the forgetting factor must lie above 0 and not above 1",
                 "write forgetting = 0.9995");
  }
  const double covariance =
      section.has("covariance") ? section.positive("covariance", Dimension{.length = -2}) : 1e6;
  return std::make_unique<RecursiveLeastSquares>(
      context, section.non_negative("delay", dim::time) / context.dt, forgetting, covariance,
      section.positive("cutoff", dim::frequency, 2 * std::numbers::pi * 20));
}

}  // namespace

const CompensatorKind rls_fir_kind{
    "rls-fir",
    "the rig's inverse as a finite impulse response, by recursive least squares",
    "u_k = theta [x_k ... x_{k-3}];  K = P Y/(lambda + Y'PY), theta += K e, P = (P - K Y'P)/lambda",
    {{"delay", "s", "", "tau; starts as the inverse compensator for it"},
     {"forgetting", "-", "0.9995", "lambda"},
     {"covariance", "1/m^2", "1e6 1/m^2", "P_0, and the most that is forgotten up to"},
     {"cutoff", "Hz", "20 Hz", "of the second-order Butterworth filter on u and y"},
     {"theta1_min", "-", "-10(1 + tau/dt)", "bounds; theta1 ... theta4"},
     {"theta1_max", "-", "10(1 + tau/dt)", ""},
     GUSSET_ADAPTIVE_PARAMETERS},
    make};

}  // namespace gusset

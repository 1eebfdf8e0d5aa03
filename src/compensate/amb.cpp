#include <cmath>
#include <numbers>

#include "compensate/adaptive.hpp"
#include "compensate/filtered_pair.hpp"
#include "compensate/kinds.hpp"
#include "compensate/lanes.hpp"

namespace gusset {
namespace {

constexpr int terms = FilteredPair::samples;

/// Adaptive model-based compensator, AMB (Gálmez & Fermandois 2022): the inverse of a third-order
/// actuator, its coefficients found by gradient descent,
///
///   u = a0·x + a1·x' + a2·x'' + a3·x'''            by backward differences at the rig's step
///   a' = Γ·φ·(u_f − a·φ)/(1 + φ·φ),  φ = [y_f y_f' y_f'' y_f''']
///
/// u_f and y_f through a fourth-order Butterworth filter; a_i ≥ 0. Γ is diagonal and spans many
/// decades: Γ_i = gain·(1 + A²)/(A²·ω_r^{2i}) makes the terms equally fast for a motion of amplitude A
/// and frequency ω_r. a(0) is [1, τ, τ²/2, τ³/6], or as given: the inverse of the actuator alone.
class AdaptiveModelBased final : public AdaptiveCompensator {
 public:
  AdaptiveModelBased(const CompensatorContext& context, const double* initial, const double* gains,
                     double cutoff)
      : AdaptiveCompensator(context,
                            {{"a0", "-", dim::none, initial[0], 0, 2},
                             {"a1", "s", dim::time, initial[1], 0, 0.2},
                             {"a2", "s^2", Dimension{.time = 2}, initial[2], 0, 0.02},
                             {"a3", "s^3", Dimension{.time = 3}, initial[3], 0, 1e-3}},
                            0.01, 1e-3),
        operator_(context, 3, true),
        pair_(context, 4, cutoff),
        dt_(context.dt) {
    for (int i = 0; i < terms; ++i) gains_[i] = gains[i];
  }

 private:
  Command compensate(State& state, const Command& target, const SlewedParameters& a) const noexcept override {
    return operator_.apply(state, target, {a.value, a.rate, a.curvature});
  }
  void adapt(State& state, const Command&, const Command& command, double y,
             bool active) const noexcept override {
    const double u = pair_.take(state, command.value, y);
    if (!active) return;
    double phi[terms];
    backward_differences(pair_.recent(state), dt_, phi);
    const double* a = values(state);
    double error = u;
    double norm = 1;
    for (int i = 0; i < terms; ++i) {
      error -= a[i] * phi[i];
      // In the units in which the terms are alike, so that y''' in m/s³ does not drown the rest.
      norm += gains_[i] / gains_[0] * phi[i] * phi[i];
    }
    double proposed[terms];
    for (int i = 0; i < terms; ++i) proposed[i] = a[i] + dt_ * gains_[i] * phi[i] * error / norm;
    adopt(state, proposed, y);
  }
  void rest(State& state, double displacement) const noexcept override { pair_.rest(state, displacement); }
  void start_histories(State& state, double displacement) const override {
    operator_.start(state, displacement, values(state)[0]);
  }

  DerivativeOperator operator_;
  FilteredPair pair_;
  double dt_;
  double gains_[terms];
};

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  using std::numbers::pi;
  const Section& section = context.section;
  const double tau = section.non_negative("delay", dim::time, 0);
  const double initial[terms] = {section.number("a0", dim::none, 1), section.number("a1", dim::time, tau),
                                 section.number("a2", Dimension{.time = 2}, tau * tau / 2),
                                 section.number("a3", Dimension{.time = 3}, tau * tau * tau / 6)};
  const double gain = section.number("gain", Dimension{.time = -1}, 1.0);
  const double amplitude = section.positive("amplitude", dim::length, 0.01);
  const double omega = section.positive("frequency", dim::frequency, 2 * pi * 5);
  double gains[terms];
  for (int i = 0; i < terms; ++i) {
    gains[i] = gain * (1 + amplitude * amplitude) / (amplitude * amplitude * std::pow(omega, 2 * i));
  }
  return std::make_unique<AdaptiveModelBased>(context, initial, gains,
                                              section.positive("cutoff", dim::frequency, 2 * pi * 20));
}

}  // namespace

const CompensatorKind amb_kind{
    "amb",
    "adaptive model-based: gradient descent on the actuator's inverse (Galmez & Fermandois 2022)",
    "u = a0 x + a1 x' + a2 x'' + a3 x''';  a' = G phi (u_f - a phi)/(1 + phi phi)",
    {{"delay", "s", "0 s", "tau; starts at [1, tau, tau^2/2, tau^3/6] unless a0 ... a3 are given"},
     {"a0", "-", "1", "start of a0"},
     {"a1", "s", "tau", "start of a1"},
     {"a2", "s^2", "tau^2/2", "start of a2"},
     {"a3", "s^3", "tau^3/6", "start of a3"},
     {"gain", "1/s", "1/s", "how fast it learns"},
     {"amplitude", "m", "10 mm", "of the motion the gains are scaled for"},
     {"frequency", "Hz", "5 Hz", "of the motion the gains are scaled for"},
     {"cutoff", "Hz", "20 Hz", "of the fourth-order Butterworth filter on u and y"},
     {"a0_max", "-", "2", "upper bounds; the lower ones are 0"},
     {"a1_max", "s", "0.2 s", ""},
     {"a2_max", "s^2", "0.02 s^2", ""},
     {"a3_max", "s^3", "1e-3 s^3", ""},
     GUSSET_ADAPTIVE_PARAMETERS},
    make};

}  // namespace gusset

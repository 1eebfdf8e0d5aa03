#include "rig/second_order.hpp"

#include <Eigen/Core>
#include <cmath>
#include <cstring>

#include "base/balance.hpp"

namespace gusset {

SecondOrderRig::SecondOrderRig(const RigContext& context, double frequency, double damping_ratio,
                               double delay)
    : omega_(frequency), zeta_(damping_ratio) {
  const double steps = delay / context.dt;
  if (steps > 1e6) {
    context.section.fail("delay", "the delay spans more than a million of the rig's steps",
                         "shorten rig.delay or lengthen rig.dt");
  }
  whole_ = static_cast<int>(std::floor(steps));
  fraction_ = steps - whole_;
  // A delay meant as a whole number of steps must not leave a sliver to rounding.
  if (fraction_ > 1 - 1e-9) {
    ++whole_;
    fraction_ = 0;
  } else if (fraction_ < 1e-9) {
    fraction_ = 0;
  }
  motion_ = context.layout.add(context.name, "actuator", "m", 2, 1e-3);
  history_ =
      context.layout.add(context.name, "history", "m", whole_ + (fraction_ > 0 ? 2 : 1), 1e-3);
  parts_[0] = transition((1 - fraction_) * context.dt);
  if (fraction_ > 0) parts_[1] = transition(fraction_ * context.dt);
  const double durations[] = {parts_[0].duration, fraction_ * context.dt};
  const SpecimenKind& kind = specimen_kind(context.specimen);
  end_acceleration_ =
      kind.traits(context.document, context.specimen, context.numerical_mass).acceleration;
  specimen_ = kind.make(context.specimen_context({durations, fraction_ > 0 ? 2U : 1U}));
}

SecondOrderRig::Transition SecondOrderRig::transition(double duration) const {
  // Time in units of the duration: z = [x, x'·h, u, Δu], so the exponential sees like magnitudes.
  const double w = omega_ * duration;
  Eigen::Matrix4d a = Eigen::Matrix4d::Zero();
  a(0, 1) = 1;
  a(1, 0) = -w * w;
  a(1, 1) = -2 * zeta_ * w;
  a(1, 2) = w * w;
  a(2, 3) = 1;
  const Eigen::Matrix4d e = exponential(a);
  return {e(0, 0),
          e(0, 1) * duration,
          e(0, 2),
          e(0, 3),
          e(1, 0) / duration,
          e(1, 1),
          e(1, 2) / duration,
          e(1, 3) / duration,
          duration};
}

Motion SecondOrderRig::move(double* x, double from, double to, int slot) const noexcept {
  const Transition& t = parts_[slot];
  const double du = to - from;
  const double v_start = x[1];
  const double x_end = t.xx * x[0] + t.xv * x[1] + t.x0 * from + t.x1 * du;
  const double v_end = t.vx * x[0] + t.vv * x[1] + t.v0 * from + t.v1 * du;
  x[0] = x_end;
  x[1] = v_end;
  const double acceleration = end_acceleration_
                                  ? omega_ * (omega_ * (to - x_end) - 2 * zeta_ * v_end)
                                  : (v_end - v_start) / t.duration;
  return {x_end, v_end, acceleration, v_start, slot};
}

double SecondOrderRig::advance(State& state, const Command& command,
                             double* measured) const noexcept {
  double* x = state.at(motion_);
  double* history = state.at(history_);
  const double u = command.displacement;
  // u(t − τ) at the start, at the kink, and at the end of the sub-step.
  const double newer = whole_ == 0 ? u : history[whole_ - 1];
  const double older = history[whole_];
  if (fraction_ > 0) {
    const double oldest = history[whole_ + 1];
    const double before = older + fraction_ * (oldest - older);
    specimen_->advance(state, move(x, before, older, 1));
    const double after = newer + fraction_ * (older - newer);
    measured[1] = specimen_->advance(state, move(x, older, after, 0));
  } else {
    measured[1] = specimen_->advance(state, move(x, older, newer, 0));
  }
  measured[0] = x[0];
  std::memmove(history + 1, history, sizeof(double) * static_cast<std::size_t>(history_.size - 1));
  history[0] = u;
  return measured[1];
}

void SecondOrderRig::start(State& state, const Motion& motion, double displacement, double velocity,
                           double* measured) const {
  state.at(motion_)[0] = motion.displacement;
  state.at(motion_)[1] = 0;
  for (int i = 0; i < history_.size; ++i) state.at(history_)[i] = motion.displacement;
  measured[0] = motion.displacement;
  const Motion rest{motion.displacement, 0, 0, 0, 0};
  measured[1] = specimen_->start(state, rest, displacement, velocity);
}

const RigKind second_order_rig_kind{
    "second-order",
    "an actuator and its controller as a second-order system, after an optional delay",
    "x'' + 2 zeta w x' + w^2 x = w^2 u(t - delay), u linear between samples",
    {{"frequency", "Hz", "", "w/2pi"},
     {"damping_ratio", "-", "", "zeta; the lag at low frequency is delay + 2 zeta/w"},
     {"delay", "s", "0", "pure delay in front; need not be a multiple of rig.dt"}},
    [](const RigContext& context) -> std::unique_ptr<Rig> {
      const Section& section = context.section;
      const double delay = section.non_negative("delay", dim::time, 0);
      return std::make_unique<SecondOrderRig>(
          context, section.positive("frequency", dim::frequency),
          section.non_negative("damping_ratio", dim::none), delay + context.extra_delay);
    }};

}  // namespace gusset

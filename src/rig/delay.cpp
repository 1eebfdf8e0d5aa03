#include "rig/delay.hpp"

#include <cmath>
#include <cstring>

#include "rig/ideal.hpp"

namespace gusset {
namespace {

constexpr int entries = 3;        ///< position, velocity, acceleration
constexpr double max_steps = 1e6;

/// The end of the part of a command piece that lies `before` seconds before the piece's end.
Motion cut(const double* end, double before, double start_velocity, int slot) noexcept {
  return {end[0] - before * (end[1] - 0.5 * before * end[2]), end[1] - before * end[2], end[2],
          start_velocity, slot};
}

}  // namespace

DelayRig::DelayRig(const RigContext& context, double delay) : dt_(context.dt) {
  require_acceleration(context);
  const double steps = delay / dt_;
  if (steps > max_steps) {
    context.section.fail("delay", "the delay spans more than a million of the rig's steps",
                         "shorten rig.delay or lengthen rig.dt");
  }
  whole_ = static_cast<int>(std::floor(steps));
  double part = steps - whole_;
  // A delay meant as a whole number of steps must not leave a sliver to rounding.
  if (part > 1 - 1e-9) {
    ++whole_;
    part = 0;
  } else if (part < 1e-9) {
    part = 0;
  }
  fraction_ = part * dt_;
  const int ages = whole_ + (fraction_ > 0 ? 1 : 0);
  history_ = context.layout.add(context.name, "history", "m", entries * ages, 1e-3);
  const double durations[] = {fraction_ > 0 ? dt_ - fraction_ : dt_, fraction_};
  specimen_ = specimen_kind(context.specimen)
                  .make(context.specimen_context({durations, fraction_ > 0 ? 2U : 1U}));
}

double DelayRig::advance(State& state, const Command& command, double* measured) const noexcept {
  double* history = state.at(history_);
  const double now[entries] = {command.displacement, command.velocity, command.acceleration};
  const double* late = whole_ == 0 ? now : history + entries * (whole_ - 1);
  if (fraction_ > 0) {
    const double* later = history + entries * whole_;
    specimen_->advance(state, cut(later, 0, later[1] - fraction_ * later[2], 1));
  }
  const Motion motion = cut(late, fraction_, late[1] - dt_ * late[2], 0);
  measured[0] = motion.displacement;
  const double force = specimen_->advance(state, motion);
  measured[1] = force;
  if (history_.size > 0) {
    std::memmove(history + entries, history,
                 sizeof(double) * static_cast<std::size_t>(history_.size - entries));
    for (int i = 0; i < entries; ++i) history[i] = now[i];
  }
  return force;
}

void DelayRig::start(State& state, const Motion& motion, double displacement, double velocity,
                     double* measured) const {
  double* history = state.at(history_);
  for (int i = 0; i < history_.size; i += entries) {
    history[i] = motion.displacement;
    history[i + 1] = history[i + 2] = 0;
  }
  measured[0] = motion.displacement;
  Motion rest = motion;
  if (history_.size > 0) rest.velocity = rest.start_velocity = rest.acceleration = 0;
  measured[1] = specimen_->start(state, rest, displacement, velocity);
}

const RigKind delay_rig_kind{
    "delay",
    "the specimen moves exactly as commanded, a fixed time late",
    "x(t) = command(t - delay)",
    {{"delay", "s", "", "how late; need not be a multiple of rig.dt"}},
    [](const RigContext& context) -> std::unique_ptr<Rig> {
      return std::make_unique<DelayRig>(
          context, context.section.non_negative("delay", dim::time) + context.extra_delay);
    }};

}  // namespace gusset

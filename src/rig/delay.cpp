#include "rig/delay.hpp"

#include <cmath>
#include <cstring>

#include "rig/force/kinds.hpp"
#include "rig/ideal.hpp"
#include "rig/signal_delay.hpp"

namespace gusset {
namespace {

constexpr int entries = 3;  ///< position, velocity, acceleration

/// The end of the part of a command piece that lies `before` seconds before the piece's end.
Motion cut(const double* end, double before, double start_velocity, int slot) noexcept {
  return {end[0] - before * (end[1] - 0.5 * before * end[2]), end[1] - before * end[2], end[2],
          start_velocity, slot};
}

}  // namespace

DelayRig::DelayRig(const RigContext& context, double delay) : SpecimenRig(context), dt_(context.dt) {
  require_acceleration(context);
  const DelaySteps steps = delay_steps(context.section, "delay", delay, dt_);
  whole_ = steps.whole;
  fraction_ = steps.fraction * dt_;
  const int ages = whole_ + (fraction_ > 0 ? 1 : 0);
  history_ = context.layout.add(context.name(), "history", "m", entries * ages, 1e-3);
  const double durations[] = {fraction_ > 0 ? dt_ - fraction_ : dt_, fraction_};
  specimen_ =
      specimen_kind(context.specimen).make(context.specimen_context({durations, fraction_ > 0 ? 2U : 1U}));
}

void DelayRig::advance(State& state, RigRow row, bool) const noexcept {
  const Command& command = row.command(0);
  double* measured = row.signals(0);
  double* history = state.at(history_);
  const double now[entries] = {command.value, command.rate, command.curvature};
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
}

void DelayRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  const Motion motion = motion_of(row.command(0));
  double* measured = row.signals(0);
  double* history = state.at(history_);
  for (int i = 0; i < history_.size; i += entries) {
    history[i] = motion.displacement;
    history[i + 1] = history[i + 2] = 0;
  }
  measured[0] = motion.displacement;
  Motion rest = motion;
  if (history_.size > 0) rest.velocity = rest.start_velocity = rest.acceleration = 0;
  measured[1] = specimen_->start(state, rest, specimen.displacement(0), specimen.velocity(0));
}

const RigKind delay_rig_kind{
    "delay",
    "the specimen moves exactly as commanded, or forces are, a fixed time late",
    "x(t) = command(t - delay);  F(t) = F_d(t - delay)",
    {Control::displacement, Control::force, Control::acceleration},
    {{"delay", "s", "", "how late; need not be a multiple of rig.dt; of forces one for all or a list"}},
    [](const RigContext& context) -> std::unique_ptr<Rig> {
      if (context.channels.front().control != Control::displacement) {
        context.section.list("delay", dim::time);  // says that it is missing
        return make_perfect_forces(context);
      }
      return std::make_unique<DelayRig>(context, context.section.non_negative("delay", dim::time));
    }};

}  // namespace gusset

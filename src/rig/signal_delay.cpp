#include "rig/signal_delay.hpp"

#include <cmath>
#include <cstring>

namespace gusset {

DelaySteps delay_steps(const Section& section, const char* key, double delay, double dt) {
  constexpr double most = 1e6;
  if (delay / dt > most) {
    section.fail(key, "the delay spans more than a million of the rig's steps",
                 "shorten it or lengthen rig.dt");
  }
  return delay_steps(delay, dt);
}

DelaySteps delay_steps(double delay, double dt) {
  const double steps = delay / dt;
  DelaySteps result{static_cast<int>(std::floor(steps)), 0};
  const double part = steps - result.whole;
  if (part > 1 - 1e-9) {
    ++result.whole;
  } else if (part > 1e-9) {
    result.fraction = part;
  }
  return result;
}

SignalDelay::SignalDelay(Layout& layout, const std::string& owner, const char* name, const char* unit,
                         const DelaySteps& steps, double scale)
    : steps_(steps) {
  history_ = layout.add(owner, name, unit, steps.whole + (steps.fraction > 0 ? 1 : 0), scale);
}

double SignalDelay::step(State& state, double value) const noexcept {
  if (history_.size == 0) return value;
  double* history = state.at(history_);
  double late = steps_.whole == 0 ? value : history[steps_.whole - 1];
  if (steps_.fraction > 0) late += steps_.fraction * (history[steps_.whole] - late);
  std::memmove(history + 1, history, sizeof(double) * static_cast<std::size_t>(history_.size - 1));
  history[0] = value;
  return late;
}

void SignalDelay::rest(State& state, double value) const {
  for (int i = 0; i < history_.size; ++i) state.at(history_)[i] = value;
}

LinearCommand::LinearCommand(const RigContext& context, double delay) : dt_(context.dt) {
  steps_ = delay_steps(context.section, "delay", delay, context.dt);
  history_ =
      context.layout.add(context.name(), "commands", "m", steps_.whole + (steps_.fraction > 0 ? 2 : 1), 1e-3);
}

LinearCommand::Parts LinearCommand::step(State& state, double u) const noexcept {
  double* history = state.at(history_);
  const double newer = steps_.whole == 0 ? u : history[steps_.whole - 1];
  const double older = history[steps_.whole];
  const double f = steps_.fraction;
  Parts parts{};
  if (f > 0) {
    const double oldest = history[steps_.whole + 1];
    parts = {{{older + f * (oldest - older), older, 1}, {older, newer + f * (older - newer), 0}}, 2};
  } else {
    parts.part[0] = {older, newer, 0};
    parts.count = 1;
  }
  std::memmove(history + 1, history, sizeof(double) * static_cast<std::size_t>(history_.size - 1));
  history[0] = u;
  return parts;
}

void LinearCommand::rest(State& state, double u) const {
  for (int i = 0; i < history_.size; ++i) state.at(history_)[i] = u;
}

std::vector<double> LinearCommand::durations() const {
  std::vector<double> all{(1 - steps_.fraction) * dt_};
  if (steps_.fraction > 0) all.push_back(steps_.fraction * dt_);
  return all;
}

}  // namespace gusset

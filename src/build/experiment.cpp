#include "build/experiment.hpp"

#include <algorithm>
#include <limits>

namespace gusset {

void Output::poison() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(structure.begin(), structure.end(), nan);
  std::fill(pieces.begin(), pieces.end(), Piece{nan, nan, nan});
  std::fill(planned.begin(), planned.end(), Piece{nan, nan, nan});
  std::fill(commands.begin(), commands.end(), Command{nan, nan, nan, nan});
  std::fill(rows.begin(), rows.end(), nan);
  std::fill(lines.begin(), lines.end(), nan);
  std::fill(measured.begin(), measured.end(), nan);
}

Output Experiment::output() const {
  Output output;
  const auto vectors = static_cast<std::size_t>(method_->wires());
  output.structure.resize(vectors * static_cast<std::size_t>(structure_.size()));
  output.pieces.resize(plan_.size());
  output.planned.resize(plan_.size());
  output.commands.resize(plan_.size());
  output.rows.resize(static_cast<std::size_t>(row_width_) * static_cast<std::size_t>(substeps_));
  output.lines.resize(method_->lines_size());
  output.measured.resize(2 * plan_.size());
  return output;
}

Response Experiment::response(Output& output) const noexcept {
  const std::ptrdiff_t n = structure_.size();
  double* wires = output.structure.data();
  return {wires, wires + n, wires + 2 * n, wires + 3 * n};
}

void Experiment::begin(State& state, const Input& input, Output& output) const noexcept {
  method_->begin(state, input, response(output), output.pieces.data(), output.lines.data());
  if (!compensated_) return;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    const Compensator* compensator = compensators_[c].get();
    output.planned[c] = compensator != nullptr ? compensator->plan(state, output.pieces[c])
                                               : output.pieces[c];
  }
}

inline void Experiment::command_channel(std::size_t channel, double s, State& state, double* row,
                                        Output& output) const noexcept {
  Command& command = output.commands[channel];
  evaluate(output.pieces[channel], s, rig_dt_, command);
  row += plan_[channel].first;
  row[0] = command.value;
  if (compensated_ && compensators_[channel] != nullptr) {
    evaluate(output.planned[channel], s, rig_dt_, command);
    command = compensators_[channel]->command(state, command);
    command.start_rate = command.rate - rig_dt_ * command.curvature;
  }
  row[1] = command.value;
}

void Experiment::command(int substep, State& state, Output& output) const noexcept {
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    command_channel(c, (substep + 1) * rig_dt_, state, row, output);
  }
}

void Experiment::rig(int substep, State& state, Output& output) const noexcept {
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  if (assembly_ != nullptr) {
    assembly_->advance(substep, state, output.commands.data(), {row, signal_rows_.data()});
    return;
  }
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    rigs_[c]->advance(state, output.commands[c], row + signal_rows_[c]);
  }
}

void Experiment::measure(int substep, State& state, const Output& output) const noexcept {
  const double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (const auto& [to, from] : feeds_) state.values[static_cast<std::size_t>(to)] = row[from];
}

void Experiment::observe(int substep, State& state, Output& output) const noexcept {
  if (!compensated_ && indicators_.empty()) return;
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < indicators_.size(); ++c) {
    indicators_[c].observe(state, row[plan_[c].first], row[plan_[c].measured],
                           row + plan_[c].indicators);
  }
  if (!compensated_) return;
  double* forces = state.at(method_->forces());
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    if (compensators_[c] == nullptr) continue;
    compensators_[c]->observe(state, {row[plan_[c].measured], row[plan_[c].force]},
                              row + plan_[c].compensator);
    if (assembly_ == nullptr) forces[c] = row[plan_[c].feedback];
  }
}

void Experiment::correct(int substep, State& state, Output& output) const noexcept {
  if (!method_->corrects_after(substep)) return;
  const double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    output.measured[c] = row[plan_[c].feedback];
    output.measured[plan_.size() + c] = row[plan_[c].measured];
  }
  method_->correct(substep, state, output.measured.data(), output.measured.data() + plan_.size(),
                   response(output), output.pieces.data(), output.lines.data());
  // Compensators at the integrator's step are refused where the target changes on the way.
  if (compensated_) std::copy(output.pieces.begin(), output.pieces.end(), output.planned.begin());
}

void Experiment::end(State& state, Output& output) const noexcept {
  if (method_->settles()) method_->end(state, output.lines.data());
  ++state.step;
}

void Experiment::step(State& state, const Input& input, Output& output) const noexcept {
  // Phases that have nothing to do are not even called: at this rate a call is felt.
  if (compensated_) {
    begin(state, input, output);
  } else {
    method_->begin(state, input, response(output), output.pieces.data(), output.lines.data());
  }
  if (assembly_ != nullptr) [[unlikely]] {
    for (int substep = 0; substep < substeps_; ++substep) {
      command(substep, state, output);
      rig(substep, state, output);
      measure(substep, state, output);
      observe(substep, state, output);
      correct(substep, state, output);
    }
    end(state, output);
    return;
  }
  double* row = output.rows.data();
  const bool observed = compensated_ || !indicators_.empty();
  double* forces = state.at(method_->forces());
  for (int substep = 0; substep < substeps_; ++substep, row += row_width_) {
    // Channel by channel instead of phase by phase: the same numbers in fewer passes.
    for (std::size_t c = 0; c < rigs_.size(); ++c) {
      command_channel(c, (substep + 1) * rig_dt_, state, row, output);
      forces[c] = rigs_[c]->advance(state, output.commands[c], row + plan_[c].first + 2);
    }
    if (observed) observe(substep, state, output);
    if (method_->corrects_after(substep)) correct(substep, state, output);
  }
  if (method_->settles()) method_->end(state, output.lines.data());
  ++state.step;
}

bool Experiment::affine() const {
  return (assembly_ == nullptr || assembly_->affine()) &&
         std::all_of(rigs_.begin(), rigs_.end(), [](const auto& rig) { return rig->affine(); }) &&
         std::all_of(method_->storeys().begin(), method_->storeys().end(),
                     [](const StoreyForce& storey) { return storey.restoring->affine(); });
}

const Limits& Experiment::limits_of(std::string_view signal) const {
  static const Limits none;
  for (const Channel& channel : channels_) {
    const std::string& name = channel.name();
    if (signal.size() > name.size() && signal.starts_with(name) && signal[name.size()] == '.') return channel.limits;
  }
  return none;
}

std::optional<Control> Experiment::control_of(std::string_view signal) const {
  for (const Channel& channel : channels_) {
    if (signal == channel.name() + ".target" || signal == channel.name() + ".command") return channel.control;
  }
  return std::nullopt;
}

std::vector<Guard> Experiment::guards() const {
  std::vector<Guard> guards;
  for (const Channel& channel : channels_) {
    const Limits& limits = channel.limits;
    Guard guard{channel.control != Control::displacement, Cause::none,         {},          limits.displacement,
                limits.velocity,                          limits.acceleration, limits.force};
    if (channel.control == Control::force) {
      guard.own_cause = Cause::force;
      guard.own = limits.force;
    } else if (channel.control == Control::acceleration) {
      guard.own_cause = Cause::acceleration;
      guard.own = limits.acceleration;
    }
    guards.push_back(guard);
  }
  return guards;
}

std::vector<Signal> Experiment::row_signals() const {
  std::vector<Signal> signals;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    const Channel& channel = channels_[c];
    const std::string prefix = channel.interface.name + ".";
    signals.push_back({prefix + "target", channel.unit()});
    signals.push_back({prefix + "command", channel.unit()});
    for (const Signal& signal : assembly_ ? assembly_->signals(c) : rigs_[c]->signals()) {
      signals.push_back({prefix + signal.name, signal.unit});
    }
    if (compensators_[c] != nullptr) {
      for (const CompensatorSignal& signal : compensators_[c]->signals()) {
        signals.push_back({prefix + "compensator." + signal.name, signal.unit});
      }
    }
    for (int i = 0; !indicators_.empty() && i < OnlineIndicators::signals; ++i) {
      const CompensatorSignal& signal = OnlineIndicators::signal(i);
      signals.push_back({prefix + "indicator." + signal.name, signal.unit});
    }
  }
  return signals;
}

}  // namespace gusset

#include "rig/force/sensed.hpp"

namespace gusset {
namespace {

/// Where the quantities of Sensors stand among a channel's signals; −1: not measured there.
constexpr int floor_places[Sensors::most] = {actuator_displacement, actuator_force, actuator_velocity,
                                             actuator_acceleration};
constexpr int table_places[Sensors::most] = {table_displacement, -1, table_velocity, table_acceleration};

}  // namespace

std::unique_ptr<Assembly> SensedAssembly::wrap(std::unique_ptr<Assembly> assembly,
                                               const AssemblyContext& context) {
  if (context.document.sections("sensor").empty()) return assembly;
  if (context.trials > 1) {
    throw InputError(context.document.sections("sensor").front()->where,
                     "sub-steps that only try the step have nothing that a sensor could measure",
                     "leave [sensor] out, or write feedback = \"sampled\"");
  }
  const int channels = static_cast<int>(context.names.size());
  std::vector<std::unique_ptr<Sensors>> sensors;
  for (int c = 0; c < channels; ++c) {
    const unsigned all = (1U << Sensors::most) - 1;
    const bool table = context.table && c == 0;
    sensors.push_back(Sensors::read({context.document, context.names[static_cast<std::size_t>(c)], c + 1,
                                     channels, context.layout, context.dt},
                                    table ? all & ~(1U << Sensors::force) : all));
  }
  return std::make_unique<SensedAssembly>(std::move(assembly), std::move(sensors), context.table);
}

SensedAssembly::SensedAssembly(std::unique_ptr<Assembly> assembly,
                               std::vector<std::unique_ptr<Sensors>> sensors, bool table)
    : assembly_(std::move(assembly)), sensors_(std::move(sensors)), table_(table) {
  for (std::size_t c = 0; c < sensors_.size(); ++c) {
    counts_.push_back(static_cast<int>(assembly_->signals(c).size()));
  }
}

void SensedAssembly::sense(std::size_t channel, State& state, double* signals) const noexcept {
  const int* places = table_ && channel == 0 ? table_places : floor_places;
  double* truth = signals + counts_[channel];
  for (int i = 0; i < Sensors::most; ++i) {
    if (places[i] < 0) continue;
    double& signal = signals[places[i]];
    *truth++ = signal;
    signal = sensors_[channel]->step(i, state, signal);
  }
}

void SensedAssembly::advance(bool trial, State& state, const Command* commands,
                             const Rows& rows) const noexcept {
  assembly_->advance(trial, state, commands, rows);
  for (std::size_t c = 0; c < sensors_.size(); ++c) {
    sense(c, state, rows.of(c));
    sensors_[c]->count(state);
  }
}

void SensedAssembly::start(State& state, const LinearStart& motion, const double* commands,
                           const Rows& rows) const {
  assembly_->start(state, motion, commands, rows);
  for (std::size_t c = 0; c < sensors_.size(); ++c) {
    const int* places = table_ && c == 0 ? table_places : floor_places;
    for (int i = 0; i < Sensors::most; ++i) {
      if (places[i] >= 0) sensors_[c]->rest(i, state, rows.of(c)[places[i]]);
    }
    // Through the sensors as any other sample, without moving them.
    State rest = state;
    sense(c, rest, rows.of(c));
    sensors_[c]->count(state);
  }
}

std::vector<Signal> SensedAssembly::signals(std::size_t channel) const {
  std::vector<Signal> all = assembly_->signals(channel);
  const int* places = table_ && channel == 0 ? table_places : floor_places;
  for (int i = 0; i < Sensors::most; ++i) {
    if (places[i] < 0) continue;
    const Signal& signal = all[static_cast<std::size_t>(places[i])];
    all.push_back({signal.name + "_true", signal.unit});
  }
  return all;
}

}  // namespace gusset

#include "rig/force/sensed.hpp"

namespace gusset {
namespace {

/// In the order of Sensors: displacement, force, velocity, acceleration.
constexpr int places[Sensors::most] = {actuator_displacement, actuator_force, actuator_velocity,
                                       actuator_acceleration};

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
  std::vector<std::unique_ptr<Sensors>> sensors(context.names.size());
  for (int c = context.table ? 1 : 0; c < channels; ++c) {
    const auto k = static_cast<std::size_t>(c);
    sensors[k] = Sensors::read({context.document, context.names[k], c + 1, channels, context.layout, context.dt},
                               Sensors::most);
  }
  return std::make_unique<SensedAssembly>(std::move(assembly), std::move(sensors));
}

SensedAssembly::SensedAssembly(std::unique_ptr<Assembly> assembly,
                               std::vector<std::unique_ptr<Sensors>> sensors)
    : assembly_(std::move(assembly)), sensors_(std::move(sensors)) {
  for (std::size_t c = 0; c < sensors_.size(); ++c) {
    counts_.push_back(static_cast<int>(assembly_->signals(c).size()));
  }
}

void SensedAssembly::advance(int substep, State& state, const Command* commands,
                             const Rows& rows) const noexcept {
  assembly_->advance(substep, state, commands, rows);
  for (std::size_t c = 0; c < sensors_.size(); ++c) {
    if (sensors_[c] == nullptr) continue;
    double* signals = rows.of(c);
    for (int i = 0; i < Sensors::most; ++i) {
      signals[counts_[c] + i] = signals[places[i]];
      signals[places[i]] = sensors_[c]->step(i, state, signals[places[i]]);
    }
    sensors_[c]->count(state);
  }
}

void SensedAssembly::start(State& state, const LinearStart& motion, const double* commands,
                           const Rows& rows) const {
  assembly_->start(state, motion, commands, rows);
  for (std::size_t c = 0; c < sensors_.size(); ++c) {
    if (sensors_[c] == nullptr) continue;
    double* signals = rows.of(c);
    for (int i = 0; i < Sensors::most; ++i) {
      const double value = signals[places[i]];
      signals[counts_[c] + i] = value;
      sensors_[c]->rest(i, state, value);
      // Through the sensor as any other sample, without moving it.
      State rest = state;
      signals[places[i]] = sensors_[c]->step(i, rest, value);
    }
    sensors_[c]->count(state);
  }
}

std::vector<Signal> SensedAssembly::signals(std::size_t channel) const {
  std::vector<Signal> all = assembly_->signals(channel);
  if (sensors_[channel] != nullptr) {
    all.push_back({"measured_true", "m"});
    all.push_back({"force_true", "N"});
    all.push_back({"velocity_true", "m/s"});
    all.push_back({"acceleration_true", "m/s^2"});
  }
  return all;
}

}  // namespace gusset

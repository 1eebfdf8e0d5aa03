#include "build/experiment.hpp"

#include <algorithm>

namespace gusset {

int PublishedRow::index(const std::string& name) const {
  const auto found =
      std::find_if(signals.begin(), signals.end(), [&](const Signal& signal) { return signal.name == name; });
  return found == signals.end() ? -1 : static_cast<int>(found - signals.begin());
}

void Experiment::put(const Input& input, Wires& wires) const noexcept {
  double* v = wires.at(ports_.input);
  v[0] = input.acceleration;
  v[1] = input.displacement;
  v[2] = input.increment;
  v[3] = input.next_increment;
  v[4] = input.next_acceleration;
}

bool Experiment::affine() const {
  return std::all_of(parts_.rigs.begin(), parts_.rigs.end(), [](const auto& rig) { return rig->affine(); }) &&
         std::all_of(parts_.storeys.begin(), parts_.storeys.end(),
                     [](const ListedStorey& storey) { return storey.restoring->affine(); });
}

std::optional<Control> Experiment::control_of(std::string_view signal) const {
  for (const Channel& channel : parts_.channels) {
    if (signal == channel.name() + ".target" || signal == channel.name() + ".command") return channel.control;
  }
  return std::nullopt;
}

const Channel* Experiment::channel_of(std::string_view signal) const {
  for (const Channel& channel : parts_.channels) {
    const std::string& name = channel.name();
    if (signal.size() > name.size() && signal.starts_with(name) && signal[name.size()] == '.')
      return &channel;
  }
  return nullptr;
}

std::vector<Guard> Experiment::guards() const {
  std::vector<Guard> guards;
  for (const Channel& channel : parts_.channels) {
    const Limits& limits = channel.limits;
    Guard guard{channel.control != Control::displacement,
                Cause::none,
                {},
                limits.displacement,
                limits.velocity,
                limits.acceleration,
                limits.force,
                limits.tracking_error,
                limits.energy,
                limits.force_error,
                limits.tare};
    // A load cell at rest shows its own zero, and little of the specimen.
    constexpr double share_of_range = 0.05;
    if (!guard.tare && guard.force) guard.tare = share_of_range * *guard.force;
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

}  // namespace gusset

#include "rig/sensor.hpp"

#include <cmath>

#include "base/noise.hpp"

namespace gusset {
namespace {

enum Purpose : std::uint64_t { noise_purpose = 0x100, loss_purpose = 0x200 };

const Section* section_of(const Sensors::Place& place) {
  const std::vector<const Section*> sections = place.document.sections("sensor");
  if (sections.empty()) return nullptr;
  if (sections.size() == 1) return sections.front();
  if (sections.size() != static_cast<std::size_t>(place.channels)) {
    throw InputError(sections.back()->where,
                     "there are " + std::to_string(sections.size()) + " sensors and " +
                         std::to_string(place.channels) + " channels",
                     "give one [sensor] for all, or one [[sensor]] for each");
  }
  return sections[static_cast<std::size_t>(place.number - 1)];
}

double optional(const Section& section, const char* key, const Dimension& dimension) {
  return section.has(key) ? section.non_negative(key, dimension) : 0;
}

}  // namespace

const char* Sensors::signal_of(Control control, int quantity) {
  // Displacement, force, velocity, acceleration.
  constexpr const char* of_displacement[most] = {"measured", "force", nullptr, nullptr};
  constexpr const char* of_force[most] = {"measured", "force", "velocity", "acceleration"};
  constexpr const char* of_table[most] = {"displacement", nullptr, "velocity", "measured"};
  switch (control) {
    case Control::displacement: return of_displacement[quantity];
    case Control::force: return of_force[quantity];
    case Control::acceleration: return of_table[quantity];
  }
  return nullptr;
}

const char* Sensors::unit_of(int quantity) {
  constexpr const char* units[most] = {"m", "N", "m/s", "m/s^2"};
  return units[quantity];
}

std::unique_ptr<Sensors> Sensors::read(const Place& place) {
  const Section* found = section_of(place);
  if (found == nullptr) return nullptr;
  const Section& section = *found;
  auto sensors = std::make_unique<Sensors>();
  const auto seed = static_cast<std::uint64_t>(section.integer("seed", 1, 0, 2147483647));
  sensors->key_ = scramble(seed << 16 | static_cast<std::uint64_t>(place.number));
  sensors->dropout_ = optional(section, "dropout", dim::none);
  if (sensors->dropout_ >= 1) {
    section.fail("dropout", "dropout = 1 or more: every sample would be lost", "give a probability below 1");
  }
  const std::string owner = place.name + ".sensor";
  Layout& layout = place.layout;
  const double common_delay = optional(section, "delay", dim::time);
  const double cutoff = section.positive("cutoff", dim::frequency, 0);
  const int order = section.integer("order", 2, 2, 8);
  if (order % 2 != 0) section.fail("order", "the filter's order must be even", "write order = 2");
  struct Keys {
    const char *noise, *bias, *resolution, *delay, *late, *filter, *last;
    Dimension dimension;
    double scale;
  };
  const Keys keys[most] = {
      {"displacement_noise", "displacement_bias", "displacement_resolution", "displacement_delay",
       "late_displacement", "displacement_filter", "last_displacement", dim::length, 1e-3},
      {"force_noise", "force_bias", "force_resolution", "force_delay", "late_force", "force_filter",
       "last_force", dim::force, 1.0},
      {"velocity_noise", "velocity_bias", "velocity_resolution", "velocity_delay", "late_velocity",
       "velocity_filter", "last_velocity", dim::velocity, 1e-3},
      {"acceleration_noise", "acceleration_bias", "acceleration_resolution", "acceleration_delay",
       "late_acceleration", "acceleration_filter", "last_acceleration", dim::acceleration, 1e-2}};
  for (int i = 0; i < most; ++i) {
    if (signal_of(place.control, i) == nullptr) continue;
    Channel& channel = sensors->channels_[i];
    const Keys& k = keys[i];
    channel.noise = optional(section, k.noise, k.dimension);
    channel.bias = section.number(k.bias, k.dimension, 0);
    channel.resolution = optional(section, k.resolution, k.dimension);
    const char* delay_key = section.has(k.delay) ? k.delay : "delay";
    const double delay = section.has(k.delay) ? section.non_negative(k.delay, dim::time) : common_delay;
    const char* unit = unit_of(i);
    channel.delay =
        SignalDelay(layout, owner, k.late, unit, delay_steps(section, delay_key, delay, place.dt), k.scale);
    if (cutoff > 0) channel.filter = LowPass(order, cutoff, place.dt);
    channel.filter_state = layout.add(owner, k.filter, unit, channel.filter.state_size(), k.scale);
    channel.last = layout.add(owner, k.last, unit, sensors->dropout_ > 0 ? 1 : 0, k.scale);
  }
  sensors->samples_ = layout.add(owner, "samples", "-", 1, 1, Layout::Kind::parameter);
  sensors->freeze_ = layout.add_branch(owner, "freeze");
  return sensors;
}

double Sensors::step(int quantity, State& state, double value) const noexcept {
  const Channel& channel = channels_[quantity];
  double y = channel.delay.step(state, value);
  if (channel.filter_state.size > 0) y = channel.filter.step(state.at(channel.filter_state), y);
  y += channel.bias;
  if (state.branches[static_cast<std::size_t>(freeze_)].value != 0) {
    if (channel.last.size > 0) *state.at(channel.last) = y;
    return y;
  }
  const auto sample = static_cast<std::uint64_t>(*state.at(samples_));
  const std::uint64_t own = key_ ^ static_cast<std::uint64_t>(quantity);
  if (channel.noise > 0) y += channel.noise * normal(own ^ noise_purpose, sample);
  if (channel.resolution > 0) y = channel.resolution * std::nearbyint(y / channel.resolution);
  if (channel.last.size > 0) {
    double& last = *state.at(channel.last);
    if (uniform(own ^ loss_purpose, sample) < dropout_) return last;
    last = y;
  }
  return y;
}

void Sensors::count(State& state) const noexcept { *state.at(samples_) += 1; }

void Sensors::rest(int quantity, State& state, double value) const {
  const Channel& channel = channels_[quantity];
  channel.delay.rest(state, value);
  if (channel.filter_state.size > 0) channel.filter.rest(state.at(channel.filter_state), value);
  if (channel.last.size > 0) *state.at(channel.last) = value + channel.bias;
}

const std::vector<Parameter>& sensor_keys() {
  static const std::vector<Parameter> keys{
      {"displacement_noise", "m", "0 m", "standard deviation of the noise, white at the rig's rate"},
      {"force_noise", "N", "0 N", "the same of the force"},
      {"velocity_noise", "m/s", "0 m/s", "the same of a floor's velocity, in tests under force control"},
      {"acceleration_noise", "m/s^2", "0 m/s^2", "the same of its acceleration"},
      {"displacement_bias", "m", "0 m", "added to every sample"},
      {"force_bias", "N", "0 N", "the same of the force"},
      {"velocity_bias", "m/s", "0 m/s", "the same of the velocity"},
      {"acceleration_bias", "m/s^2", "0 m/s^2", "the same of the acceleration"},
      {"displacement_resolution", "m", "0 m", "of the converter: samples are whole multiples of it"},
      {"force_resolution", "N", "0 N", "the same of the force"},
      {"velocity_resolution", "m/s", "0 m/s", "the same of the velocity"},
      {"acceleration_resolution", "m/s^2", "0 m/s^2", "the same of the acceleration"},
      {"cutoff", "Hz", "none", "of a Butterworth low-pass in front of the converter"},
      {"order", "-", "2", "of that filter: 2, 4, 6 or 8"},
      {"delay", "s", "0 s", "of the measurement; any fraction of rig.dt"},
      {"displacement_delay", "s", "delay", "the same of the displacement alone"},
      {"force_delay", "s", "delay", "the same of the force"},
      {"velocity_delay", "s", "delay", "the same of the velocity"},
      {"acceleration_delay", "s", "delay", "the same of the acceleration"},
      {"dropout", "-", "0", "probability that a sample is lost and the last one stands"},
      {"seed", "-", "1", "of all that is random"}};
  return keys;
}

}  // namespace gusset

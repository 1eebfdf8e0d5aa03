#include "rig/capacity.hpp"

#include <numbers>

namespace gusset {

bool Capacity::any() const {
  return table_stroke || table_velocity || table_acceleration || actuator_force || actuator_stroke ||
         actuator_flow;
}

Capacity read_capacity(const Section& section) {
  const auto maybe = [&](std::string_view key, const Dimension& dimension) {
    return section.has(key) ? std::optional<double>(section.positive(key, dimension)) : std::nullopt;
  };
  Capacity capacity;
  capacity.table_stroke = maybe("table_stroke", dim::length);
  capacity.table_velocity = maybe("table_velocity", dim::velocity);
  capacity.table_acceleration = maybe("table_acceleration", dim::acceleration);
  capacity.actuator_force = maybe("actuator_force", dim::force);
  capacity.actuator_stroke = maybe("actuator_stroke", dim::length);
  capacity.actuator_flow = maybe("actuator_flow", dim::flow);
  capacity.actuator_area = section.non_negative("actuator_area", dim::area, 0.0);
  capacity.table_mass = section.non_negative("table_mass", dim::mass, 0.0);
  if (section.has("highpass")) {
    capacity.highpass = section.positive("highpass", dim::frequency) / (2 * std::numbers::pi);
  }
  if (capacity.actuator_flow && !(capacity.actuator_area > 0)) {
    section.fail("actuator_area", "a limit on flow needs the piston's area",
                 "write actuator_area = \"20 cm^2\"");
  }
  return capacity;
}

}  // namespace gusset

#include "rig/delay.hpp"
#include "rig/ideal.hpp"
#include "rig/nonlinear.hpp"
#include "rig/plant_kinds.hpp"
#include "rig/rig.hpp"
#include "rig/sensor.hpp"
#include "rig/servo_kinds.hpp"

namespace gusset {

const std::vector<const RigKind*>& rig_kinds() {
  static const std::vector<const RigKind*> kinds{
      &ideal_rig_kind,    &delay_rig_kind,     &second_order_rig_kind, &shake_table_rig_kind,
      &actuator_rig_kind, &nonlinear_rig_kind, &transfer_rig_kind,     &blocks_rig_kind,
  };
  return kinds;
}

namespace {

RigCapacity read_rig_capacity(const Section& section) {
  const auto maybe = [&](const char* key, const Dimension& dimension) {
    return section.has(key) ? std::optional<double>(section.positive(key, dimension)) : std::nullopt;
  };
  return {maybe("stroke", dim::length),
          maybe("max_velocity", dim::velocity),
          maybe("max_acceleration", dim::acceleration),
          maybe("max_force", dim::force),
          maybe("max_flow", dim::flow),
          std::nullopt};
}

}  // namespace

const std::vector<Parameter>& capacity_keys() {
  static const std::vector<Parameter> keys{
      {"stroke", "m", "none", "to either side"},
      {"max_velocity", "m/s", "none", "without load"},
      {"max_acceleration", "m/s^2", "none", "of what it carries"},
      {"max_force", "N", "none", "at stall"},
      {"max_flow", "m^3/s", "none", "of the supply; compared where the piston's area is known"}};
  return keys;
}

std::unique_ptr<Rig> make_rig(const RigContext& context) {
  std::unique_ptr<Rig> rig = find_kind(rig_kinds(), context.section, "ideal").make(context);
  rig->declare(read_rig_capacity(context.section));
  if (std::unique_ptr<Sensors> sensors = Sensors::read(context)) {
    return std::make_unique<SensedRig>(std::move(rig), std::move(sensors));
  }
  return rig;
}

}  // namespace gusset

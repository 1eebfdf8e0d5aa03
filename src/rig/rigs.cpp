#include <algorithm>

#include "rig/delay.hpp"
#include "rig/force/kinds.hpp"
#include "rig/ideal.hpp"
#include "rig/nonlinear.hpp"
#include "rig/plant_kinds.hpp"
#include "rig/rig.hpp"
#include "rig/servo_kinds.hpp"

namespace gusset {

const std::vector<const RigKind*>& rig_kinds() {
  static const std::vector<const RigKind*> kinds{
      &ideal_rig_kind,        &delay_rig_kind,      &second_order_rig_kind, &shake_table_rig_kind,
      &actuator_rig_kind,     &nonlinear_rig_kind,  &transfer_rig_kind,     &blocks_rig_kind,
      &added_compliance_kind, &force_actuator_kind,
  };
  return kinds;
}

bool RigKind::takes(Control control) const {
  return std::find(controls.begin(), controls.end(), control) != controls.end();
}

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

const std::vector<Parameter>& capacity_keys() {
  static const std::vector<Parameter> keys{
      {"stroke", "m", "none", "to either side"},
      {"max_velocity", "m/s", "none", "without load"},
      {"max_acceleration", "m/s^2", "none", "of what it carries"},
      {"max_force", "N", "none", "at stall"},
      {"max_flow", "m^3/s", "none", "of the supply; compared where the piston's area is known"}};
  return keys;
}

namespace {

/// Refuses a kind that cannot do what a channel tells it.
void require_control(const RigKind& kind, const RigContext& context) {
  constexpr const char* told[] = {"displacements", "forces", "an acceleration"};
  for (const Channel& channel : context.channels) {
    if (kind.takes(channel.control)) continue;
    std::string others;
    for (const RigKind* other : rig_kinds()) {
      if (!other->takes(channel.control)) continue;
      others += (others.empty() ? "\"" : "\", \"") + std::string(other->name);
    }
    context.section.fail("kind",
                         "the channel " + channel.name() + " is told " +
                             told[static_cast<int>(channel.control)] + ", which rig.kind = \"" + kind.name +
                             "\" does not take",
                         "write one of " + others + "\"");
  }
}

}  // namespace

std::unique_ptr<Rig> make_rig(const RigContext& context) {
  const RigKind& kind = find_kind(rig_kinds(), context.section, "ideal");
  require_control(kind, context);
  std::unique_ptr<Rig> rig = kind.make(context);
  rig->declare(read_rig_capacity(context.section));
  return rig;
}

}  // namespace gusset

#include "rig/assembly.hpp"

#include <numbers>

#include "rig/force/kinds.hpp"
#include "rig/force/sensed.hpp"

namespace gusset {

std::vector<Signal> actuator_signals() {
  return {{"measured", "m"}, {"force", "N"}, {"velocity", "m/s"}, {"acceleration", "m/s^2"}};
}

std::vector<Signal> table_signals() {
  return {{"measured", "m/s^2"}, {"displacement", "m"}, {"velocity", "m/s"}};
}

TableStroke read_table_stroke(const Section& table) {
  return {table.positive("highpass", dim::frequency, 0.5 * 2 * std::numbers::pi),
          table.non_negative("highpass_damping", dim::none, std::numbers::sqrt2 / 2)};
}

const std::vector<const AssemblyKind*>& assembly_kinds() {
  static const std::vector<const AssemblyKind*> kinds = {&ideal_force_kind, &delayed_force_kind,
                                                         &added_compliance_kind, &force_actuator_kind};
  return kinds;
}

std::unique_ptr<Assembly> make_assembly(const AssemblyContext& context) {
  return SensedAssembly::wrap(find_kind(assembly_kinds(), context.section, "ideal").make(context), context);
}

}  // namespace gusset

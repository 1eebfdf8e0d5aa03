#pragma once

#include "rig/assembly.hpp"

namespace gusset {

extern const AssemblyKind ideal_force_kind;
extern const AssemblyKind delayed_force_kind;
extern const AssemblyKind added_compliance_kind;
extern const AssemblyKind force_actuator_kind;

}  // namespace gusset

#pragma once

#include "rig/rig.hpp"

namespace gusset {

extern const RigKind shake_table_rig_kind;
extern const RigKind actuator_rig_kind;

}  // namespace gusset

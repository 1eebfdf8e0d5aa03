#pragma once

#include "rig/rig.hpp"

namespace gusset {

extern const RigKind transfer_rig_kind;
extern const RigKind second_order_rig_kind;
extern const RigKind blocks_rig_kind;

}  // namespace gusset

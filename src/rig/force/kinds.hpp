#pragma once

#include "rig/rig.hpp"

namespace gusset {

extern const RigKind added_compliance_kind;
extern const RigKind force_actuator_kind;

/// Forces and table acceleration as they are commanded, each input the time `delay` of [rig] late.
std::unique_ptr<Rig> make_perfect_forces(const RigContext& context);

}  // namespace gusset

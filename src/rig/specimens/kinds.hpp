#pragma once

#include "rig/specimen.hpp"

namespace gusset {

extern const SpecimenKind mass_kind;
extern const SpecimenKind oscillator_kind;
extern const SpecimenKind spring_kind;
extern const SpecimenKind dashpot_kind;
extern const SpecimenKind sum_kind;

/// One line for each of restoring_kinds().
const std::vector<SpecimenKind>& restoring_specimen_kinds();

}  // namespace gusset

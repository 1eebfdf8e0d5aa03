#pragma once

#include "rig/specimen.hpp"

// The table of specimens, in the order of the reference: a line each, and nothing else to edit.
// KIND(name) is `const SpecimenKind name_kind` of the file that defines it.
#define GUSSET_SPECIMENS(KIND) \
  KIND(mass)                   \
  KIND(oscillator)             \
  KIND(spring)                 \
  KIND(dashpot)                \
  KIND(sum)

namespace gusset {

#define GUSSET_DECLARE(name) extern const SpecimenKind name##_kind;
GUSSET_SPECIMENS(GUSSET_DECLARE)
#undef GUSSET_DECLARE

/// One line for each of restoring_kinds().
const std::vector<SpecimenKind>& restoring_specimen_kinds();

}  // namespace gusset

#pragma once

#include "structure/restoring.hpp"

// The table of restoring forces, in the order of the reference: a line each, and nothing else to edit.
// KIND(name) is `const RestoringKind name_kind` of the file that defines it.
#define GUSSET_RESTORING_FORCES(KIND) \
  KIND(bilinear)                      \
  KIND(elastic_plastic)               \
  KIND(bouc_wen)                      \
  KIND(friction)                      \
  KIND(lugre)                         \
  KIND(viscous)                       \
  KIND(maxwell)                       \
  KIND(friction_pendulum)             \
  KIND(gap)

namespace gusset {

#define GUSSET_DECLARE(name) extern const RestoringKind name##_kind;
GUSSET_RESTORING_FORCES(GUSSET_DECLARE)
#undef GUSSET_DECLARE

}  // namespace gusset

#pragma once

#include "compensate/compensator.hpp"

// The table of compensators, in the order of the reference: a line each, and nothing else to edit.
// KIND(name) is `const CompensatorKind name_kind` of the file that defines it.
#define GUSSET_COMPENSATORS(KIND) \
  KIND(none)                      \
  KIND(linear_acceleration)       \
  KIND(derivative_feedforward)    \
  KIND(inverse)                   \
  KIND(polynomial)                \
  KIND(lagrange)                  \
  KIND(phase_lead)                \
  KIND(pi_lead)                   \
  KIND(dual)                      \
  KIND(model_based)               \
  KIND(smith)                     \
  KIND(adaptive_inverse)          \
  KIND(ats)                       \
  KIND(amb)                       \
  KIND(rls_fir)

namespace gusset {

#define GUSSET_DECLARE(name) extern const CompensatorKind name##_kind;
GUSSET_COMPENSATORS(GUSSET_DECLARE)
#undef GUSSET_DECLARE

}  // namespace gusset

#pragma once

#include "integrate/integrator.hpp"

// The table of integrators, in the order of the reference: a line each, and nothing else to edit.
// KIND(name) is `const IntegratorKind name_kind` of the file that defines it.
#define GUSSET_INTEGRATORS(KIND) \
  KIND(central_difference)       \
  KIND(newmark_explicit)         \
  KIND(newmark)                  \
  KIND(hht_alpha)                \
  KIND(generalized_alpha)        \
  KIND(alpha_os)                 \
  KIND(cr)                       \
  KIND(kr_alpha)                 \
  KIND(mkr_alpha)                \
  KIND(rosenbrock)               \
  KIND(exact)                    \
  KIND(rk4)

namespace gusset {

#define GUSSET_DECLARE(name) extern const IntegratorKind name##_kind;
GUSSET_INTEGRATORS(GUSSET_DECLARE)
#undef GUSSET_DECLARE

}  // namespace gusset

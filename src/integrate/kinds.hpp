#pragma once

#include "integrate/integrator.hpp"

namespace gusset {

extern const IntegratorKind newmark_explicit_kind;
extern const IntegratorKind newmark_kind;
extern const IntegratorKind hht_alpha_kind;
extern const IntegratorKind generalized_alpha_kind;
extern const IntegratorKind alpha_os_kind;
extern const IntegratorKind cr_kind;
extern const IntegratorKind kr_alpha_kind;
extern const IntegratorKind mkr_alpha_kind;
extern const IntegratorKind rosenbrock_kind;
extern const IntegratorKind exact_kind;
extern const IntegratorKind rk4_kind;

}  // namespace gusset

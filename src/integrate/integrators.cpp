#include "integrate/central_difference.hpp"
#include "integrate/kinds.hpp"

namespace gusset {

const std::vector<const IntegratorKind*>& integrator_kinds() {
  static const std::vector<const IntegratorKind*> kinds{
      &central_difference_kind, &newmark_explicit_kind, &newmark_kind, &hht_alpha_kind,
      &generalized_alpha_kind,  &alpha_os_kind,         &cr_kind,      &kr_alpha_kind,
      &mkr_alpha_kind,          &rosenbrock_kind,       &exact_kind,   &rk4_kind,
  };
  return kinds;
}

std::unique_ptr<Integrator> make_integrator(const IntegratorContext& context, const char* fallback) {
  return find_kind(integrator_kinds(), context.section, fallback).make(context);
}

}  // namespace gusset

#include "integrate/central_difference.hpp"
#include "integrate/integrator.hpp"

namespace gusset {

const std::vector<const IntegratorKind*>& integrator_kinds() {
  static const std::vector<const IntegratorKind*> kinds{
      &central_difference_kind,
  };
  return kinds;
}

std::unique_ptr<Integrator> make_integrator(const IntegratorContext& context) {
  return find_kind(integrator_kinds(), context.section, "central-difference").make(context);
}

}  // namespace gusset

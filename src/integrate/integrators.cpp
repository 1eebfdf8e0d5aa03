#include "integrate/kinds.hpp"

namespace gusset {

namespace {

std::vector<const IntegratorKind*>& table() {
#define GUSSET_LINE(name) &name##_kind,
  static std::vector<const IntegratorKind*> kinds{GUSSET_INTEGRATORS(GUSSET_LINE)};
#undef GUSSET_LINE
  return kinds;
}

}  // namespace

const std::vector<const IntegratorKind*>& integrator_kinds() { return table(); }
void add_kind(const IntegratorKind& kind) { add_to(table(), kind); }
void remove_kind(const IntegratorKind& kind) { remove_from(table(), kind); }

std::unique_ptr<Integrator> make_integrator(const IntegratorContext& context, const char* fallback) {
  return find_kind(integrator_kinds(), context.section, fallback).make(context);
}

}  // namespace gusset

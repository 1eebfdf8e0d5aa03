#include "structure/restoring/kinds.hpp"

namespace gusset {

namespace {

std::vector<const RestoringKind*>& table() {
#define GUSSET_LINE(name) &name##_kind,
  static std::vector<const RestoringKind*> kinds{GUSSET_RESTORING_FORCES(GUSSET_LINE)};
#undef GUSSET_LINE
  return kinds;
}

}  // namespace

const std::vector<const RestoringKind*>& restoring_kinds() { return table(); }
void add_kind(const RestoringKind& kind) { add_to(table(), kind); }
void remove_kind(const RestoringKind& kind) { remove_from(table(), kind); }

std::unique_ptr<Restoring> make_restoring(const RestoringContext& context) {
  return find_kind(restoring_kinds(), context.section).make(context);
}

}  // namespace gusset

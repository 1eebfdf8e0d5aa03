#include "structure/restoring/kinds.hpp"

namespace gusset {

const std::vector<const RestoringKind*>& restoring_kinds() {
  static const std::vector<const RestoringKind*> kinds{
      &bilinear_kind, &elastic_plastic_kind, &bouc_wen_kind,          &friction_kind, &lugre_kind,
      &viscous_kind,  &maxwell_kind,         &friction_pendulum_kind, &gap_kind,
  };
  return kinds;
}

std::unique_ptr<Restoring> make_restoring(const RestoringContext& context) {
  return find_kind(restoring_kinds(), context.section).make(context);
}

}  // namespace gusset

#pragma once

#include "structure/restoring.hpp"

namespace gusset {

extern const RestoringKind bilinear_kind;
extern const RestoringKind elastic_plastic_kind;
extern const RestoringKind bouc_wen_kind;
extern const RestoringKind friction_kind;
extern const RestoringKind lugre_kind;
extern const RestoringKind viscous_kind;
extern const RestoringKind maxwell_kind;
extern const RestoringKind friction_pendulum_kind;
extern const RestoringKind gap_kind;

}  // namespace gusset

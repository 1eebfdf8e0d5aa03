#pragma once

#include "compensate/compensator.hpp"

namespace gusset {

extern const CompensatorKind linear_acceleration_kind;
extern const CompensatorKind derivative_feedforward_kind;
extern const CompensatorKind inverse_kind;
extern const CompensatorKind polynomial_kind;
extern const CompensatorKind lagrange_kind;
extern const CompensatorKind phase_lead_kind;

}  // namespace gusset

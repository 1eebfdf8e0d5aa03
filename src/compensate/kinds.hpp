#pragma once

#include "compensate/compensator.hpp"

namespace gusset {

extern const CompensatorKind linear_acceleration_kind;
extern const CompensatorKind derivative_feedforward_kind;
extern const CompensatorKind inverse_kind;
extern const CompensatorKind polynomial_kind;
extern const CompensatorKind lagrange_kind;
extern const CompensatorKind phase_lead_kind;
extern const CompensatorKind adaptive_inverse_kind;
extern const CompensatorKind dual_kind;
extern const CompensatorKind pi_lead_kind;
extern const CompensatorKind ats_kind;
extern const CompensatorKind amb_kind;
extern const CompensatorKind rls_fir_kind;
extern const CompensatorKind model_based_kind;
extern const CompensatorKind smith_kind;

}  // namespace gusset

#include "compensate/kinds.hpp"

namespace gusset {
namespace {

const CompensatorKind none_kind{"none",
                                "the command is the target; keys of other kinds are ignored",
                                "u = x",
                                {},
                                [](const CompensatorContext& context) -> std::unique_ptr<Compensator> {
                                  // Switched off with --set compensator.kind=none: the keys of the other kind may stay.
                                  for (const Entry& entry : context.section.entries)
                                    context.section.find(entry.key);
                                  return nullptr;
                                }};

}  // namespace

const std::vector<const CompensatorKind*>& compensator_kinds() {
  static const std::vector<const CompensatorKind*> kinds{
      &none_kind,
      &linear_acceleration_kind,
      &derivative_feedforward_kind,
      &inverse_kind,
      &polynomial_kind,
      &lagrange_kind,
      &phase_lead_kind,
      &pi_lead_kind,
      &dual_kind,
      &model_based_kind,
      &smith_kind,
      &adaptive_inverse_kind,
      &ats_kind,
      &amb_kind,
      &rls_fir_kind,
  };
  return kinds;
}

std::unique_ptr<Compensator> make_compensator(const CompensatorContext& context) {
  return find_kind(compensator_kinds(), context.section, "none").make(context);
}

}  // namespace gusset

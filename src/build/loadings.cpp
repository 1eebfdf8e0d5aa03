#include "build/loadings.hpp"

#include "build/builder.hpp"

namespace gusset {
namespace {

const Parameter profile_key{"profile", "-", "b-spline", "how the command moves between the steps"};
const Parameter substeps_key{"substeps", "-", "10", "trials a step, with iterations"};

const LoadingKind displacement_loading{
    "displacement",
    "The numerical part is integrated, and each rig moves its specimen where its interface goes (Wu 2008)",
    "M_N a + C_N v + K_N d = F - sum b R_E;  target = b^T d",
    {{"reference", "-", "auto",
      "absolute: specimens move with the ground; relative: against a fixed floor; auto: as their masses "
      "need"},
     profile_key,
     {"compute_share", "-", "0.5", "part of a step that computing takes, with profile p1, p2 or p3"}},
    [](Builder& builder) { builder.read_displacement_test(); }};

const LoadingKind predefined_loading{
    "predefined",
    "Every channel follows [trajectory]: nothing is computed from what is measured",
    "target = x(t)",
    {{"profile", "-", "quadratic", "how the command moves between the steps"}},
    [](Builder& builder) { builder.read_displacement_test(); }};

const LoadingKind effective_force_loading{
    "effective-force",
    "The structure stands in the laboratory with a part of its mass; actuators apply the rest (Chen 2007)",
    "P = -M i a_g - M_v a;  M_v = diag(eta) M",
    {{"virtual_mass_ratio", "-", "",
      "eta: share of the mass that is computed; one for all floors, or one each"},
     {"predictor", "-", "direct",
      "direct: with the last measured acceleration; iterations: in sub-steps (eq. 5-7)"},
     {"extrapolate", "-", "every", "the Newton step at every sub-step, or before the last command only"},
     substeps_key},
    [](Builder& builder) { builder.read_force_test(); }};

const LoadingKind shake_table_loading{
    "shake-table",
    "Some storeys stand on a table with actuators at their floors, the rest is computed (Shao 2011)",
    "M_E x'' + C_E x' + K_E x = -M_E 1 a_t + F;  the load split by alpha_l, alpha_m, alpha_p",
    {{"alpha_l", "-", "0", "share of the base motion that the table makes"},
     {"alpha_m", "-", "0", "share of the mass that is computed; one for all floors, or one each"},
     {"alpha_p", "-", "0", "share of the interface force that the table makes"},
     {"feedback", "-", "sampled",
      "ideal, sampled, iterations or open-loop: where the motion of a command is from"},
     {"between", "-", "hold", "hold or ramp: how commands move between samples (iterations: ramp)"},
     substeps_key},
    [](Builder& builder) { builder.read_force_test(); }};

}  // namespace

const std::vector<const LoadingKind*>& loading_kinds() {
  static const std::vector<const LoadingKind*> kinds{&displacement_loading, &predefined_loading,
                                                     &effective_force_loading, &shake_table_loading};
  return kinds;
}

}  // namespace gusset

#include "compensate/kinds.hpp"
#include "compensate/linear.hpp"

namespace gusset {
namespace {

/// First-order phase lead by Tustin's rule, s = (2/δt)(z − 1)/(z + 1):
///
///   L(s) = (1 + (τ + T)·s)/(1 + T·s)
///
/// leads by τ at low frequency and by nothing at high frequency, where its gain is (τ + T)/T: a
/// larger `lag` T amplifies noise less and leads less. τ = 0 passes the target through.
std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const bool per_step = reads_per_step(section, false);
  const double dt = per_step ? context.integrator_dt : context.dt;
  const double delay = section.non_negative("delay", dim::time);
  const double lag = section.positive("lag", dim::time, dt);
  const double lead = delay + lag;
  return std::make_unique<LinearCompensator>(
      context, Coefficients{{dt + 2 * lead, dt - 2 * lead}, {dt + 2 * lag, dt - 2 * lag}}, per_step);
}

}  // namespace

const CompensatorKind phase_lead_kind{
    "phase-lead",
    "first-order lead",
    "L(s) = (1 + (tau + T) s)/(1 + T s), Tustin",
    {{"delay", "s", "", "tau, the delay it cancels at low frequency"},
     {"lag", "s", "rig.dt", "T, which limits the gain at high frequency to (tau + T)/T"},
     at_rig},
    make};

}  // namespace gusset

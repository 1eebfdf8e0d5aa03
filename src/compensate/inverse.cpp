#include "compensate/kinds.hpp"
#include "compensate/linear.hpp"

namespace gusset {
namespace {

/// Inverse compensation (Chen 2007; Chen 2008, section 3.3). An actuator that covers 1/α of the way
/// to its command in a step, y_k = y_{k−1} + (x_k − y_{k−1})/α (3.8), is inverted exactly by
///
///   u_k = α·x_k − (α − 1)·x_{k−1},    G_c = (α·z − (α − 1))/z                    (3.10, 3.11)
///
/// It cancels a delay of (α − 1)·δt at low frequency. α = 1 passes the target through.
std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const bool per_step = reads_per_step(section, false);
  double alpha = 1;
  if (section.has("delay")) {
    if (section.has("alpha")) {
      section.fail("delay", "both alpha and delay are given", "keep one of them");
    }
    alpha = 1 + section.non_negative("delay", dim::time) / (per_step ? context.integrator_dt : context.dt);
  } else {
    alpha = section.positive("alpha", dim::none);
  }
  return std::make_unique<LinearCompensator>(context, Coefficients{{alpha, -(alpha - 1)}, {1}}, per_step);
}

}  // namespace

const CompensatorKind inverse_kind{"inverse",
                                   "the inverse of a first-order actuator (Chen 2007)",
                                   "u_k = alpha x_k - (alpha-1) x_{k-1}  (Chen 2008, eq. 3.11)",
                                   {{"alpha", "-", "", "how many steps the actuator takes; or give delay"},
                                    {"delay", "s", "", "alpha = 1 + delay/step"},
                                    at_rig},
                                   make};

}  // namespace gusset

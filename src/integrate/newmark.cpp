#include "integrate/implicit_alpha.hpp"
#include "integrate/kinds.hpp"

namespace gusset {

/// ImplicitAlpha with α_m = α_f = 0 (Newmark 1959). Second order for γ = ½; unconditionally stable
/// for 2β ≥ γ ≥ ½, else up to ω·Δt = (γ/2 − β)^(−½) at γ = ½.
const IntegratorKind newmark_kind{
    "newmark",
    "Implicit; beta = 1/4, gamma = 1/2 is the average acceleration method, stable at every step",
    "M a' + C v' + K d' = F';  d' = d + dt v + dt^2 ((1/2 - beta) a + beta a');  "
    "v' = v + dt ((1 - gamma) a + gamma a')",
    {{"beta", "-", "0.25", "1/4: average acceleration; 1/6: linear acceleration"},
     {"gamma", "-", "0.5", "above 1/2: numerical damping, first order"},
     iterations_parameter},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      const Section& section = context.section;
      const double beta = section.number("beta", dim::none, 0.25);
      const double gamma = section.number("gamma", dim::none, 0.5);
      if (!(gamma >= 0.5 && gamma <= 2)) {
        section.fail("gamma", "gamma below 1/2 makes oscillations grow at every step, above 2 is useless",
                     "write gamma = 0.5");
      }
      if (!(beta >= 0 && beta <= 2)) {
        section.fail("beta", "beta must lie between 0 and 2", "write beta = 0.25");
      }
      return std::make_unique<ImplicitAlpha>(context, AlphaParameters{0, 0, beta, gamma});
    }};

}  // namespace gusset

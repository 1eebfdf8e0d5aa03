#include "integrate/implicit_alpha.hpp"
#include "integrate/kinds.hpp"

namespace gusset {

double read_hht_alpha(const Section& section) {
  const double alpha = section.number("alpha", dim::none, -0.1);
  if (!(alpha >= -1.0 / 3 && alpha <= 0)) {
    section.fail("alpha", "alpha must lie between -1/3 and 0 for a stable second-order method",
                 "write alpha = -0.1, or 0 for no numerical damping");
  }
  return alpha;
}

/// ImplicitAlpha with α_m = 0, α_f = −α, β = (1 − α)²/4, γ = ½ − α (Hilber, Hughes & Taylor 1977).
/// Second order and unconditionally stable for −1/3 ≤ α ≤ 0; spectral radius at infinite frequency
/// (1 + α)/(1 − α).
const IntegratorKind hht_alpha_kind{
    "hht-alpha",
    "Implicit, second order, stable at every step, damps high modes (Hilber, Hughes & Taylor 1977)",
    "M a' + (1 + alpha)(C v' + K d' - F') - alpha (C v + K d - F) = 0;  beta = (1 - alpha)^2/4, "
    "gamma = 1/2 - alpha",
    {{"alpha", "-", "-0.1", "-1/3 (most damping) to 0 (none)"}, iterations_parameter},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      const double alpha = read_hht_alpha(context.section);
      return std::make_unique<ImplicitAlpha>(
          context, AlphaParameters{0, -alpha, 0.25 * (1 - alpha) * (1 - alpha), 0.5 - alpha});
    }};

}  // namespace gusset

#include "integrate/implicit_alpha.hpp"
#include "integrate/kinds.hpp"

namespace gusset {

/// ImplicitAlpha with the parameters of least damping at low frequencies for a given spectral radius
/// ρ at infinite frequency (Chung & Hulbert 1993, eq. 17, 20 and 25):
///   α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  β = ¼(1 − α_m + α_f)²,  γ = ½ − α_m + α_f
const IntegratorKind generalized_alpha_kind{
    "generalized-alpha",
    "Implicit, second order, stable at every step, damping chosen by rho_inf (Chung & Hulbert 1993)",
    "M a(1-am) + C v(1-af) + K d(1-af) = F(1-af);  am = (2 rho - 1)/(rho + 1), af = rho/(rho + 1), "
    "beta = (1 - am + af)^2/4, gamma = 1/2 - am + af",
    {{"rho_inf", "-", "1", "spectral radius at infinite frequency: 0 (most damping) to 1 (none)"},
     iterations_parameter},
    [](const IntegratorContext& context) -> std::unique_ptr<Integrator> {
      const double rho = read_rho(context.section);
      AlphaParameters p;
      p.alpha_m = (2 * rho - 1) / (rho + 1);
      p.alpha_f = rho / (rho + 1);
      p.gamma = 0.5 - p.alpha_m + p.alpha_f;
      p.beta = 0.25 * (0.5 + p.gamma) * (0.5 + p.gamma);
      return std::make_unique<ImplicitAlpha>(context, p);
    }};

}  // namespace gusset

#include "compensate/kinds.hpp"
#include "compensate/linear.hpp"

namespace gusset {
namespace {

/// Linear acceleration extrapolation (Horiuchi & Konno 2001; Chen 2008, section 3.1). From the motion
/// at t_i and t_{i−1} it predicts where the target will be a time Δt + τ after t_i:
///
///   a^p = a_i + (Δt + τ)/Δt·(a_i − a_{i−1})                                     (3.1)
///   x^p = x_i + (Δt + τ)·v_i + (½ − β)(Δt + τ)²·a_i + β(Δt + τ)²·a^p            (3.2)
///
/// v and a being those of Newmark's method with β and γ, the two are one transfer function of the
/// displacements x_{i+1} → x^p_{i+1}, whose coefficients in z⁴ … z⁰ are Table 3.1; it runs as its
/// difference equation (3.3). (The second expression of eq. 3.1 as printed lost a 1: the coefficient
/// of a_{i−1} is −(1 + τ/Δt). Table 3.1 is right.)
///
/// For β > 0 the recursion finds the acceleration from displacements by a rule that is not stable:
/// the roots of 2β·z² + (1 + 2γ − 4β)·z + (1 − 2γ + 2β) include one at or outside the unit circle
/// (β = ¼, γ = ½: −1 twice; β = 1/6: −3.73). The frequency response is right, but a test with it
/// runs away; `analyze` says so.
Coefficients table_3_1(double tau, double beta, double gamma, double dt) {
  const double dt2 = dt * dt;
  const double dt3 = dt2 * dt;
  const double tau2 = tau * tau;
  const double tau3 = tau2 * tau;
  Coefficients c;
  c.a = {2 * beta * dt3, (1 + 2 * gamma - 4 * beta) * dt3, (1 - 2 * gamma + 2 * beta) * dt3, 0, 0};
  c.b = {0,
         (1 + 2 * gamma + 4 * beta) * dt3 + (1 + 6 * beta) * tau2 * dt +
             2 * (1 + gamma + 3 * beta) * tau * dt2 + 2 * beta * tau3,
         (1 - 2 * gamma - 10 * beta) * dt3 - 2 * (1 + 9 * beta) * tau2 * dt -
             2 * (1 + 2 * gamma + 9 * beta) * tau * dt2 - 6 * beta * tau3,
         8 * beta * dt3 + 2 * (gamma + 9 * beta) * tau * dt2 + (1 + 18 * beta) * tau2 * dt + 6 * beta * tau3,
         -2 * beta * dt3 - 6 * beta * tau * dt2 - 6 * beta * tau2 * dt - 2 * beta * tau3};
  if (beta == 0) {  // z⁴ has no coefficient: the function is proper in z³
    c.a.erase(c.a.begin());
    c.b.erase(c.b.begin());
  }
  return c;
}

std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double delay = section.non_negative("delay", dim::time);
  const double beta = section.non_negative("beta", dim::none, 0);
  const double gamma = section.non_negative("gamma", dim::none, 0.5);
  const bool per_step = reads_per_step(section, true);
  return std::make_unique<LinearCompensator>(
      context, table_3_1(delay, beta, gamma, per_step ? context.integrator_dt : context.dt), per_step);
}

}  // namespace

const CompensatorKind linear_acceleration_kind{
    "linear-acceleration",
    "extrapolates with linearly growing acceleration (Horiuchi & Konno 2001)",
    "x_p = x + (dt+tau) v + (1/2-beta)(dt+tau)^2 a + beta (dt+tau)^2 a_p  (Chen 2008, eq. 3.1-3.3)",
    {{"delay", "s", "", "tau, the delay to cancel"},
     {"beta", "-", "0", "Newmark's beta; above 0 the recursion is unstable in a loop"},
     {"gamma", "-", "0.5", "Newmark's gamma"},
     at_integrator},
    make};

}  // namespace gusset

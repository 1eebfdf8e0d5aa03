#include "compensate/kinds.hpp"
#include "compensate/linear.hpp"

namespace gusset {
namespace {

/// Derivative feedforward (Jung & Shing 2006; Chen 2008, section 3.2). The derivative of the target,
/// times K_ff, is added to the signal of a PI servo-controller; seen from outside its loop that is a
/// compensator in front of it,
///
///   G_c = (G_PID + G_ff)/G_PID,  G_PID = K_p(1 + δt/T_i/(1 − z⁻¹)),  G_ff = K_ff(z − 1)/(δt·z)   (3.5)
///
///   G_c = [(K_p·δt + K_p·δt²/T_i + K_ff)·z² − (2K_ff + K_p·δt)·z + K_ff]
///         / [K_p·δt·(1 + δt/T_i)·z² − K_p·δt·z]                                                  (3.6)
///
/// (eq. 3.7, its difference equation, lost one δt in print; 3.6 is right.) K_p is bare, T_i and K_ff
/// are times; K_ff/K_p is the delay it cancels at low frequency.
std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double kp = section.positive("kp", dim::none);
  const double ti = section.positive("ti", dim::time);
  const double kff = section.non_negative("kff", dim::time);
  const bool per_step = reads_per_step(section, false);
  const double dt = per_step ? context.integrator_dt : context.dt;
  return std::make_unique<LinearCompensator>(
      context,
      Coefficients{{kp * dt + kp * dt * dt / ti + kff, -(2 * kff + kp * dt), kff},
                   {kp * dt * (1 + dt / ti), -kp * dt}},
      per_step);
}

}  // namespace

const CompensatorKind derivative_feedforward_kind{
    "derivative-feedforward",
    "adds the target's derivative ahead of the servo-controller (Jung & Shing 2006)",
    "G = (G_PID + G_ff)/G_PID  (Chen 2008, eq. 3.6)",
    {{"kp", "-", "", "proportional gain of the servo-controller"},
     {"ti", "s", "", "its integral time"},
     {"kff", "s", "", "feedforward gain; kff/kp is the delay it cancels"},
     at_rig},
    make};

}  // namespace gusset

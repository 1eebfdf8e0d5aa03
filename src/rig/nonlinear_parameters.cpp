#include "rig/nonlinear.hpp"

#include <cmath>

namespace gusset {
namespace {

const Dimension flow_per_pressure = dim::flow / dim::pressure;

/// A large actuator: 250 gpm at 1000 psi (375 nominal), 75.5 in², ±20 in, 4.2 kip of payload.
NonlinearParameters large() {
  constexpr double psi = 6894.757293168;
  constexpr double gpm = 3.785411784e-3 / 60;
  constexpr double inch = 0.0254;
  NonlinearParameters p;
  p.supply = p.relief = 3000 * psi;
  p.back = 50 * psi;
  p.nominal_flow = 375 * gpm;
  p.rated_flow = 250 * gpm;
  p.rated_pressure = 1000 * psi;
  p.overlap = 0.001;
  p.area = 75.5 * inch * inch;
  p.stroke = 20 * inch;
  p.dead_length = 2 * inch;
  p.bulk_modulus = 1e5 * psi;
  p.mass = 4200 * 0.45359237;
  // 6 % of the critical damping of the oil column in the middle of the stroke.
  const double column = 2 * p.bulk_modulus * p.area / (p.stroke + p.dead_length);
  p.damping = 2 * 0.06 * std::sqrt(column * p.mass);
  return p;
}

std::unique_ptr<Rig> make(const RigContext& context) {
  const Section& s = context.section;
  const bool own = s.choice("parameters", {"large", "own"}, "large") == "own";
  NonlinearParameters p;
  ServoParameters control;
  if (!own) {
    p = large();
    control.kp = 120;
    control.kff = 10;
    control.delay = 5e-3;
  }
  const auto positive = [&](const char* key, const Dimension& dimension, double& value) {
    if (own || s.has(key)) value = s.positive(key, dimension);
  };
  const auto optional = [&](const char* key, const Dimension& dimension, double& value) {
    if (s.has(key)) value = s.non_negative(key, dimension);
  };
  positive("supply_pressure", dim::pressure, p.supply);
  optional("return_pressure", dim::pressure, p.back);
  if (!(p.back < p.supply)) {
    s.fail("return_pressure", "the return pressure is not below the supply's",
           "lower return_pressure or raise supply_pressure");
  }
  p.relief = p.supply;
  if (s.has("relief_pressure")) p.relief = s.positive("relief_pressure", dim::pressure);
  if (p.relief < p.supply) {
    s.fail("relief_pressure", "the relief valves open below the supply pressure",
           "give at least supply_pressure");
  }
  positive("rated_flow", dim::flow, p.rated_flow);
  positive("rated_pressure", dim::pressure, p.rated_pressure);
  if (own) p.nominal_flow = p.rated_flow;
  optional("nominal_flow", dim::flow, p.nominal_flow);
  if (p.nominal_flow < p.rated_flow) {
    s.fail("nominal_flow", "the nominal flow is below the rated one, which includes all losses",
           "give at least rated_flow");
  }
  optional("overlap", dim::none, p.overlap);
  if (p.overlap >= 1) s.fail("overlap", "the valve would never open", "write overlap = 0.001");
  if (s.has("full_drive")) p.full_drive = s.positive("full_drive", dim::voltage);
  positive("area", dim::area, p.area);
  positive("stroke", dim::length, p.stroke);
  positive("dead_length", dim::length, p.dead_length);
  positive("bulk_modulus", dim::pressure, p.bulk_modulus);
  positive("mass", dim::mass, p.mass);
  optional("leakage", flow_per_pressure, p.leakage);
  optional("damping", dim::damping, p.damping);
  p.inner_steps = s.integer("inner_steps", 0, 0, 10000);
  optional("delay", dim::time, control.delay);
  if (own || s.has("kp")) control.kp = s.non_negative("kp", dim::voltage / dim::length);
  control.ki = s.number("ki", dim::voltage / dim::length / dim::time, control.ki);
  control.kd = s.number("kd", dim::voltage / dim::velocity, control.kd);
  control.kff = s.number("kff", dim::voltage / dim::velocity, control.kff);
  control.kdp = s.number("kdp", dim::voltage / dim::pressure, control.kdp);
  control.force_delay = read_force_delay(s, context.dt);
  return std::make_unique<NonlinearActuator>(context, control, p);
}

}  // namespace

const RigKind nonlinear_rig_kind{
    "nonlinear-actuator",
    "a servo-hydraulic actuator with orifice flow, valve limits, two chambers and stroke ends",
    "o = clip(|u|/u_full - overlap, 0, 1),  Q = o K sgn(dp) sqrt|dp| / sqrt(1 + (o sigma)^2)\n"
    "K = Q_nom/sqrt(p_rated/2),  sigma = sqrt(1 - l^2)/l,  l = Q_rated/Q_nom\n"
    "p1' = beta/(A (L + x)) (Q1 - A x' - C_l (p1 - p2)),  L = stroke + dead_length\n"
    "p2' = beta/(A (L - x)) (A x' + C_l (p1 - p2) - Q2)\n"
    "m x'' = A (p1 - p2) - c x' - f;  0 <= p <= relief,  |x| <= stroke",
    {Control::displacement},
    {{"parameters", "word", "large", "\"large\" (1 MN, 0.5 m), or \"own\": all numbers given here"},
     {"supply_pressure", "Pa", "of the set", "p_s"},
     {"return_pressure", "Pa", "0 Pa", "p_r"},
     {"relief_pressure", "Pa", "supply_pressure", "no chamber goes above it"},
     {"rated_flow", "m^3/s", "of the set", "Q_rated of the open valve at rated_pressure"},
     {"rated_pressure", "Pa", "of the set", "drop over both ports at rated_flow"},
     {"nominal_flow", "m^3/s", "rated_flow", "Q_nom, without losses that grow with the opening"},
     {"overlap", "-", "0", "of the spool, as a share of its full opening"},
     {"full_drive", "V", "10 V", "u_full: opens the valve fully"},
     {"area", "m^2", "of the set", "A, of the piston"},
     {"stroke", "m", "of the set", "to either side"},
     {"dead_length", "m", "of the set", "of oil behind the piston at the end of its stroke"},
     {"bulk_modulus", "Pa", "of the set", "beta"},
     {"leakage", "m^3/s/Pa", "0", "C_l, across the piston"},
     {"mass", "kg", "of the set", "m, of piston and platen"},
     {"damping", "N*s/m", "0 N*s/m", "c"},
     {"delay", "s", "0 s", "from the controller to the valve; any fraction of rig.dt"},
     {"kp", "V/m", "of the set", "on the displacement error"},
     {"ki", "V/m/s", "0", "on its integral"},
     {"kd", "V*s/m", "0", "on the velocity error"},
     {"kff", "V*s/m", "0", "feed-forward of the command's velocity"},
     {"kdp", "V/Pa", "0", "on the pressure difference; negative damps"},
     {"force_delay", "s", "0", "of the measured force; a bare number counts samples"},
     {"inner_steps", "-", "0", "integration steps in a step of the rig; 0: as many as it takes"}},
    make};

}  // namespace gusset

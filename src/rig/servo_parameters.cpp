#include "rig/servo_parameters.hpp"

#include <string>

namespace gusset {
namespace {

const Dimension volts_per_length = dim::voltage / dim::length;
const Dimension volts_per_velocity = dim::voltage / dim::velocity;
const Dimension volts_per_pressure = dim::voltage / dim::pressure;
const Dimension flow_per_volt = dim::flow / dim::voltage;
const Dimension flow_per_pressure = dim::flow / dim::pressure;

/// Gains of Wu 2009, section IV; 39.4 V/m is 1 V/in.
struct Gains {
  const char* name;
  double kp, ki, kd, kff, kdp;
};
constexpr Gains wu_mass{"wu-mass", 39.4 * 5, 0, 8.5, 1.2, -2.15e-7};
constexpr Gains wu_dynamic{"wu-dynamic", 39.4 * 5, 0, 7.25, 1.25, -2.0e-7};

void apply(const Gains& gains, ServoParameters& p) {
  p.kp = gains.kp;
  p.ki = gains.ki;
  p.kd = gains.kd;
  p.kff = gains.kff;
  p.kdp = gains.kdp;
}

/// Calibrated so that the thresholds Wu reports come out: not the published values of any table.
ServoParameters rice_like() {
  ServoParameters p;
  p.area = 51e-4;
  p.flow_gain = 4.08e-3;
  p.volume = 1.38e-3;
  p.bulk_modulus = 6.9e8;
  p.leakage = 4.09e-11;
  p.mass = 400;
  p.delay = 2e-4;
  apply(wu_mass, p);
  return p;
}

/// Uniaxial table of LNEC, Lisbon.
ServoParameters lnec() {
  ServoParameters p;
  p.area = 0.012456;
  p.flow_gain = 1.9345e-3;
  p.volume = 2.659e-3;
  p.bulk_modulus = 1.937e8;
  p.leakage = 1.674e-10;
  p.mass = 1975.1;
  p.damping = 5780;
  p.valve_order = 1;
  p.valve_time = 0.0246;
  p.kp = 129.93;
  return p;
}

/// Table of Tsinghua University; its controller is not published, kp is chosen for a stable loop.
ServoParameters tsinghua() {
  ServoParameters p;
  p.area = 0.011;
  p.flow_gain = 4.9745e-3;
  p.flow_pressure = 2.5e-11;
  p.leakage = 3.56e-11;
  p.volume = 2.662e-3;
  p.bulk_modulus = 7e8;
  p.mass = 6000;
  p.delay = 2e-3;
  p.valve_order = 2;
  p.valve_frequency = 628.3;
  p.valve_damping = 0.7;
  p.kp = 30;
  return p;
}

/// The form of Carrion & Spencer: no valve dynamics, flow-pressure coefficient, proportional control.
/// Numbers chosen so that with a spring of 13.49 kN/m the continuous loop is the identified one,
/// 1.730e7/((s + 182.7)(s² + 225.3s + 9.499e4)).
ServoParameters carrion_spencer() {
  ServoParameters p;
  const double sum = 182.7 + 225.3;
  const double product = 9.499e4 + 182.7 * 225.3;
  const double constant = 182.7 * 9.499e4;
  const double gain = 1.730e7;
  p.mass = 100;
  p.area = 1.5e-3;
  p.bulk_modulus = 6.9e8;
  const double oil = product - (constant - gain) / sum;  // ω² of the oil column
  p.volume = 4 * p.bulk_modulus * p.area * p.area / (p.mass * oil);
  p.flow_pressure = sum * p.volume / (4 * p.bulk_modulus);
  p.flow_gain = 1.5e-4;
  p.kp = gain / oil * p.area / p.flow_gain;
  return p;
}

void read(const Section& section, const char* key, const Dimension& dimension, bool positive, bool needed,
          double& value) {
  if (!section.has(key) && !needed) return;
  value = positive ? section.positive(key, dimension) : section.non_negative(key, dimension);
}

void read_valve(const Section& section, ServoParameters& p) {
  if (section.has("valve")) {
    const std::string valve = section.choice("valve", {"none", "first-order", "second-order"});
    p.valve_order = valve == "none" ? 0 : valve == "first-order" ? 1 : 2;
  }
  if (p.valve_order == 1) {
    read(section, "valve_time", dim::time, true, p.valve_time == 0, p.valve_time);
  } else if (p.valve_order == 2) {
    read(section, "valve_frequency", dim::frequency, true, p.valve_frequency == 0, p.valve_frequency);
    read(section, "valve_damping_ratio", dim::none, true, p.valve_damping == 0, p.valve_damping);
  }
}

void read_gains(const Section& section, bool needed, ServoParameters& p) {
  if (section.has("gains")) {
    const std::string name = section.choice("gains", {wu_mass.name, wu_dynamic.name});
    apply(name == wu_mass.name ? wu_mass : wu_dynamic, p);
    needed = false;
  }
  if (needed || section.has("kp")) p.kp = section.non_negative("kp", volts_per_length);
  p.ki = section.number("ki", volts_per_length / dim::time, p.ki);
  p.kd = section.number("kd", volts_per_velocity, p.kd);
  p.kff = section.number("kff", volts_per_velocity, p.kff);
  p.kdp = section.number("kdp", volts_per_pressure, p.kdp);
}

}  // namespace

const std::vector<ServoSet>& table_sets() {
  static const std::vector<ServoSet> sets{
      {"rice-like", rice_like()}, {"lnec", lnec()}, {"tsinghua", tsinghua()}};
  return sets;
}

const std::vector<ServoSet>& actuator_sets() {
  static const std::vector<ServoSet> sets{
      {"carrion-spencer", carrion_spencer()}, {"lnec", lnec()}, {"tsinghua", tsinghua()}};
  return sets;
}

ServoParameters read_servo(const Section& section, const std::vector<ServoSet>& sets, const char* fallback) {
  std::vector<std::string_view> names{"own"};
  for (const ServoSet& set : sets) names.emplace_back(set.name);
  const std::string name = section.choice("parameters", names, fallback);
  ServoParameters p;
  bool own = true;
  for (const ServoSet& set : sets) {
    if (name != set.name) continue;
    p = set.values;
    own = false;
  }
  read(section, "area", dim::area, true, own, p.area);
  read(section, "flow_gain", flow_per_volt, true, own, p.flow_gain);
  read(section, "volume", dim::volume, true, own, p.volume);
  read(section, "bulk_modulus", dim::pressure, true, own, p.bulk_modulus);
  read(section, "leakage", flow_per_pressure, false, false, p.leakage);
  read(section, "flow_pressure", flow_per_pressure, false, false, p.flow_pressure);
  read(section, "mass", dim::mass, false, false, p.mass);
  read(section, "damping", dim::damping, false, false, p.damping);
  read(section, "delay", dim::time, false, false, p.delay);
  read_valve(section, p);
  read_gains(section, own, p);
  const std::vector<std::string_view> ways{"exact", "backward-difference"};
  p.difference_measured = section.choice("measured_velocity", ways, "exact") != "exact";
  p.difference_command = section.choice("command_velocity", ways, "exact") != "exact";
  p.command_at_end = section.choice("command_at", {"start", "end"}, "start") == "end";
  p.force_of_actuator = section.choice("force", {"specimen", "actuator"}, "specimen") == "actuator";
  return p;
}

double read_force_delay(const Section& section, double dt) {
  const Entry* entry = section.find("force_delay");
  if (entry == nullptr) return 0;
  if (entry->value.kind == Value::Kind::number) {
    return dt * section.non_negative("force_delay", dim::none);
  }
  return section.non_negative("force_delay", dim::time);
}

std::vector<Parameter> servo_keys(const char* set_default, const char* sets) {
  return {{"parameters", "word", set_default, sets},
          {"area", "m^2", "of the set", "A, of the piston"},
          {"flow_gain", "m^3/s/V", "of the set", "k_q, of the valve"},
          {"flow_pressure", "m^3/s/Pa", "0", "K_c: flow the valve loses to pressure"},
          {"leakage", "m^3/s/Pa", "0", "C_l, across the piston"},
          {"volume", "m^3", "of the set", "V, of oil in both chambers and lines"},
          {"bulk_modulus", "Pa", "of the set", "beta, of the oil as it is"},
          {"mass", "kg", "0 kg", "m, of piston and platen"},
          {"damping", "N*s/m", "0 N*s/m", "c"},
          {"delay", "s", "0 s", "tau, from the controller to the valve; any fraction of rig.dt"},
          {"valve", "word", "none", "\"none\", \"first-order\" or \"second-order\""},
          {"valve_time", "s", "", "T_v of a first-order valve"},
          {"valve_frequency", "Hz", "", "w_v/2pi of a second-order valve"},
          {"valve_damping_ratio", "-", "", "zeta_v of a second-order valve"},
          {"gains", "word", "", "\"wu-mass\" or \"wu-dynamic\": the gains of Wu 2009, section IV"},
          {"kp", "V/m", "of the set", "on the displacement error"},
          {"ki", "V/m/s", "0", "on its integral"},
          {"kd", "V*s/m", "0", "on the velocity error"},
          {"kff", "V*s/m", "0", "feed-forward of the command's velocity"},
          {"kdp", "V/Pa", "0", "on the pressure difference; negative damps"},
          {"measured_velocity", "word", "exact", "or \"backward-difference\" of the measured displacement"},
          {"command_velocity", "word", "exact", "or \"backward-difference\" of the sampled command"},
          {"command_at", "word", "start",
           "the command the controller sees: of the \"start\" of its step, or of its \"end\""},
          {"force", "word", "specimen",
           "what the load cell sees: the \"specimen\", or the \"actuator\" (A dp, so the platen too)"},
          {"force_delay", "s", "0", "of the measured force; a bare number counts samples"}};
}

}  // namespace gusset

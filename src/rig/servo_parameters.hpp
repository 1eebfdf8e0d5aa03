#pragma once

#include <vector>

#include "document/document.hpp"
#include "document/parameter.hpp"

namespace gusset {

/// The numbers of a ServoRig, SI throughout.
struct ServoParameters {
  double area = 0;           ///< A [m²]
  double flow_gain = 0;      ///< k_q [m³/s/V]
  double flow_pressure = 0;  ///< K_c [m³/s/Pa]
  double leakage = 0;        ///< C_l [m³/s/Pa]
  double volume = 0;         ///< V, of both chambers [m³]
  double bulk_modulus = 0;   ///< β [Pa]
  double mass = 0;           ///< m, of piston and platen [kg]
  double damping = 0;        ///< c [N·s/m]
  double delay = 0;          ///< τ [s]
  int valve_order = 0;
  double valve_time = 0;       ///< T_v [s]
  double valve_frequency = 0;  ///< ω_v [rad/s]
  double valve_damping = 0;    ///< ζ_v

  double kp = 0;   ///< [V/m]
  double ki = 0;   ///< [V/m/s]
  double kd = 0;   ///< [V·s/m]
  double kff = 0;  ///< [V·s/m]
  double kdp = 0;  ///< [V/Pa], negative to damp

  bool difference_measured = false;  ///< measured velocity as a backward difference
  bool difference_command = false;   ///< the command's
  bool command_at_end = false;       ///< of the sub-step, instead of its start
  bool force_of_actuator = false;    ///< A·Δp instead of the specimen's force
  double force_delay = 0;            ///< [s]
};

/// A set of numbers under a name.
struct ServoSet {
  const char* name;
  ServoParameters values;
};

/// Reads [rig]: `parameters` names a set (or `fallback` does), every key overrides a number of it;
/// `gains` names a controller's. Without a set every number must be given.
ServoParameters read_servo(const Section& section, const std::vector<ServoSet>& sets, const char* fallback);

const std::vector<ServoSet>& table_sets();     ///< of shake tables
const std::vector<ServoSet>& actuator_sets();  ///< of actuators, and tables given as such

/// `force_delay`: a time, or a bare number of samples.
double read_force_delay(const Section& section, double dt);

/// The keys, for the reference.
std::vector<Parameter> servo_keys(const char* set_default, const char* sets);

}  // namespace gusset

#include "rig/drives/servo.hpp"

namespace gusset {

DriveModel ServoDrive::model() const {
  DriveModel model = DriveModel::with_states({}, 1 + p_.valve_order);
  model.mass = p_.mass;
  model.damping = p_.damping;
  const double compliance = p_.volume / (4 * p_.bulk_modulus);
  model.velocity(0) = -p_.area / compliance;
  model.a(0, 0) = -(p_.leakage + p_.flow_pressure) / compliance;
  model.force(0) = p_.area;
  if (p_.valve_order == 0) {
    model.input(0) = p_.flow_gain / compliance;
    return model;
  }
  model.a(0, 1) = 1 / compliance;
  if (p_.valve_order == 1) {
    model.a(1, 1) = -1 / p_.valve_time;
    model.input(1) = p_.flow_gain / p_.valve_time;
  } else {
    const double w = p_.valve_frequency;
    model.a(1, 2) = 1;
    model.a(2, 1) = -w * w;
    model.a(2, 2) = -2 * p_.valve_damping * w;
    model.input(2) = w * w * p_.flow_gain;
  }
  return model;
}

double ServoDrive::rest(State& state, double, double displacement, double force, double* states) const {
  // The piston carries what holds the specimen, the valve what leaks meanwhile.
  const double pressure = force / p_.area;
  const double flow = (p_.leakage + p_.flow_pressure) * pressure;
  const double drive = flow / p_.flow_gain;
  states[0] = pressure;
  if (p_.valve_order > 0) states[1] = flow;
  if (p_.valve_order > 1) states[2] = 0;
  controller_.rest(state, displacement, pressure, drive);
  return drive;
}

std::vector<Signal> ServoDrive::signals() const {
  return {
      {"measured", "m"},  {"force", "N"}, {"measured_velocity", "m/s"}, {"measured_acceleration", "m/s^2"},
      {"pressure", "Pa"}, {"drive", "V"}};
}

double ServoDrive::measure(const Measured& measured, double* signals) const noexcept {
  signals[0] = measured.displacement;
  signals[2] = measured.velocity;
  signals[3] = measured.acceleration;
  signals[4] = measured.states[0];
  signals[5] = measured.input;
  return p_.force_of_actuator ? measured.own_force : measured.force;
}

RigCapacity ServoDrive::capacity(const RigCapacity& declared) const {
  RigCapacity capacity = declared;
  capacity.area = p_.area;
  return capacity;
}

}  // namespace gusset

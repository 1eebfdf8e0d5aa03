#include "rig/drives/force.hpp"

namespace gusset {

DriveModel TableDrive::model() const {
  DriveModel model = DriveModel::with_states({}, own() + 2);
  model.base = true;
  if (loop_.omega > 0) {
    model.a(0, 1) = 1;
    model.a(1, 0) = -loop_.omega * loop_.omega;
    model.a(1, 1) = -2 * loop_.zeta * loop_.omega;
    model.input(1) = loop_.omega * loop_.omega;
    model.force(0) = 1;
  } else {
    model.force_input = 1;
  }
  const int y = own();
  model.a(y, y + 1) = 1;
  model.a(y + 1, y) = -stroke_.omega * stroke_.omega;
  model.a(y + 1, y + 1) = -2 * stroke_.zeta * stroke_.omega;
  model.input(y + 1) = 1;
  return model;
}

double TableDrive::rest(State&, double command, double, double, double* states) const {
  if (loop_.omega > 0) {
    states[0] = command;
    states[1] = 0;
  }
  states[own()] = states[own() + 1] = 0;
  return command;
}

double TableDrive::measure(const Measured& measured, double* signals) const noexcept {
  signals[table_acceleration] = measured.own_force;
  signals[table_displacement] = measured.states[own()];
  signals[table_velocity] = measured.states[own() + 1];
  return 0;
}

}  // namespace gusset

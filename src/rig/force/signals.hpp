#pragma once

#include <vector>

#include "base/row.hpp"
#include "document/document.hpp"

// What actuators at the floors of a structure and a table under it measure.

namespace gusset {

/// Signals of an actuator's channel: force applied, and displacement, velocity and acceleration of its
/// floor relative to the base.
enum ActuatorSignal {
  actuator_displacement,
  actuator_force,
  actuator_velocity,
  actuator_acceleration,
  base_shear  ///< of the lowest floor only, and only where it is asked for
};
std::vector<Signal> actuator_signals();

/// Signals of a table's channel: what it does, and the displacement command that goes with it.
enum TableSignal { table_acceleration, table_displacement, table_velocity };
std::vector<Signal> table_signals();

/// The displacement command y that a high-pass makes of a table's acceleration u, from [table]:
///   ÿ = u − 2ζω·ẏ − ω²·y
struct TableStroke {
  double omega, zeta;
};
TableStroke read_table_stroke(const Section& table);

}  // namespace gusset

#pragma once

#include <optional>

#include "document/document.hpp"

namespace gusset {

/// What a laboratory's table and actuators can do, from [capacity]; absent: no limit.
struct Capacity {
  std::optional<double> table_stroke, table_velocity, table_acceleration;  ///< ±, SI
  std::optional<double> actuator_force, actuator_stroke, actuator_flow;
  double actuator_area = 0;  ///< of a piston: flow = area·velocity [m²]
  double table_mass = 0;     ///< of the platen [kg]
  double highpass = 0.5;     ///< corner of the table's displacement command [Hz]

  bool any() const;
};
Capacity read_capacity(const Section& section);

}  // namespace gusset

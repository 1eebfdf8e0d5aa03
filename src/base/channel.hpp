#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/interface.hpp"

namespace gusset {

/// What the machine of a channel is told.
enum class Control {
  displacement,  ///< [m]
  force,         ///< [N]
  acceleration,  ///< of a shake table [m/s²]
};

/// "displacement", "force", "acceleration".
inline const char* name_of(Control control) {
  constexpr const char* names[] = {"displacement", "force", "acceleration"};
  return names[static_cast<int>(control)];
}
/// The control of that name; nothing if there is none.
inline std::optional<Control> control_named(std::string_view name) {
  for (const Control control : {Control::displacement, Control::force, Control::acceleration}) {
    if (name == name_of(control)) return control;
  }
  return std::nullopt;
}
/// Of target and command.
inline const char* unit_of(Control control) {
  constexpr const char* units[] = {"m", "N", "m/s^2"};
  return units[static_cast<int>(control)];
}

/// What the user allows a channel: the test must stay inside. Absent: no limit.
struct Limits {
  std::optional<double> displacement, velocity, acceleration, force;
  std::optional<double> tracking_error;  ///< between target and measured displacement [m]
  std::optional<double> energy;          ///< that the tracking error feeds into the test [J]
  std::optional<double> force_error;     ///< between target and measured force, in force control [N]
  std::optional<double> tare;            ///< largest reading at rest that may be tared away [N]
};

/// What the equipment of a channel can do; absent: not known, or no limit.
struct RigCapacity {
  std::optional<double> stroke;        ///< to either side [m]
  std::optional<double> velocity;      ///< without load [m/s]
  std::optional<double> acceleration;  ///< [m/s²]
  std::optional<double> force;         ///< at stall [N]
  std::optional<double> flow;          ///< of the supply [m³/s]
  std::optional<double> area;          ///< of the piston, from velocity to flow [m²]
};

/// One thing that is commanded and measured.
struct Channel {
  Interface interface;  ///< where it acts on the structure, and its name
  Control control = Control::displacement;
  double ground = 0;  ///< how much of the ground's motion the target includes
  Limits limits = {};
  RigCapacity capacity = {};

  const std::string& name() const { return interface.name; }
  const char* unit() const { return unit_of(control); }
  /// The measured signal that is to follow the target.
  std::string followed() const { return name() + (control == Control::force ? ".force" : ".measured"); }
};

}  // namespace gusset

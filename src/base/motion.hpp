#pragma once

namespace gusset {

/// A motion of constant acceleration over a short piece of time: what a channel commands for one
/// sub-step, and what a rig imposes on its specimen.
struct Motion {
  double displacement = 0;    ///< at the end
  double velocity = 0;        ///< at the end
  double acceleration = 0;    ///< throughout
  double start_velocity = 0;  ///< at the start; differs from the last end where a profile jumps
  int slot = 0;               ///< which of the durations announced at building it lasts
};

/// A motion as it is asked for; lasts one step of the rig.
using Command = Motion;

}  // namespace gusset

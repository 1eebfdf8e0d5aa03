#pragma once

namespace gusset {

/// What a channel is told for one sub-step: a displacement, a force or an acceleration (see Control), and
/// how it gets there. The curvature is constant throughout.
struct Command {
  double value = 0;       ///< at the end
  double rate = 0;        ///< at the end
  double curvature = 0;   ///< throughout
  double start_rate = 0;  ///< at the start; differs from the last end where a profile jumps
};

/// A motion of constant acceleration over a short piece of time: what a rig imposes on its specimen.
struct Motion {
  double displacement = 0;    ///< at the end
  double velocity = 0;        ///< at the end
  double acceleration = 0;    ///< throughout
  double start_velocity = 0;  ///< at the start
  int slot = 0;               ///< which of the durations announced at building it lasts
};

/// The motion of a specimen that follows a displacement command exactly, over the rig's step.
inline Motion motion_of(const Command& command) noexcept {
  return {command.value, command.rate, command.curvature, command.start_rate, 0};
}

}  // namespace gusset

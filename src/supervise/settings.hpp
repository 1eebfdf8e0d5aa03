#pragma once

#include <array>
#include <optional>

#include "document/document.hpp"
#include "supervise/action.hpp"
#include "supervise/cause.hpp"

namespace gusset {

/// What to do when the loop, or the rig's answer, is late.
enum class OnMiss {
  trip,      ///< ramp down at the first miss: for hardware
  hold,      ///< repeat the last command for up to `misses` periods, then ramp down
  catch_up,  ///< wait for the answer and make up for lost time: for virtual rigs
};
const char* name_of(OnMiss policy);

/// A command is new to an actuator once a period and never sooner: time is not made up with hardware.
inline OnMiss policy_with(bool hardware, std::optional<OnMiss> chosen) {
  if (!hardware) return chosen.value_or(OnMiss::catch_up);
  return chosen.value_or(OnMiss::trip) == OnMiss::hold ? OnMiss::hold : OnMiss::trip;
}

/// What the limits of all channels have in common, from [limits], [limits.actions] and [realtime].
struct LimitSettings {
  std::optional<OnMiss> on_miss;    ///< absent: trip on hardware, catch up on a virtual rig
  int misses = 3;                   ///< periods in a row that `hold` allows
  std::optional<double> heartbeat;  ///< the peer is gone when it is silent this long [s]

  int stale = 5;        ///< periods in a row without new feedback
  double frozen = 0.1;  ///< feedback may stand still this long while commands move [s]
  std::array<std::optional<Action>, cause_count> actions;  ///< by cause; absent: the limit's own

  /// Unless the file says: short with hardware, patient with a virtual rig on a busy machine.
  double heartbeat_of(bool hardware) const { return heartbeat.value_or(hardware ? 0.1 : 1.0); }
};

/// Throws InputError.
LimitSettings read_limit_settings(const Document& document);

}  // namespace gusset

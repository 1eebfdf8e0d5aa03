#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/document.hpp"
#include "link/cause.hpp"
#include "link/fault.hpp"
#include "link/memory_map.hpp"
#include "realtime/action.hpp"

namespace gusset {

/// What to do when the loop, or the rig's answer, is late.
enum class OnMiss {
  trip,      ///< ramp down at the first miss: for hardware
  hold,      ///< repeat the last command for up to `misses` periods, then ramp down
  catch_up,  ///< wait for the answer and make up for lost time: for virtual rigs
};
const char* name_of(OnMiss policy);

/// [realtime], the limits of [limits] that only a running test has, [limits.actions], [[faults]] and [link].
struct RealtimeSettings {
  std::optional<OnMiss> on_miss;  ///< absent: trip on hardware, catch up on a virtual rig
  int misses = 3;                 ///< periods in a row that `hold` allows
  std::optional<double> heartbeat;  ///< the peer is gone when it is silent this long [s]
  double ramp = 2;                ///< time of the approach, at least [s]
  double fade_in = 0;             ///< the excitation grows to its span over this time [s]
  double fade_out = 1;            ///< time of the way back, at least [s]
  double span = 1;                ///< share of the excitation
  double longest_hold = 60;       ///< [s]
  int priority = 80;              ///< of SCHED_FIFO; 0: ordinary scheduling
  int core = -1;                  ///< -1: chosen by Gusset

  std::optional<double> tracking_error;  ///< [m]
  std::optional<double> energy;          ///< [J]
  int stale = 5;                         ///< periods in a row without new feedback
  double frozen = 0.1;                   ///< feedback may stand still this long while commands move [s]
  std::array<std::optional<Action>, cause_count> actions;  ///< by cause; absent: the limit's own

  std::vector<Fault> faults;
  MemoryMap memory;  ///< of a rig at memory:

  /// Unless the file says: short with hardware, patient with a virtual rig on a busy machine.
  double heartbeat_of(bool hardware) const { return heartbeat.value_or(hardware ? 0.1 : 1.0); }
};

/// Throws InputError.
RealtimeSettings read_realtime(const Document& document);

}  // namespace gusset

#pragma once

#include <vector>

#include "document/document.hpp"
#include "link/fault.hpp"
#include "link/memory_map.hpp"
#include "supervise/settings.hpp"

namespace gusset {

/// How a test runs: [realtime], the limits of all channels, [[faults]] and [link].
struct RealtimeSettings : LimitSettings {
  double ramp = 2;           ///< time of the approach, at least [s]
  double fade_in = 0;        ///< the excitation grows to its span over this time [s]
  double fade_out = 1;       ///< time of the way back, at least [s]
  double span = 1;           ///< share of the excitation
  double longest_hold = 60;  ///< [s]
  bool tare = true;          ///< what load cells show at rest is taken off, within limits.tare
  int priority = 80;         ///< of SCHED_FIFO; 0: ordinary scheduling
  int core = -1;             ///< -1: chosen by Gusset

  std::vector<Fault> faults;
  MemoryMap memory;  ///< of a rig at memory:
};

/// Throws InputError.
RealtimeSettings read_realtime(const Document& document);

}  // namespace gusset

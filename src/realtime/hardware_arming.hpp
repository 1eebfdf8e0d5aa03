#pragma once

#include <optional>
#include <string>
#include <vector>

#include "build/experiment.hpp"
#include "realtime/arming.hpp"
#include "realtime/kept_latency.hpp"

namespace gusset {

/// What a rig that can hurt somebody asks for besides. Nothing overrides the first five:
///   operator somebody has said that it may move
///   clock    never without one: commands would leave as fast as they are answered
///   on_miss  never "catch-up": time that is made up for moves iron faster than anyone allowed
///   limits   of every channel: stroke, velocity, force, and how far it may be from its target
///   faults   none left in the file
///   latency  of this machine and kernel, measured for minutes (--allow-degraded overrides)
std::vector<ArmingItem> examine_hardware(const Experiment& experiment, const ArmingOptions& options,
                                         const std::optional<KeptLatency>& latency);

/// The keys of [limits] that a channel of a real rig lacks.
std::vector<std::string> missing_limits(const Experiment& experiment, const Channel& channel);

}  // namespace gusset

#pragma once

#include "runs/recording_plan.hpp"
#include "session/session.hpp"

// What the run file of a test has beside its rows.

namespace gusset {

RecordingPlan plan_of(const Loaded& loaded, const SessionOptions& options);

/// Arming, commands of others, timing.
Closing closing_of(const SessionResult& result);

/// Reference and summary of the finished test, from what was recorded.
void complete(const Test& test, const RealtimeSettings& settings, Run& run);

}  // namespace gusset

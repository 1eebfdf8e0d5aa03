#pragma once

#include <string>
#include <vector>

#include "build/test.hpp"
#include "document/document.hpp"
#include "runs/recording_plan.hpp"
#include "supervise/cause.hpp"
#include "supervise/supervisor.hpp"

namespace gusset {

/// The tables of a run: those of `simulate`, named and ordered as there, and beside them
///   realtime   one row a command of the test: when and how the loop did its work
///   approach   the way to where the test starts, and retreat, the way back: commands and feedback
struct RunStreams {
  std::vector<StreamPlan> plans;
  std::size_t structure = 0;
  std::size_t rig = 0;  ///< same as structure where the rig runs at the integrator's rate
  std::size_t realtime = 0, approach = 0, retreat = 0;
  int storeys = 0;

  static constexpr std::size_t realtime_signals = 8;
};

RunStreams run_streams(const Test& test);

/// Codes of events: an event is a cause (0 … 99), a state entered (100 …), one of these, or the
/// cause for which the rig stopped by itself (300 …).
enum EventCode : std::uint16_t {
  state_entered = 100,
  deadline_missed = 200,
  answer_late = 201,
  tared = 203,
  held = 204,
  hold_asked = 210,  ///< by another process, over the socket; the value is its number
  resume_asked = 211,
  stop_asked = 212,
  stop_at_once_asked = 213,
  rig_stopped = 300,
};
std::vector<EventText> event_texts();

}  // namespace gusset

#include "supervise/supervisor.hpp"

namespace gusset {
namespace {

/// Something may be under pressure or in motion.
bool active(RunState state) {
  return state == RunState::arming || state == RunState::ramp || state == RunState::running ||
         state == RunState::hold || state == RunState::ramp_down;
}

/// A way back moves: what is wrong with motion or force is no smaller danger there.
bool of_motion(Cause cause) {
  return cause == Cause::stroke || cause == Cause::velocity || cause == Cause::acceleration ||
         cause == Cause::force || cause == Cause::tracking || cause == Cause::no_motion;
}

struct Step {
  std::int64_t time;
  SupervisorState next;

  void go(RunState state) {
    if (next.state == state) return;
    next.state = state;
    next.since = time;
  }
  /// The first cause is kept: later ones follow from it.
  void blame(Cause cause, Action action) {
    if (next.first_out == Cause::none) next.first_out = cause;
    if (action > next.action) next.action = action;
  }
};

}  // namespace

const char* name_of(RunState state) {
  constexpr const char* names[] = {"faulted", "ready", "arming",    "ramp",
                                   "running", "hold",  "ramp-down", "stopped"};
  return names[static_cast<int>(state)];
}

SupervisorState supervise(std::int64_t time, const SupervisorState& before, const SupervisorFlags& flags,
                          const SupervisorTimes& times) noexcept {
  Step step{time, before};
  const bool reset = flags.reset && !before.reset_before;
  const bool hold = flags.hold && !before.hold_before;
  const bool resume = flags.resume && !before.resume_before;
  step.next.reset_before = flags.reset;
  step.next.hold_before = flags.hold;
  step.next.resume_before = flags.resume;
  const bool trouble = flags.action >= Action::hold;

  if (flags.emergency || flags.action == Action::interlock) {
    if (active(before.state) || before.state == RunState::ready) {
      step.blame(flags.emergency ? Cause::emergency : flags.cause, Action::interlock);
      step.go(RunState::faulted);
    }
    return step.next;
  }
  switch (before.state) {
    case RunState::faulted:
    case RunState::stopped:
      if (reset && !trouble) {
        step.next.first_out = Cause::none;
        step.next.action = Action::none;
        step.go(RunState::ready);
      }
      break;
    case RunState::ready:
      if (trouble) {
        step.blame(flags.cause, flags.action);
        step.go(RunState::faulted);
      } else if (flags.arm) {
        step.go(RunState::arming);
      }
      break;
    case RunState::arming:
      // Nothing has moved yet: no way back is needed.
      if (trouble || flags.stop) {
        step.blame(trouble ? flags.cause : Cause::operator_stop, flags.action);
        step.go(trouble ? RunState::faulted : RunState::stopped);
      } else if (flags.armed) {
        step.go(RunState::ramp);
      }
      break;
    case RunState::ramp:
      if (trouble || flags.stop || hold) {
        step.blame(trouble ? flags.cause : Cause::operator_stop, flags.action);
        step.go(RunState::ramp_down);
      } else if (flags.arrived) {
        step.go(RunState::running);
      }
      break;
    case RunState::running:
      if (flags.action == Action::ramp_down || flags.stop) {
        step.blame(flags.action == Action::ramp_down ? flags.cause : Cause::operator_stop, flags.action);
        step.go(RunState::ramp_down);
      } else if (flags.action == Action::hold || hold) {
        step.go(RunState::hold);
      } else if (flags.finished) {
        step.go(RunState::ramp_down);
      }
      break;
    case RunState::hold:
      if (flags.action == Action::ramp_down || flags.stop) {
        step.blame(flags.action == Action::ramp_down ? flags.cause : Cause::operator_stop, flags.action);
        step.go(RunState::ramp_down);
      } else if (time - before.since >= times.longest_hold) {
        step.blame(Cause::hold_expired, Action::ramp_down);
        step.go(RunState::ramp_down);
      } else if (resume && !trouble) {
        step.go(RunState::running);
      }
      break;
    case RunState::ramp_down:
      if (trouble) step.blame(flags.cause, flags.action);
      if (trouble && of_motion(flags.cause) &&
          (flags.cause != before.first_out || time - before.since >= times.grace)) {
        step.blame(flags.cause, Action::interlock);
        step.go(RunState::faulted);
      } else if (flags.at_rest) {
        step.go(RunState::stopped);
      }
      break;
  }
  return step.next;
}

}  // namespace gusset

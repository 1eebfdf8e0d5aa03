#pragma once

#include <cstdint>

#include "supervise/action.hpp"
#include "supervise/cause.hpp"

namespace gusset {

/// Where a test is.
///
///   faulted ──reset──► ready ──arm──► arming ──armed──► ramp ──arrived──► running ◄──resume── hold
///      ▲                 ▲                                                │  │ └─────hold──────►│
///      │                 └──reset── stopped ◄──at rest── ramp-down ◄──────┘  └ finished, stop   │
///      └── interlock, from every state ──────────────────────▲──────── stop, too long ──────────┘
///
/// A test starts faulted: nothing moves before somebody has reset it, and a reset that was pressed all
/// along is no reset (it acts on its edge). On the way back a limit of motion or force that is passed anew is
/// an interlock, whatever it would have been before: there is no gentler way left.
enum class RunState : std::uint8_t { faulted, ready, arming, ramp, running, hold, ramp_down, stopped };
const char* name_of(RunState state);

/// What the supervisor is told at an instant. The operator's wishes are levels; the supervisor finds
/// the edges itself.
struct SupervisorFlags {
  bool reset = false, arm = false, hold = false, resume = false, stop = false, emergency = false;
  bool armed = false;            ///< everything that arming asks for is there
  bool arrived = false;          ///< the approach has reached where the test starts
  bool finished = false;         ///< the test is over
  bool at_rest = false;          ///< the way back is done
  Action action = Action::none;  ///< the most severe of the limits passed now,
  Cause cause = Cause::none;     ///< and which limit that is
};

struct SupervisorState {
  RunState state = RunState::faulted;
  Cause first_out = Cause::birth;     ///< what ended the test; what follows from it does not replace it
  Action action = Action::interlock;  ///< how severe that was
  std::int64_t since = 0;             ///< when the state began [ns]
  bool reset_before = true;           ///< level of the last instant
  bool hold_before = false, resume_before = false;

  friend bool operator==(const SupervisorState&, const SupervisorState&) = default;
};

struct SupervisorTimes {
  std::int64_t longest_hold = 60'000'000'000;  ///< then the test is ramped down [ns]
  /// The limit that began a way back may still be passed for this long, while the motion is braked [ns].
  std::int64_t grace = 500'000'000;
};

/// The next state: a pure function of time, state and flags. One instant of a flag is enough; nothing
/// that flickers goes unnoticed. @rt-safe
SupervisorState supervise(std::int64_t time, const SupervisorState& before, const SupervisorFlags& flags,
                          const SupervisorTimes& times) noexcept;

}  // namespace gusset

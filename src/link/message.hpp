#pragma once

#include <cstdint>

namespace gusset {

/// What the sender of a message is doing.
enum class LinkPhase : std::uint32_t {
  idle = 0,      ///< run: only answer, do not move; rig: waiting
  approach = 1,  ///< moving to where the test starts
  test = 2,      ///< the test itself
  hold = 3,      ///< standing still, to go on later
  retreat = 4,   ///< moving back to where it came from
  stop = 5,      ///< interlock: whatever moves, stop it now
  tripped = 6,   ///< rig: a limit of its own was passed; it stands still whatever is commanded
};

/// What both ends exchange once a sub-step, beside the numbers themselves: commands one way, what was
/// measured the other way.
struct Message {
  std::uint64_t sequence = 0;  ///< of the command, from 1; the answer carries the same
  std::int64_t time = 0;       ///< of the test at the end of the sub-step [ns]
  std::int64_t step = 0;
  std::int32_t substep = 0;
  LinkPhase phase = LinkPhase::idle;
  std::uint32_t cause = 0;  ///< rig: why it tripped (Cause)
};

}  // namespace gusset

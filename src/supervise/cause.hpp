#pragma once

#include <cstdint>

namespace gusset {

/// Why a test does not go on. The numbers are part of the links' protocol and of recorded events.
enum class Cause : std::uint32_t {
  none = 0,
  stroke = 1,  ///< displacement beyond its limit, commanded or measured
  velocity = 2,
  acceleration = 3,
  force = 4,
  tracking = 5,  ///< measured too far from where it was meant to be
  energy = 6,    ///< the tracking error feeds energy into the test
  stale = 7,     ///< no new feedback
  deadline = 8,  ///< the loop was late
  non_finite = 9,
  link = 10,  ///< the other end is gone
  recorder = 11,
  rig = 12,  ///< the rig tripped by itself, for a reason it did not give
  operator_stop = 13,
  emergency = 14,     ///< the operator, at once
  birth = 15,         ///< a supervisor starts faulted
  hold_expired = 16,  ///< nobody resumed in time
  frozen = 17,        ///< feedback comes, and brings nothing new
  no_motion = 18,     ///< commands move, and nothing moves
  sensor = 19,        ///< a sensor shows something else than the rehearsal
  tare = 20,          ///< a load cell shows too much at rest
};
inline constexpr std::uint32_t cause_count = 21;

/// "stroke", "lost link" …
const char* name_of(Cause cause);
/// One sentence for the operator.
const char* explain(Cause cause);

}  // namespace gusset

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "build/test.hpp"

namespace gusset {

// Rehearsals that show whether a nonlinear loop is stable: the test itself, twins of it, and what is left
// once the record is over.
//
// Watched are *motions*: the displacement of every floor, and the measured displacement of every channel
// that is told displacements relative to the ground; and *rates*: their difference quotients over a step,
// which see an alternating motion that a central difference does not. Forces and accelerations are watched
// for their size, never for a verdict: a chatter of 10 % of the peak force may be 0.01 % of the displacement.
// One scale a kind: the largest motion, and the largest rate, of the whole rehearsal.

/// The largest of each kind: over a rehearsal, or half of peak to peak over a window.
struct MotionSize {
  double motion = 0;  ///< [m]
  double rate = 0;    ///< [m/s]
  double force = 0;   ///< [N]
};

/// The rehearsal without its limits.
struct BaseRehearsal {
  MotionSize scale;
  std::vector<double> devices;  ///< the largest displacement of each device [m]
  double period = 0;            ///< T₁, of the lowest mode at rest [s]
  std::int64_t window = 0;      ///< steps of one T₁
  std::int64_t steps = 0;       ///< that were rehearsed
  std::int64_t started = 0;     ///< where twins begin: in motion, one T₁ after |a_g| ≥ 0.1 of its peak
  State start, end;             ///< at `started`, and at the end
  Wires start_row, end_row;     ///< the rows then
  std::optional<double> ran_away_at;  ///< a motion passed `bound`, or a number was not finite any more [s]
  double bound = 0;                   ///< run-away of the test, see MotionScale [m]

  bool moved() const { return scale.motion > 0; }
};
/// `devices`: whose displacement is looked at.
BaseRehearsal rehearse_base(const Test& test, const std::vector<Segment>& devices = {});

/// Two rehearsals that begin a finger apart: at `started` every velocity of the one is changed by
/// ±share·(rate scale), signs at random, everything else is equal. A blow, not a displacement, so that all that
/// is kept of the past (last displacements, commands on their way, bristles) stays true. An integrator that
/// keeps increments instead of velocities has those changed, by dt times as much.
///
///   D = max over motions and rates of |difference|/scale, largest within one T₁
///
/// Three seeds; the one that grows most is told.
struct Twins {
  bool judged = false;            ///< false: fewer than four T₁ were left, or the blow met nothing
  double share = 0;               ///< what they began apart, of the scale
  double growth = 0;              ///< D in the last T₁ / D in the first
  double rate = 0;                ///< slope of ln D over the second half [1/s], where D is above rounding
  double from = 0;                ///< [s]
  std::vector<double> seeds;      ///< growth of each
  std::vector<double> distances;  ///< D of every T₁, of the seed that grows most

  /// Apart by three times and still parting.
  bool part() const { return judged && growth > 3 && rate > 0; }
};
Twins rehearse_twins(const Test& test, const BaseRehearsal& base, double share = 1e-2);

/// What is left when the ground is still: the state at the end of the rehearsal goes on by itself, sensors
/// without noise, adaptive gains where they are. Amplitudes over five T₁ in the middle of 60 T₁ and at their
/// end. While they still fall the time is doubled, up to 240 T₁; it ends early where next to nothing is left
/// and ρ at rest says that nothing will come back. A loop that is unstable at rest is struck first, with a
/// thousandth of the test's rate: it may have come to rest by chance.
struct QuietTail {
  enum class Kind { none, decays, flat, grows };
  Kind kind = Kind::none;  ///< none: not rehearsed
  MotionSize amplitude;    ///< over the last five T₁, half of peak to peak
  double share = 0;        ///< the larger of motion and rate, each of its scale
  double log_ratio = 0;    ///< ln of end over middle
  double periods = 0;      ///< T₁ that were rehearsed
};
QuietTail rehearse_tail(const Test& test, const BaseRehearsal& base, bool stable_at_rest);

}  // namespace gusset

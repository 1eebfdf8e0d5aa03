#pragma once

#include <vector>

#include "build/test.hpp"
#include "link/message.hpp"
#include "supervise/guard.hpp"
#include "supervise/motion_watch.hpp"

namespace gusset {

/// The virtual rig as seen over a link: commands in, measured signals out, one sub-step a command. It
/// keeps limits of its own, which no message can change: a command beyond them, one that jumps faster than
/// they allow, or one that is not finite, is not followed; the rig trips, stands still and answers so until
/// the next session.
///
/// A limit has the unit m/s, and s is a second. Where the rig has a clock, each channel has time to its credit:
/// what has really passed, up to two periods more than the commands that were sent account for. A way of |Δx|
/// takes |Δx|/v of it; a command that needs more than there is is too fast, whatever its number is. So over any
/// time T a channel goes at most v·(T + two periods).
///
/// A command that comes again, or late, moves nothing: the last answer is given once more. So a link may
/// lose, repeat and reorder, and a caller asks again until it is answered.
///
/// The first command of phase `test` finds the rig where the experiment starts, whatever was done
/// before: only a virtual rig can do that, and it makes a test over any link the same as `simulate`.
class RigCore {
 public:
  explicit RigCore(const Test& test);

  static constexpr std::int64_t no_clock = -1;

  /// `now`: CLOCK_MONOTONIC [ns] where a rig lives in real time. @rt-safe
  void answer(const Message& command, const double* values, Message& reply, double* feedback,
              std::int64_t now = no_clock) noexcept;
  /// Goes on for one sub-step without a command: stands still where it was told to be last. @rt-safe
  void coast() noexcept;
  /// Stands still from now on. @rt-safe
  void trip(Cause cause) noexcept;
  Cause cause() const noexcept { return cause_; }
  /// For another session.
  void reset();

 private:
  void follow(int substep) noexcept;
  double jump(std::size_t channel, double to) const noexcept;
  bool too_hasty(std::size_t channel, double distance) noexcept;
  void read_feedback() noexcept;

  const Experiment& experiment_;
  Experiment::Start start_;
  State state_;
  Wires wires_;
  Frame frame_;
  std::vector<CommandPort> command_ports_;
  std::vector<Port> feedback_ports_;
  std::vector<Guard> guards_;
  std::vector<Guard> feedback_guards_;  ///< of each signal: displacement or force by its unit
  std::vector<double> feedback_;
  std::vector<Port> positions_;  ///< what each channel measures of its target
  std::vector<Command> last_;
  std::uint64_t sequence_ = 0;
  std::uint64_t followed_ = 0;           ///< sequence of the last command that moved anything; 0: none did
  std::vector<double> credit_;           ///< time each channel may still use [s]
  std::int64_t followed_at_ = no_clock;  ///< when the last command that moved anything came
  MotionWatch motion_;
  Message reply_;
  Cause cause_ = Cause::none;
  bool testing_ = false;
};

}  // namespace gusset

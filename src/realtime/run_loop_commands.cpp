#include <algorithm>
#include <cmath>

#include "realtime/run_loop.hpp"

// What the loop commands in each state, and how it leaves.

namespace gusset {

/// How fast a channel may travel: half of what its limit allows; 0: no limit.
double RunLoop::fastest(std::size_t channel) const noexcept {
  const Guard& guard = guards_[channel];
  return guard.force_control ? 0 : 0.5 * guard.velocity.value_or(0);
}

/// How a channel in motion is brought to rest: in a tenth of a second, or slower where its acceleration has
/// a limit, and never beyond its stroke.
Path::Brake RunLoop::brake(std::size_t channel) const noexcept {
  constexpr double soon = 0.1;  // [s]
  const Guard& guard = guards_[channel];
  const double velocity = last_[channel].rate;
  if (guard.force_control || !(std::abs(velocity) > 0)) return {};
  double time = soon;
  if (guard.acceleration) time = std::max(time, Path::brakes * std::abs(velocity) / *guard.acceleration);
  if (guard.displacement) {
    const double outward = velocity > 0 ? last_[channel].value : -last_[channel].value;
    const double room = 0.9 * (*guard.displacement - outward);
    time = std::min(time, room / (Path::leads_on * std::abs(velocity)));
  }
  return time > 2 * experiment_.rig_dt() ? Path::Brake{velocity, time} : Path::Brake{};
}

/// What is to be sent in the state that we are in.
void RunLoop::prepare() noexcept {
  new_command_ = true;
  switch (supervisor_.state) {
    case RunState::faulted:
    case RunState::ready:
    case RunState::arming:
    case RunState::stopped:
      phase_ = supervisor_.state == RunState::faulted && supervisor_.first_out != Cause::birth
                   ? LinkPhase::stop
                   : LinkPhase::idle;
      commands_ = last_;  // same sizes: nothing is allocated
      for (Command& command : commands_) {
        command.rate = command.curvature = command.start_rate = 0;
      }
      break;
    case RunState::ramp:
    case RunState::ramp_down:
      phase_ = supervisor_.state == RunState::ramp ? LinkPhase::approach : LinkPhase::retreat;
      for (std::size_t c = 0; c < commands_.size(); ++c) {
        commands_[c] = travel_.next(c, experiment_.rig_dt());
      }
      break;
    case RunState::running:
      phase_ = LinkPhase::test;
      if (awaiting_) {
        new_command_ = false;
        commands_ = last_;
      } else if (!cursor_.finished()) {
        commands_ = cursor_.commands();
      }
      break;
    case RunState::hold:
      phase_ = LinkPhase::hold;
      commands_ = last_;
      // An answer of the test is still on its way: ask for it, do not overtake it.
      if (awaiting_) {
        phase_ = LinkPhase::test;
        new_command_ = false;
        break;
      }
      for (Command& command : commands_) {
        command.rate = command.curvature = command.start_rate = 0;
      }
      break;
  }
}

void RunLoop::send() noexcept {
  if (supervisor_.state == RunState::faulted) {
    if (supervisor_.first_out == Cause::birth) return;  // nothing leaves before a reset
    ++stop_beats_;
  }
  if (!new_command_) {
    port_.repeat();
    return;
  }
  if (supervisor_.state == RunState::ramp || supervisor_.state == RunState::ramp_down) {
    record_path_row();
    travel_.advance(experiment_.rig_dt());
  }
  port_.send(phase_, cursor_.step(), cursor_.substep(), commands_);
  last_ = commands_;
  if (phase_ == LinkPhase::test) {
    for (std::size_t c = 0; c < commands_.size(); ++c) command_watch_.sent(c, commands_[c], ends_step());
    awaiting_ = true;
  }
}

}  // namespace gusset

#include <algorithm>
#include <cmath>

#include "realtime/run_loop.hpp"
#include "realtime/ways.hpp"

// What the loop commands in each state, and how it leaves.

namespace gusset {

Travel::Pace RunLoop::pace(std::size_t channel) const noexcept { return travel_pace(guards_[channel]); }

/// How a channel in motion is brought to rest: in a tenth of a second, or slower where its acceleration has
/// a limit, and never beyond its stroke. After a long pause the rig has stood since the last command.
Path::Brake RunLoop::brake(std::size_t channel) const noexcept {
  constexpr double soon = 0.1;        // [s]
  constexpr std::int64_t pause = 10;  // periods
  const Guard& guard = guards_[channel];
  const double velocity = last_[channel].rate;
  if (guard.force_control || !(std::abs(velocity) > 0)) return {};
  if (!options_.lockstep && clock_.now() - left_at_ > pause * period_) return {};
  double time = soon;
  if (guard.acceleration) time = std::max(time, 2 * Path::brakes * std::abs(velocity) / *guard.acceleration);
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
    case RunState::running: follow_test(true); break;
    case RunState::hold:
      if (!braked_hold_) {
        follow_test(false);
        break;
      }
      phase_ = LinkPhase::hold;
      for (std::size_t c = 0; c < commands_.size(); ++c) {
        commands_[c] = travel_.next(c, experiment_.rig_dt());
      }
      break;
  }
}

/// The next command is exactly that of the test.
bool RunLoop::on_path() const noexcept {
  return time_.even() && std::all_of(offsets_.begin(), offsets_.end(), [](double own) { return own == 0; });
}

/// The test's next command; or, while its time does not pass as it should, a command on the way there.
void RunLoop::follow_test(bool go) noexcept {
  constexpr double fades = 0.95;  // of an offset, a period
  phase_ = LinkPhase::test;
  // A virtual rig waits for us, and answers what it is asked again: the test stays as it is computed.
  if (awaiting_ && !options_.hardware) {
    new_command_ = false;
    commands_ = last_;
    return;
  }
  if (cursor_.finished() && !awaiting_) {
    phase_ = LinkPhase::hold;
    commands_ = last_;
    return;
  }
  if (go && !awaiting_ && on_path()) {
    commands_ = cursor_.commands();
    next_time_ = time_;
    next_time_.whole();
    std::fill(next_offsets_.begin(), next_offsets_.end(), 0.0);
    return;
  }
  const double dt = experiment_.rig_dt();
  double change = HUGE_VAL;
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    const Command& next = cursor_.commands()[c];
    const double limit = guards_[c].force_control ? 0 : guards_[c].acceleration.value_or(0);
    change = std::min(change, TimeScale::fastest_change(next.rate, next.curvature, time_.scale(), limit));
  }
  next_time_ = time_;
  next_time_.advance(go && !awaiting_, change * dt);
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    next_offsets_[c] = fades * offsets_[c];
    if (std::abs(next_offsets_[c]) < 0.01 * Travel::close_enough) next_offsets_[c] = 0;
    commands_[c] = TimeScale::at(next_time_.way(), next_time_.scale(), base_[c], cursor_.commands()[c], dt);
    commands_[c].value += next_offsets_[c];
  }
  // An answer of the test that is still on its way is not asked for twice.
  if (awaiting_ || next_time_.way() < 1) phase_ = LinkPhase::hold;
}

/// Between the last command and the one to be sent now: the period, or what really passed where that is less.
double RunLoop::elapsed() const noexcept {
  const double period = experiment_.rig_dt();
  // Without a clock time passes all the same, for a machine that moves.
  if (options_.lockstep && !options_.hardware) return period;
  const std::int64_t now = options_.lockstep ? monotonic_now() : clock_.now();
  const bool hurried = options_.lockstep || now - beat_.deadline(beat_number_) >= period_;
  if (!hurried || left_at_ == 0) return period;
  return std::clamp(1e-9 * static_cast<double>(now - left_at_), 1e-9, period);
}

/// Lost time is made up for no faster than velocities allow: the loop waits until the command may leave.
void RunLoop::hurry_within_limits() noexcept {
  if (options_.lockstep || options_.on_miss != OnMiss::catch_up || !new_command_) return;
  double needed = 0;
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    const Guard& guard = guards_[c];
    if (guard.force_control || !guard.velocity) continue;
    needed = std::max(needed, std::abs(commands_[c].value - last_[c].value) / *guard.velocity);
  }
  // A command that is too fast at its own pace is the limit's.
  const std::int64_t wait = std::min(static_cast<std::int64_t>(std::ceil(1e9 * needed)), period_);
  if (clock_.now() - left_at_ < wait) clock_.sleep_until(left_at_ + wait);
}

void RunLoop::send() noexcept {
  if (supervisor_.state == RunState::faulted) {
    if (supervisor_.first_out == Cause::birth) return;  // nothing leaves before a reset
    ++stop_beats_;
  }
  if (!new_command_) {
    port_.repeat_if_due();
    return;
  }
  const RunState state = supervisor_.state;
  const bool travels = state == RunState::ramp || state == RunState::ramp_down;
  if (travels) record_path_row();
  if (travels || (state == RunState::hold && braked_hold_)) travel_.advance(experiment_.rig_dt());
  motion_.sent(commands_, elapsed());
  left_at_ = options_.lockstep ? monotonic_now() : clock_.now();
  port_.send(phase_, cursor_.step(), cursor_.substep(), commands_);
  last_ = commands_;
  if ((state == RunState::running || state == RunState::hold) && !braked_hold_) {
    even_ = next_time_.scale() == 1 && next_time_.way() == 1;
    time_ = next_time_;
    offsets_ = next_offsets_;
  }
  if (phase_ != LinkPhase::test) return;
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    if (even_) {
      command_watch_.sent(c, commands_[c], ends_step());
    } else {
      command_watch_.start(c, commands_[c].value);
    }
  }
  if (rehearsal_) {
    Message reply;
    rehearsal_->answer(port_.sent(), port_.sent_values(), reply, expected_.data());
  }
  port_.want_answer();
  awaiting_ = true;
}

}  // namespace gusset

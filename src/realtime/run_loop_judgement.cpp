#include "realtime/run_loop.hpp"

#include <cmath>

// How the loop judges each beat: what the limits see, what the supervisor makes of it, and what a change
// of state begins.

namespace gusset {

/// What the limits see.
void RunLoop::look() noexcept {
  const double* row = cursor_.rig_row();
  const bool testing = supervisor_.state == RunState::running || supervisor_.state == RunState::hold;
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    const Places& places = places_[c];
    snapshot_.commands[c] = commands_[c];
    snapshot_.positions[c] = port_.position(c);
    snapshot_.velocities[c] = velocities_[c];
    snapshot_.forces[c] = port_.force(c);
    snapshot_.rates[c] = (commands_[c].value - last_[c].value) / experiment_.rig_dt();
    snapshot_.accelerations[c] = command_watch_.acceleration(c, commands_[c], ends_step());
    // On the way to its start the rig is to follow too, or it would lunge when it can.
    const bool compare = testing && test_row_, approaching = path_answer_;
    snapshot_.targets[c] = guards_[c].force_control ? snapshot_.positions[c]
                           : compare                ? row[places.target]
                           : approaching            ? last_[c].value
                                                    : snapshot_.positions[c];
    snapshot_.energies[c] = tracking_.energy(c);
  }
  const bool started = supervisor_.state != RunState::faulted && readings_ > 0;
  snapshot_.finite = port_.finite();
  snapshot_.stale = started ? stale_ : 0;
  snapshot_.frozen = testing ? experiment_.rig_dt() * frozen_.answers() : 0;
  snapshot_.missed = started ? missed_in_a_row_ : 0;
  snapshot_.silence = options_.lockstep ? 0 : port_.silence();
  snapshot_.connected = port_.connected() && !peer_lost_;
  snapshot_.recording = sink_.healthy();
  snapshot_.rig = port_.rig_cause();
}

void RunLoop::judge(const Operator& operators) noexcept {
  flags_.reset = beat_number_ > 0;  // an edge: it was not pressed at birth
  flags_.arm = true;
  flags_.hold = hold_;
  flags_.resume = resume_;
  const int stops = operators.stops.load(std::memory_order_relaxed);
  flags_.stop = stops > 0;
  flags_.emergency = stops > 1;
  flags_.armed = readings_ >= readings_needed();
  flags_.arrived = travel_.arrived();
  flags_.finished = cursor_.finished() && !awaiting_;
  flags_.at_rest = supervisor_.state == RunState::ramp_down && travel_.arrived();
  flags_.action = Action::none;
  flags_.cause = Cause::none;
  double tightest = 0;
  double value = 0;
  Finding finding;
  // The answer of a rig that has stopped by itself is not taken, but was measured.
  const double measured_at = test_time() + (awaiting_ && stale_ == 0 ? experiment_.rig_dt() : 0);
  for (const bool commanded : {false, true}) {
    for (const auto& limit : limits_) {
      const Reading reading = commanded ? limit->commanded(snapshot_) : limit->measured(snapshot_);
      if (reading.use > tightest) {
        tightest = reading.use;
        status_.tightest.store(limit->cause(), std::memory_order_relaxed);
      }
      if (!(reading.use > 1)) continue;
      if (limit->action() > flags_.action) {
        flags_.action = limit->action();
        flags_.cause = limit->cause();
        value = reading.value;
      }
      // What was measured was there before what is about to be sent.
      if (!limit->of_the_loop() || limit->action() <= Action::indicate || limit->action() <= finding.action ||
          (commanded && finding.action != Action::none && !finding.commanded)) {
        continue;
      }
      finding = {limit->cause(),
                 limit->action(),
                 reading.channel,
                 reading.value,
                 std::abs(reading.value) / reading.use,
                 commanded ? test_time() + experiment_.rig_dt() : measured_at,
                 commanded};
    }
  }
  if (finding.action != Action::none && !result_.finding) result_.finding = finding;
  status_.margin.store(tightest, std::memory_order_relaxed);
  if (snapshot_.rig != Cause::none && result_.rig_cause == Cause::none) {
    result_.rig_cause = snapshot_.rig;
    sink_.event(test_time(), Severity::interlock,
                static_cast<std::uint16_t>(rig_stopped + static_cast<std::uint32_t>(snapshot_.rig)), 0);
  }
  const SupervisorState next = supervise(clock_.now(), supervisor_, flags_, times_);
  const bool news = flags_.cause != noted_;
  if (flags_.action != Action::none && news && next.state != RunState::stopped) {
    sink_.event(test_time(), static_cast<Severity>(flags_.action), static_cast<std::uint16_t>(flags_.cause),
                value);
  }
  noted_ = flags_.cause;
  change_state(next);
}

void RunLoop::change_state(const SupervisorState& next) noexcept {
  const RunState before = supervisor_.state;
  // Causes that are no limit's, which are noted already.
  const bool asked = next.first_out == Cause::operator_stop || next.first_out == Cause::emergency ||
                     next.first_out == Cause::hold_expired;
  if (next.first_out != supervisor_.first_out && asked) {
    sink_.event(test_time(), static_cast<Severity>(next.action), static_cast<std::uint16_t>(next.first_out),
                0);
  }
  const std::int64_t began = supervisor_.since;
  supervisor_ = next;
  status_.first_out.store(next.first_out, std::memory_order_relaxed);
  if (next.state == before) return;
  status_.state.store(next.state, std::memory_order_relaxed);
  sink_.event(test_time(), Severity::information,
              static_cast<std::uint16_t>(state_entered + static_cast<int>(next.state)), 0);
  if (before == RunState::hold) {
    sink_.event(test_time(), Severity::information, held, 1e-9 * static_cast<double>(next.since - began));
  }
  // The test is over: an answer that comes now belongs to the way back.
  if (next.state == RunState::ramp_down || next.state == RunState::faulted) awaiting_ = false;
  if (next.state == RunState::running && before == RunState::ramp) {
    cursor_.start();
    frozen_.start();
    test_row_ = true;
    const double* row = cursor_.rig_row();
    for (std::size_t c = 0; c < home_.size(); ++c) {
      const Places& places = places_[c];
      const double force = places.force >= 0 ? row[places.force] : 0;
      tracking_.start(c, row[places.target], row[places.followed], force);
      command_watch_.start(c, row[places.command]);
    }
  }
  if (next.state == RunState::ramp_down) {
    // Gently, where nothing is wrong with the motion and it was going on until now.
    const bool sound = flags_.action < Action::ramp_down || flags_.cause == Cause::recorder;
    const bool moving =
        (before == RunState::running || before == RunState::ramp) && stale_ == 0 && missed_ == 0;
    travel_.begin();
    path_row_ = 0;
    for (std::size_t c = 0; c < home_.size(); ++c) {
      travel_.lead(c, last_[c].value, home_[c], options_.settings.fade_out, fastest(c),
                   sound && moving ? brake(c) : Path::Brake{});
    }
  }
}

}  // namespace gusset

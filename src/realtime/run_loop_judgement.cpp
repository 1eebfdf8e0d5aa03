#include "realtime/run_loop.hpp"

#include <cmath>

// How the loop judges each beat: what the limits see, what the supervisor makes of it, and what a change
// of state begins.

namespace gusset {

/// What the limits see.
void RunLoop::look() noexcept {
  const double* row = cursor_.rig_row();
  const bool testing = supervisor_.state == RunState::running || supervisor_.state == RunState::hold;
  const bool moving =
      testing || supervisor_.state == RunState::ramp || supervisor_.state == RunState::ramp_down;
  const double passed = elapsed();
  snapshot_.frozen = snapshot_.still = 0;
  snapshot_.frozen_channel = snapshot_.still_channel = -1;
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    const Places& places = places_[c];
    snapshot_.commands[c] = commands_[c];
    snapshot_.positions[c] = port_.position(c);
    snapshot_.velocities[c] = velocities_[c];
    snapshot_.forces[c] = port_.force(c);
    snapshot_.untared[c] = port_.untared(c);
    snapshot_.tares[c] = supervisor_.state == RunState::arming ? rest_[c].tare : 0;
    snapshot_.rates[c] = new_command_ ? (commands_[c].value - last_[c].value) / passed : 0;
    // On its path and in time a test's command has the acceleration that check and simulate judge.
    const bool as_computed =
        phase_ == LinkPhase::test && new_command_ && on_path() && passed == experiment_.rig_dt();
    snapshot_.accelerations[c] = as_computed ? command_watch_.acceleration(c, commands_[c], ends_step())
                                 : moving && new_command_
                                     ? motion_.acceleration(c, commands_[c].value, passed)
                                     : 0;
    snapshot_.energies[c] = testing ? tracking_.energy(c) : 0;
    // Wherever it is told to go the rig is to follow, or it would lunge when it can. Between answers what was
    // said of it last stands.
    const bool force = guards_[c].own_cause == Cause::force;
    if (!moving || guards_[c].own_cause == Cause::acceleration) {
      snapshot_.errors[c] = 0;
    } else if (test_row_ && even_) {
      snapshot_.errors[c] = row[places.followed] - row[places.target];
    } else if (answer_) {
      snapshot_.errors[c] = (force ? port_.force(c) : port_.position(c)) - last_[c].value;
    }
    const int still = stillness_.answers(c);
    if (still > snapshot_.still) {
      snapshot_.still = still;
      snapshot_.still_channel = static_cast<int>(c);
    }
    const int frozen = std::max(frozen_.answers(c), frozen_.answers(commands_.size() + c));
    if (frozen > snapshot_.frozen) {
      snapshot_.frozen = frozen;
      snapshot_.frozen_channel = static_cast<int>(c);
    }
  }
  snapshot_.frozen *= experiment_.rig_dt();
  snapshot_.still *= experiment_.rig_dt();
  snapshot_.suspect = testing ? suspect_ : -1;
  const bool started = supervisor_.state != RunState::faulted && readings_ > 0;
  snapshot_.finite = port_.finite();
  snapshot_.stale = started ? stale_ : 0;
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
  Action measured_action = Action::none;
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
      // What was measured was there before what is computed from it, however much worse that is.
      const bool later = commanded && measured_action > Action::indicate;
      if (limit->action() > flags_.action) {
        flags_.action = limit->action();
        if (!later) {
          flags_.cause = limit->cause();
          value = reading.value;
        }
      }
      if (!commanded) measured_action = flags_.action;
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
                 commanded,
                 reading.channel >= 0 &&
                     guards_[static_cast<std::size_t>(reading.channel)].own_cause == Cause::force};
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
  if (next.state == RunState::ramp) stillness_.start();
  if (next.state == RunState::running && before == RunState::ramp) start_test();
  // Where the next command would pass a limit the way there is closed: brake, and come back to here.
  const bool closed = next.state == RunState::hold && flags_.action == Action::hold && !awaiting_;
  if (before == RunState::hold && braked_hold_) time_.stand();
  braked_hold_ = closed;
  if (closed) {
    travel_.begin();
    for (std::size_t c = 0; c < home_.size(); ++c) {
      travel_.lead(c, last_[c].value, last_[c].value, 0, pace(c), brake(c));
    }
  }
  if (next.state == RunState::ramp_down) begin_way_back();
}

void RunLoop::start_test() noexcept {
  cursor_.start();
  time_.start();
  even_ = true;
  frozen_.start();
  stillness_.start();
  sensors_.start();
  motion_.forget();
  if (rehearsal_) rehearsal_->reset();
  test_row_ = true;
  const double* row = cursor_.rig_row();
  for (std::size_t c = 0; c < home_.size(); ++c) {
    const Places& places = places_[c];
    const double force = places.force >= 0 ? row[places.force] : 0;
    tracking_.start(c, row[places.target], row[places.followed], force);
    command_watch_.start(c, row[places.command]);
    speeds_.start(c, port_.position(c));
    base_[c] = row[places.command];
    offsets_[c] = 0;
  }
}

/// Whatever ended the test, it is in motion: brake, and go back.
void RunLoop::begin_way_back() noexcept {
  stillness_.start();
  travel_.begin();
  path_row_ = 0;
  for (std::size_t c = 0; c < home_.size(); ++c) {
    travel_.lead(c, last_[c].value, home_[c], options_.settings.fade_out, pace(c), brake(c));
  }
}

}  // namespace gusset

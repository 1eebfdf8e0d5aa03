#include <algorithm>
#include <cmath>

#include "realtime/run_loop.hpp"

// What the loop does with the rig's answers: takes them, waits for them, and finds home with the first.

namespace gusset {
namespace {

constexpr int readings_of_rest = 16;  ///< before anything moves; a power of two, so that equal ones add up

}  // namespace

/// The answer to the last command, waiting for it if the policy is to wait.
bool RunLoop::gather(const Operator& operators) noexcept {
  if (port_.answered() || (awaiting_ && port_.has_answer())) return true;
  if (options_.lockstep) return wait_for_answer(operators);
  if (options_.on_miss != OnMiss::catch_up) return false;
  return wait_for_answer(operators);
}

/// A stop leaves every wait: at once on a clock, on which the next beat judges anew; in lockstep after a moment,
/// and who has not answered by then is gone.
bool RunLoop::wait_for_answer(const Operator& operators) noexcept {
  constexpr std::int64_t patience_step = 20'000'000, moment = 200'000'000;
  const std::int64_t heartbeat = std::llround(1e9 * options_.settings.heartbeat_of(options_.hardware));
  const std::int64_t began = monotonic_now();
  std::int64_t give_up = began + std::llround(1e9 * options_.patience);
  int waited = 0;
  while (!port_.answered()) {
    const int stops = operators.stops.load(std::memory_order_relaxed);
    if (!port_.connected() || stops > 1) return false;
    if (options_.lockstep) {
      if (stops > 0) give_up = std::min(give_up, std::max(began, stop_seen_) + moment);
      if (stops > 0 && stop_seen_ == 0) stop_seen_ = monotonic_now();
      if (monotonic_now() > give_up) {
        peer_lost_ = true;
        return false;
      }
      if (!port_.await(monotonic_now() + patience_step)) port_.repeat();
      continue;
    }
    if (stops > 0 || port_.silence() > heartbeat) return false;
    ++waited;
    if (clock_.is_virtual()) {
      clock_.sleep_until(clock_.now() + period_);
      if (!port_.answered()) port_.repeat_if_due();
    } else if (!port_.await(clock_.now() + std::max<std::int64_t>(period_, 2'000'000))) {
      port_.repeat_if_due();
    }
  }
  if (waited > 0) {
    ++result_.late_answers;
    sink_.event(test_time(), Severity::indicate, answer_late, waited);
  }
  return true;
}

void RunLoop::use_answer(bool fresh) noexcept {
  // Where no step of the test waits for its own answer, any measurement will do.
  const bool news = port_.news();
  if (!fresh && (awaiting_ || !news)) {
    ++stale_;
    return;
  }
  for (std::size_t c = 0; c < home_.size(); ++c) {
    const double position = port_.position(c);
    const double speed = readings_ > 0 ? speeds_.observe(c, position, stale_ + 1) : 0;
    const double change =
        readings_ > 0 ? (position - positions_[c]) / (experiment_.rig_dt() * (stale_ + 1)) : 0;
    velocities_[c] = guards_[c].force_control ? port_.velocity(c).value_or(change) : speed;
    positions_[c] = position;
  }
  answer_ = true;
  if (stale_ > 0) {
    ++result_.late_answers;
    sink_.event(test_time(), Severity::indicate, answer_late, stale_);
  }
  stale_ = 0;
  if (supervisor_.state == RunState::arming) find_home();
  // An answer that is not finite, or of a rig that stands still, is not for the test.
  const bool usable = port_.finite() && port_.rig_cause() == Cause::none;
  if (!fresh || !awaiting_ || !usable) {
    if (usable) watch_answer(false);
    return;
  }
  awaiting_ = false;
  for (std::size_t c = 0; c < base_.size(); ++c) base_[c] = cursor_.commands()[c].value;
  cursor_.take_answer(port_.feedback());
  time_.step();
  // What was sent beyond the command goes on from where it is, and fades.
  for (std::size_t c = 0; c < base_.size(); ++c) {
    const Command here =
        TimeScale::at(time_.way(), time_.scale(), base_[c], cursor_.commands()[c], experiment_.rig_dt());
    const double offset = last_[c].value - here.value;
    offsets_[c] = std::abs(offset) > 0.01 * Travel::close_enough ? offset : 0;
  }
  ++result_.commands;
  test_row_ = true;
  watch_answer(true);
  compare_with_rehearsal();
  const double* row = cursor_.rig_row();
  for (std::size_t c = 0; c < home_.size(); ++c) {
    const Places& places = places_[c];
    if (!guards_[c].force_control) {
      tracking_.observe(c, row[places.target], row[places.followed], row[places.force]);
    }
  }
  status_.delay.store(tracking_.delay(), std::memory_order_relaxed);
  status_.time.store(test_time(), std::memory_order_relaxed);
}

/// What no single answer tells: signals that do not change, and a rig that does not move.
void RunLoop::watch_answer(bool testing) noexcept {
  const RunState state = supervisor_.state;
  if (!testing && state != RunState::ramp && state != RunState::hold && state != RunState::ramp_down) return;
  const double* row = cursor_.rig_row();
  for (std::size_t c = 0; c < home_.size(); ++c) {
    const Guard& guard = guards_[c];
    const bool force = guard.own_cause == Cause::force;
    if (guard.own_cause == Cause::acceleration && !testing) continue;
    const Places& places = places_[c];
    const double command = testing && even_ ? row[places.command] : last_[c].value;
    const double shown = testing ? row[places.followed] : force ? port_.force(c) : port_.position(c);
    frozen_.observe(c, command, shown);
    if (!options_.hardware || guard.own_cause == Cause::acceleration) continue;
    // A load cell moves with the specimen, whatever is commanded.
    if (!force && places.force >= 0 && guard.displacement) {
      frozen_.observe(home_.size() + c, command, port_.force(c), 0.01 * *guard.displacement);
    }
    const std::optional<double>& limit = force ? guard.force : guard.displacement;
    if (limit) stillness_.observe(c, command, shown, 0.01 * *limit);
  }
}

/// The model of the rig answered the same command: does each sensor show anything like it?
void RunLoop::compare_with_rehearsal() noexcept {
  if (!rehearsal_ || rehearsal_->cause() != Cause::none || !even_ || suspect_ >= 0) return;
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    const SensorWatch::Sensor& sensor = sensors_.sensor(i);
    const bool position = sensor.kind == SensorWatch::Kind::position;
    const std::size_t place =
        *(position ? port_.position_place(sensor.channel) : port_.force_place(sensor.channel));
    sensors_.observe(i, port_.feedback()[place], expected_[place]);
  }
  suspect_ = sensors_.judge();
}

/// Reads the rig at rest: where it stands is home, and what its load cells show there on the average is
/// the tare.
void RunLoop::find_home() noexcept {
  if (!port_.finite() || readings_ >= readings_needed()) return;
  ++readings_;
  for (std::size_t c = 0; c < home_.size(); ++c) {
    rest_[c].position += port_.position(c) / readings_needed();
    rest_[c].force += port_.force(c) / readings_needed();
  }
  if (readings_ < readings_needed()) return;
  const std::vector<double>& start = cursor_.start_row();
  for (std::size_t c = 0; c < home_.size(); ++c) {
    const double target = start[static_cast<std::size_t>(places_[c].command)];
    const int force = places_[c].force;
    const double expected = force >= 0 ? start[static_cast<std::size_t>(force)] : 0;
    home_[c] = !guards_[c].force_control              ? rest_[c].position
               : guards_[c].own_cause == Cause::force ? rest_[c].force
                                                      : 0.0;
    const bool there = std::abs(home_[c] - target) <= Travel::close_enough;
    // Away from the start the specimen is taken to be unloaded.
    const double offset = rest_[c].force - (there ? expected : 0.0);
    const bool tared_channel = options_.settings.tare && !guards_[c].force_control;
    rest_[c].tare = tared_channel ? offset : 0;
    // A force beyond its limit at rest, or beyond what may be tared, is not to be tared away: it stays, and
    // trips.
    const bool allowed = !beyond(rest_[c].force, guards_[c].force) && !beyond(offset, guards_[c].tare);
    if (tared_channel && allowed) {
      port_.tare(c, offset);
      if (offset != 0) sink_.event(0, Severity::information, tared, offset);
    }
    travel_.lead(c, home_[c], target, options_.settings.ramp, pace(c));
    last_[c] = {};
    last_[c].value = home_[c];
    motion_.rest_at(c, home_[c]);
    speeds_.start(c, rest_[c].position);
  }
  motion_.rest();
}

int RunLoop::readings_needed() const noexcept { return options_.lockstep ? 1 : readings_of_rest; }

}  // namespace gusset

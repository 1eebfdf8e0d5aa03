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
  if (port_.answered()) return true;
  if (options_.lockstep) return wait_for_answer(operators);
  if (options_.on_miss != OnMiss::catch_up) return false;
  return wait_for_answer(operators);
}

bool RunLoop::wait_for_answer(const Operator& operators) noexcept {
  constexpr std::int64_t patience_step = 20'000'000;
  const std::int64_t heartbeat = std::llround(1e9 * options_.settings.heartbeat_of(options_.hardware));
  const std::int64_t give_up = monotonic_now() + std::llround(1e9 * options_.patience);
  int waited = 0;
  while (!port_.answered()) {
    if (!port_.connected() || operators.stops.load(std::memory_order_relaxed) > 1) return false;
    if (options_.lockstep) {
      if (monotonic_now() > give_up) {
        peer_lost_ = true;
        return false;
      }
      if (!port_.await(monotonic_now() + patience_step)) port_.repeat();
      continue;
    }
    if (port_.silence() > heartbeat) return false;
    ++waited;
    if (clock_.is_virtual()) {
      clock_.sleep_until(clock_.now() + period_);
      if (!port_.answered()) port_.repeat();
    } else if (!port_.await(clock_.now() + std::max<std::int64_t>(period_, 2'000'000))) {
      port_.repeat();
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
    const double change =
        readings_ > 0 ? (position - positions_[c]) / (experiment_.rig_dt() * (stale_ + 1)) : 0;
    velocities_[c] = port_.velocity(c).value_or(change);
    positions_[c] = position;
  }
  if (stale_ > 0) {
    ++result_.late_answers;
    sink_.event(test_time(), Severity::indicate, answer_late, stale_);
  }
  stale_ = 0;
  if (supervisor_.state == RunState::arming) find_home();
  path_answer_ = fresh && supervisor_.state == RunState::ramp;
  // An answer that is not finite, or of a rig that stands still, is not for the test.
  if (!fresh || !awaiting_ || !port_.finite() || port_.rig_cause() != Cause::none) return;
  awaiting_ = false;
  cursor_.take_answer(port_.feedback());
  ++result_.commands;
  test_row_ = true;
  const double* row = cursor_.rig_row();
  frozen_.answer(port_.feedback());
  for (std::size_t c = 0; c < home_.size(); ++c) {
    const Places& places = places_[c];
    frozen_.channel(c, row[places.command], row[places.followed]);
    if (!guards_[c].force_control) {
      tracking_.observe(c, row[places.target], row[places.followed], row[places.force]);
    }
  }
  status_.delay.store(tracking_.delay(), std::memory_order_relaxed);
  status_.time.store(test_time(), std::memory_order_relaxed);
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
    // A force beyond its limit at rest is not to be tared away: it stays, and trips.
    const bool allowed = !(std::abs(rest_[c].force) > guards_[c].force.value_or(HUGE_VAL));
    if (!guards_[c].force_control && allowed) {
      port_.tare(c, offset);
      if (offset != 0) sink_.event(0, Severity::information, tared, offset);
    }
    travel_.lead(c, home_[c], target, options_.settings.ramp, fastest(c));
    last_[c] = {};
    last_[c].value = home_[c];
  }
}

int RunLoop::readings_needed() const noexcept { return options_.lockstep ? 1 : readings_of_rest; }

}  // namespace gusset

#include "realtime/run_loop.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

constexpr int readings_of_rest = 16;  ///< before anything moves; a power of two, so that equal ones add up

}  // namespace

RunLoop::RunLoop(const Experiment& experiment, Link& link, Clock& clock, RowSink& sink,
                 const LoopOptions& options)
    : experiment_(experiment),
      clock_(clock),
      sink_(sink),
      options_(options),
      limits_(make_limits(experiment, options.settings, options.hardware)),
      guards_(guards_of(experiment)),
      streams_(run_streams(experiment)),
      cursor_(experiment, {options.settings.span, options.settings.fade_in}),
      port_(experiment, link, clock),
      tracking_(experiment.method().channels().size(), experiment.rig_dt()),
      snapshot_(experiment.method().channels().size()),
      travel_(experiment.method().channels().size()) {
  const std::size_t channels = experiment.method().channels().size();
  times_.longest_hold = std::llround(1e9 * options.settings.longest_hold);
  commands_.resize(channels);
  last_.resize(channels);
  home_.resize(channels);
  rest_.resize(channels);
  positions_.resize(channels);
  velocities_.resize(channels);
  std::size_t widest = 0;
  for (const StreamPlan& plan : streams_.plans) widest = std::max(widest, plan.signals.size());
  scratch_.resize(widest);
}

void RunLoop::warm_up() {
  TestCursor copy = cursor_;
  std::vector<double> feedback(port_.feedback(),
                               port_.feedback() + port_.measured_count() +
                                   experiment_.specimen_entries().size());
  copy.start();
  for (int i = 0; i < 1000 && !copy.finished(); ++i) {
    copy.make_command();
    copy.take_answer(feedback.data());
    if (copy.at_step()) copy.structure_row(scratch_.data());
    for (const auto& limit : limits_) limit->read(snapshot_);
  }
}

const LoopResult& RunLoop::run(Operator& operators) noexcept {
  start();
  const PageFaults before = clock_.is_virtual() ? PageFaults{} : thread_page_faults();
  while (beat(operators)) {
  }
  if (!clock_.is_virtual()) {
    const PageFaults now = thread_page_faults();
    result_.page_faults = {now.minor - before.minor, now.major - before.major};
  }
  return finish();
}

void RunLoop::start() noexcept {
  beat_ = Beat(clock_.now() + 1'000'000, experiment_.rig_dt());
  period_ = beat_.period_ns();
  beat_number_ = 0;
  port_.expect(clock_.now());
}

const LoopResult& RunLoop::finish() noexcept {
  result_.state = supervisor_.state;
  result_.first_out = supervisor_.first_out;
  result_.action = supervisor_.action;
  result_.completed = cursor_.finished();
  result_.time = test_time();
  return result_;
}

double RunLoop::test_time() const noexcept {
  return experiment_.rig_dt() * static_cast<double>(cursor_.row());
}

bool RunLoop::beat(Operator& operators) noexcept {
  const std::int64_t deadline = beat_.deadline(beat_number_);
  if (!clock_.is_virtual()) port_.await(deadline);
  const bool early = clock_.now() < deadline;
  const std::int64_t woke = clock_.sleep_until(deadline);
  wake_up_ = woke - deadline;
  if (early) {
    result_.wake_up.add(wake_up_);
    if (wake_up_ > status_.worst.load(std::memory_order_relaxed)) {
      status_.worst.store(wake_up_, std::memory_order_relaxed);
    }
  }
  const bool fresh = gather(operators);
  // Keys are pressed, not held down: each counts once.
  hold_ = operators.hold.exchange(false, std::memory_order_relaxed);
  resume_ = operators.resume.exchange(false, std::memory_order_relaxed);
  const std::int64_t answered_at = clock_.now();
  test_row_ = false;
  use_answer(fresh);
  // A change of state asks for another command, which is judged in its turn.
  for (int round = 0; round < 4; ++round) {
    prepare();
    look();
    const RunState before = supervisor_.state;
    judge(operators);
    if (supervisor_.state == before) break;
  }
  compute_ = clock_.now() - answered_at;
  send();
  note_timing(deadline);
  if (test_row_) record_test_row();
  ++beat_number_;
  return !over(operators);
}

bool RunLoop::over(const Operator& operators) noexcept {
  if (supervisor_.state == RunState::stopped) return true;
  if (supervisor_.state == RunState::faulted && stop_beats_ >= 3) return true;
  // What cannot be reset, or has no answer to arm with, never will: nothing has moved yet.
  const bool resting = (supervisor_.state == RunState::faulted && supervisor_.first_out == Cause::birth) ||
                       supervisor_.state == RunState::ready ||
                       supervisor_.state == RunState::arming;
  const bool given_up = beat_number_ > 3 && supervisor_.state == RunState::faulted;
  if (!resting || (!given_up && operators.stops.load(std::memory_order_relaxed) == 0)) return false;
  if (supervisor_.first_out == Cause::birth || supervisor_.first_out == Cause::none) {
    supervisor_.first_out = flags_.cause != Cause::none ? flags_.cause : Cause::operator_stop;
    supervisor_.action = flags_.action;
  }
  return true;
}

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
    velocities_[c] = readings_ > 0 ? (position - positions_[c]) / (experiment_.rig_dt() * (stale_ + 1)) : 0;
    positions_[c] = position;
  }
  if (stale_ > 0) {
    ++result_.late_answers;
    sink_.event(test_time(), Severity::indicate, answer_late, stale_);
  }
  stale_ = 0;
  if (supervisor_.state == RunState::arming) find_home();
  // An answer that is not finite, or of a rig that stands still, is not for the test.
  if (!fresh || !awaiting_ || !port_.finite() || port_.rig_cause() != Cause::none) return;
  awaiting_ = false;
  cursor_.take_answer(port_.feedback());
  ++result_.commands;
  test_row_ = true;
  const double* row = cursor_.rig_row();
  for (std::size_t c = 0; c < home_.size(); ++c) {
    const Experiment::ChannelPlaces places = experiment_.places(c);
    if (!guards_[c].force_control) {
      tracking_.observe(c, row[places.target], row[places.measured], row[places.force]);
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
    const Experiment::ChannelPlaces places = experiment_.places(c);
    const double target = start[static_cast<std::size_t>(places.command)];
    const double expected = start[static_cast<std::size_t>(places.force)];
    home_[c] = !guards_[c].force_control                ? rest_[c].position
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
    last_[c].displacement = home_[c];
  }
}

int RunLoop::readings_needed() const noexcept { return options_.lockstep ? 1 : readings_of_rest; }

/// How fast a channel may travel: half of what its limit allows; 0: no limit.
double RunLoop::fastest(std::size_t channel) const noexcept {
  const Guard& guard = guards_[channel];
  return guard.force_control ? 0 : 0.5 * guard.velocity.value_or(0);
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
                   ? Phase::stop
                   : Phase::idle;
      commands_ = last_;  // same sizes: nothing is allocated
      for (Command& command : commands_) {
        command.velocity = command.acceleration = command.start_velocity = 0;
      }
      break;
    case RunState::ramp:
    case RunState::ramp_down:
      phase_ = supervisor_.state == RunState::ramp ? Phase::approach : Phase::retreat;
      for (std::size_t c = 0; c < commands_.size(); ++c) {
        commands_[c] = travel_.next(c, experiment_.rig_dt());
      }
      break;
    case RunState::running:
      phase_ = Phase::test;
      if (awaiting_) {
        new_command_ = false;
        commands_ = last_;
      } else if (!cursor_.finished()) {
        if (!candidate_) commands_ = cursor_.make_command();
        else commands_ = cursor_.commands();
        candidate_ = true;
      }
      break;
    case RunState::hold:
      phase_ = Phase::hold;
      commands_ = last_;
      // An answer of the test is still on its way: ask for it, do not overtake it.
      if (awaiting_) {
        phase_ = Phase::test;
        new_command_ = false;
        break;
      }
      for (Command& command : commands_) {
        command.velocity = command.acceleration = command.start_velocity = 0;
      }
      break;
  }
}

/// What the limits see.
void RunLoop::look() noexcept {
  const double* row = cursor_.rig_row();
  const bool testing =
      supervisor_.state == RunState::running || supervisor_.state == RunState::hold;
  for (std::size_t c = 0; c < commands_.size(); ++c) {
    const Experiment::ChannelPlaces places = experiment_.places(c);
    snapshot_.commands[c] = commands_[c];
    snapshot_.positions[c] = port_.position(c);
    snapshot_.velocities[c] = velocities_[c];
    snapshot_.forces[c] = port_.force(c);
    const bool compare = testing && test_row_ && !guards_[c].force_control;
    snapshot_.targets[c] = compare ? row[places.target] : snapshot_.positions[c];
    snapshot_.energies[c] = tracking_.energy(c);
  }
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
  for (const auto& limit : limits_) {
    const Reading reading = limit->read(snapshot_);
    if (reading.use > tightest) {
      tightest = reading.use;
      status_.tightest.store(limit->cause(), std::memory_order_relaxed);
    }
    if (reading.use > 1 && limit->action() > flags_.action) {
      flags_.action = limit->action();
      flags_.cause = limit->cause();
      value = reading.value;
    }
  }
  status_.margin.store(tightest, std::memory_order_relaxed);
  if (snapshot_.rig != Cause::none && result_.rig_cause == Cause::none) {
    result_.rig_cause = snapshot_.rig;
    sink_.event(test_time(), Severity::interlock, rig_reason, static_cast<double>(snapshot_.rig));
  }
  const SupervisorState next = supervise(clock_.now(), supervisor_, flags_, times_);
  const bool news = flags_.cause != noted_;
  if (flags_.action != Action::none && news && next.state != RunState::stopped) {
    sink_.event(test_time(), static_cast<Severity>(flags_.action),
                static_cast<std::uint16_t>(flags_.cause), value);
  }
  noted_ = flags_.cause;
  change_state(next);
}

void RunLoop::change_state(const SupervisorState& next) noexcept {
  const RunState before = supervisor_.state;
  if (next.first_out != supervisor_.first_out && next.first_out >= Cause::operator_stop &&
      next.first_out != Cause::birth) {
    sink_.event(test_time(), static_cast<Severity>(next.action),
                static_cast<std::uint16_t>(next.first_out), 0);
  }
  supervisor_ = next;
  status_.first_out.store(next.first_out, std::memory_order_relaxed);
  if (next.state == before) return;
  status_.state.store(next.state, std::memory_order_relaxed);
  sink_.event(test_time(), Severity::information,
              static_cast<std::uint16_t>(state_entered + static_cast<int>(next.state)), 0);
  // The test is over: an answer that comes now belongs to the way back.
  if (next.state == RunState::ramp_down || next.state == RunState::faulted) awaiting_ = false;
  if (next.state == RunState::running && before == RunState::ramp) {
    cursor_.start();
    test_row_ = true;
    const double* row = cursor_.rig_row();
    for (std::size_t c = 0; c < home_.size(); ++c) {
      const Experiment::ChannelPlaces places = experiment_.places(c);
      tracking_.start(c, row[places.target], row[places.measured], row[places.force]);
    }
  }
  if (next.state == RunState::ramp_down) {
    travel_.begin();
    path_row_ = 0;
    for (std::size_t c = 0; c < home_.size(); ++c) {
      travel_.lead(c, last_[c].displacement, home_[c], options_.settings.fade_out, fastest(c));
    }
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
  if (phase_ == Phase::test) {
    candidate_ = false;
    awaiting_ = true;
  }
}

}  // namespace gusset

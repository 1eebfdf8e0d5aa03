#include "realtime/run_loop.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

/// Signals of a real rig that a rehearsal can vouch for: from 2 % of their limit on.
std::vector<SensorWatch::Sensor> sensors_of(const Experiment& experiment, const RigPort& port) {
  constexpr double share = 0.02;
  std::vector<SensorWatch::Sensor> sensors;
  const std::vector<Guard> guards = experiment.guards();
  for (std::size_t c = 0; c < guards.size(); ++c) {
    const Guard& guard = guards[c];
    if (guard.displacement && port.position_place(c)) {
      sensors.push_back({c, SensorWatch::Kind::position, share * *guard.displacement});
    }
    if (guard.force && port.force_place(c)) {
      sensors.push_back({c, SensorWatch::Kind::force, share * *guard.force});
    }
  }
  return sensors;
}

}  // namespace

RunLoop::RunLoop(const Test& test, Link& link, Clock& clock, RowSink& sink, const LoopOptions& options)
    : experiment_(*test.experiment),
      clock_(clock),
      sink_(sink),
      options_(options),
      limits_(make_limits({experiment_.guards(), !experiment_.cut().feedback.empty(), experiment_.rig_dt(),
                           options.settings, options.hardware})),
      guards_(experiment_.guards()),
      streams_(run_streams(test)),
      cursor_(test, {options.settings.span, options.settings.fade_in}),
      port_(experiment_, link, clock),
      tracking_(experiment_.channels().size(), experiment_.rig_dt()),
      frozen_(2 * experiment_.channels().size()),
      stillness_(experiment_.channels().size()),
      motion_(experiment_.channels().size(), experiment_.substeps(), experiment_.rig_dt()),
      speeds_(experiment_.channels().size(), experiment_.rig_dt()),
      snapshot_(experiment_.channels().size()),
      command_watch_(experiment_.channels().size(), experiment_.dt(), experiment_.rig_dt()),
      travel_(experiment_.channels().size()),
      sensors_(sensors_of(experiment_, port_), experiment_.rig_dt()) {
  options_.on_miss = policy_with(options.hardware, options.on_miss);
  if (options.hardware && experiment_.loop().rig_count() > 0) {
    rehearsal_ = std::make_unique<RigCore>(test);
    expected_.resize(experiment_.cut().feedback.size());
  }
  const std::size_t channels = experiment_.channels().size();
  times_.longest_hold = std::llround(1e9 * options.settings.longest_hold);
  commands_.resize(channels);
  last_.resize(channels);
  home_.resize(channels);
  rest_.resize(channels);
  positions_.resize(channels);
  velocities_.resize(channels);
  base_.resize(channels);
  offsets_.resize(channels);
  next_offsets_.resize(channels);
  for (const Channel& channel : experiment_.channels()) {
    const PublishedRow& row = experiment_.row();
    places_.push_back({row.index(channel.name() + ".target"), row.index(channel.name() + ".command"),
                       row.index(channel.followed()), row.index(channel.name() + ".force")});
  }
  std::size_t widest = 0;
  for (const StreamPlan& plan : streams_.plans) widest = std::max(widest, plan.signals.size());
  scratch_.resize(widest);
}

void RunLoop::warm_up() {
  TestCursor copy = cursor_;
  const std::vector<double> feedback(port_.feedback(), port_.feedback() + experiment_.cut().feedback.size());
  copy.start();
  for (int i = 0; i < 1000 && !copy.finished(); ++i) {
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
  note_requests(operators);
  // Keys are pressed, not held down: each counts once.
  hold_ = operators.hold.exchange(false, std::memory_order_relaxed);
  resume_ = operators.resume.exchange(false, std::memory_order_relaxed);
  const std::int64_t answered_at = clock_.now();
  test_row_ = answer_ = false;
  use_answer(fresh);
  // A change of state asks for another command, which is judged in its turn: more rounds than any chain of
  // states is long, for a command that was not judged must not leave.
  for (int round = 0; round < 8; ++round) {
    prepare();
    hurry_within_limits();
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
                       supervisor_.state == RunState::ready || supervisor_.state == RunState::arming;
  const bool given_up = beat_number_ > 3 && supervisor_.state == RunState::faulted;
  if (!resting || (!given_up && operators.stops.load(std::memory_order_relaxed) == 0)) return false;
  if (supervisor_.first_out == Cause::birth || supervisor_.first_out == Cause::none) {
    supervisor_.first_out = flags_.cause != Cause::none ? flags_.cause : Cause::operator_stop;
    supervisor_.action = flags_.action;
  }
  return true;
}

}  // namespace gusset

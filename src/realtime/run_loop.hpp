#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "build/test.hpp"
#include "link/link.hpp"
#include "link/rig_core.hpp"
#include "realtime/clock.hpp"
#include "realtime/histogram.hpp"
#include "realtime/operator.hpp"
#include "realtime/recording.hpp"
#include "realtime/rig_port.hpp"
#include "realtime/row_sink.hpp"
#include "realtime/settings.hpp"
#include "realtime/test_cursor.hpp"
#include "realtime/time_scale.hpp"
#include "realtime/travel.hpp"
#include "supervise/command_watch.hpp"
#include "supervise/frozen_watch.hpp"
#include "supervise/judge.hpp"
#include "supervise/limits/limit.hpp"
#include "supervise/motion_watch.hpp"
#include "supervise/sensor_watch.hpp"
#include "supervise/speed_watch.hpp"
#include "supervise/stillness_watch.hpp"
#include "supervise/supervisor.hpp"
#include "supervise/tracking_watch.hpp"

namespace gusset {

/// What the loop shows of itself while it runs; each number stands for itself, so all are relaxed.
struct LoopStatus {
  std::atomic<RunState> state{RunState::faulted};
  std::atomic<Cause> first_out{Cause::birth};
  std::atomic<double> time{0};          ///< of the test [s]
  std::atomic<std::int64_t> missed{0};  ///< deadlines
  std::atomic<std::int64_t> worst{0};   ///< wake-up latency [ns]
  std::atomic<double> delay{0};         ///< of the tracking [s]
  std::atomic<double> margin{0};        ///< share used of the tightest limit
  std::atomic<Cause> tightest{Cause::none};
};

struct LoopOptions {
  RealtimeSettings settings;
  OnMiss on_miss = OnMiss::catch_up;
  bool hardware = false;
  bool lockstep = false;
  double patience = 10;  ///< of a lockstep run with its peer [s]
};

/// What came of it.
struct LoopResult {
  RunState state = RunState::faulted;
  Cause first_out = Cause::none;
  Action action = Action::none;
  bool completed = false;          ///< the test came to its end
  Cause rig_cause = Cause::none;   ///< why the rig stopped by itself
  std::optional<Finding> finding;  ///< the first limit of the loop's own numbers that was passed
  double time = 0;                 ///< of the test, reached [s]
  std::int64_t commands = 0;       ///< of the test
  std::int64_t missed = 0;         ///< deadlines: periods that were over before their command went out
  std::int64_t late_answers = 0;   ///< answers that were not there at the next beat
  PageFaults page_faults;          ///< of the loop's thread
  Histogram wake_up, compute, round_trip;
};

/// The loop of a test whose rig is at the other end of a link, on the beat of a clock. At each beat it
/// takes the rig's answer to the last command, gives it to the experiment, lets the limits and the
/// supervisor judge, and sends the next command:
///
///   beat k     answer to command k − 1 → observe, correct (end, begin) → command k → limits → send
///
/// which is the order of `step`, so a test over a link has the numbers of `simulate`. The test never
/// goes on without the rig's answer: a made-up force would be worse than a late one. A command that
/// breaks a limit is never sent.
///
/// A limit has the unit m/s, and s is a second: a real rig gets one new command a period and never more, and
/// what is made up for with a virtual one is made up for within its velocity. Every stop is braked, a hold and
/// a resume change how fast the test's time passes (TimeScale), and an answer that is late lets a real rig slow
/// down instead of standing still.
class RunLoop {
 public:
  RunLoop(const Test& test, Link& link, Clock& clock, RowSink& sink, const LoopOptions& options);

  /// Steps on a copy of the test, so that no instruction is met for the first time in it.
  void warm_up();
  /// The whole test on the calling thread: reset, arming, approach, test, way back. @rt-safe
  const LoopResult& run(Operator& operators) noexcept;

  // The same beat by beat, for timelines on a virtual clock.
  void start() noexcept;
  /// False once the test has ended. @rt-safe
  bool beat(Operator& operators) noexcept;
  const LoopResult& finish() noexcept;

  const LoopStatus& status() const { return status_; }
  const SupervisorState& supervisor() const { return supervisor_; }
  const std::vector<std::unique_ptr<Limit>>& limits() const { return limits_; }
  const std::vector<Command>& last_commands() const { return last_; }
  bool force_control(std::size_t channel) const { return guards_[channel].force_control; }

 private:
  bool over(const Operator& operators) noexcept;
  bool gather(const Operator& operators) noexcept;
  bool wait_for_answer(const Operator& operators) noexcept;
  void use_answer(bool fresh) noexcept;
  void find_home() noexcept;
  int readings_needed() const noexcept;
  Travel::Pace pace(std::size_t channel) const noexcept;
  Path::Brake brake(std::size_t channel) const noexcept;
  void prepare() noexcept;
  void follow_test(bool go) noexcept;
  bool on_path() const noexcept;
  double elapsed() const noexcept;
  void hurry_within_limits() noexcept;
  void watch_answer(bool testing) noexcept;
  void compare_with_rehearsal() noexcept;
  void start_test() noexcept;
  void begin_way_back() noexcept;
  void judge(const Operator& operators) noexcept;
  void look() noexcept;
  void change_state(const SupervisorState& next) noexcept;
  void send() noexcept;
  void note_requests(Operator& operators) noexcept;
  void note_timing(std::int64_t deadline) noexcept;
  void record_test_row() noexcept;
  void record_path_row() noexcept;
  double test_time() const noexcept;
  /// The command about to be sent is the last of an integration step.
  bool ends_step() const noexcept {
    return phase_ == LinkPhase::test && cursor_.substep() + 1 == experiment_.substeps();
  }

  const Experiment& experiment_;
  Clock& clock_;
  RowSink& sink_;
  LoopOptions options_;
  std::vector<std::unique_ptr<Limit>> limits_;
  std::vector<Guard> guards_;
  RunStreams streams_;
  TestCursor cursor_;
  RigPort port_;
  TrackingWatch tracking_;
  FrozenWatch frozen_;
  StillnessWatch stillness_;
  MotionWatch motion_;
  SpeedWatch speeds_;
  SupervisorTimes times_;
  SupervisorState supervisor_;
  SupervisorFlags flags_;
  LoopStatus status_;
  Snapshot snapshot_;
  LoopResult result_;

  std::vector<Command> commands_;  ///< to be sent at this beat
  std::vector<Command> last_;      ///< sent last
  LinkPhase phase_ = LinkPhase::idle;
  bool new_command_ = true;  ///< false: the last one is sent once more
  bool awaiting_ = false;    ///< a command of the test is sent and not answered
  bool peer_lost_ = false;   ///< in lockstep: patience is over
  int stale_ = 0;
  int missed_ = 0;           ///< periods late, of the last beat
  int missed_in_a_row_ = 0;  ///< of the beats since one was in time
  bool test_row_ = false;    ///< this beat made a row of the test
  bool answer_ = false;      ///< this beat brought an answer

  /// Where a channel's signals stand in a published row; −1: it has none.
  struct Places {
    int target, command, followed, force;
  };
  std::vector<Places> places_;
  CommandWatch command_watch_;
  Travel travel_;
  TimeScale time_, next_time_;                  ///< of the test: as it is, and after the command to be sent
  std::vector<double> base_;                    ///< the command of the test that was answered last
  std::vector<double> offsets_, next_offsets_;  ///< of commands from the test's path, fading
  bool even_ = true;          ///< the command of the test that was sent last was as computed
  bool braked_hold_ = false;  ///< a hold off the test's path: its next command would pass a limit
  std::int64_t left_at_ = 0;  ///< when the last new command left [ns]
  /// With a real rig: what the model answers to the same commands, and what is compared with it.
  std::unique_ptr<RigCore> rehearsal_;
  std::vector<double> expected_;
  SensorWatch sensors_;
  int suspect_ = -1;
  struct Rest {
    double position = 0, force = 0;
    double tare = 0;  ///< what is to be taken off the force
  };
  std::vector<Rest> rest_;                      ///< what was measured before anything moved, on the average
  std::vector<double> positions_, velocities_;  ///< measured last
  std::vector<double> home_;                    ///< where the channels were found
  std::int64_t path_row_ = 0;
  int readings_ = 0;
  bool hold_ = false, resume_ = false;  ///< pressed since the last beat
  int stop_beats_ = 0;
  std::int64_t stop_seen_ = 0;  ///< when a stop was met in a wait [ns]
  Cause noted_ = Cause::none;   ///< the limit of the last event

  Beat beat_{0, 1};
  std::int64_t beat_number_ = 0;
  std::int64_t period_ = 0;
  std::int64_t wake_up_ = 0, compute_ = 0;
  std::vector<double> scratch_;
};

}  // namespace gusset

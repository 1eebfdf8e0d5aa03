// The loop on a virtual clock: every limit, every policy and every fault, with the right action, the
// right cause, no command beyond a limit, and nothing lost from the record.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/simulation.hpp"
#include "link/local.hpp"
#include "realtime/faulty_link.hpp"
#include "support/allocation_counter.hpp"
#include "support/documents.hpp"
#include "support/run_bench.hpp"

namespace gusset {
namespace {

using namespace test;

/// Sees every command that leaves.
class Spy final : public Link {
 public:
  explicit Spy(Link& inner, std::size_t channels) : inner_(inner), channels_(channels) {}
  bool send(const Message& message, const double* values) noexcept override {
    for (std::size_t c = 0; c < channels_; ++c) {
      const double* v = values + 4 * c;
      finite = finite && std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
      farthest = std::max(farthest, std::abs(v[0]));
      fastest = std::max(fastest, std::abs(v[1]));
    }
    last = message;
    return inner_.send(message, values);
  }
  bool receive(Message& message, double* values) noexcept override {
    return inner_.receive(message, values);
  }
  void wait(std::int64_t until) noexcept override { inner_.wait(until); }
  const Hello& peer() const override { return inner_.peer(); }

  bool finite = true;
  double farthest = 0, fastest = 0;
  Message last;

 private:
  Link& inner_;
  std::size_t channels_;
};

/// Wakes late by `lateness` once, at a beat of the test.
class LateClock final : public VirtualClock {
 public:
  std::int64_t when = -1, lateness = 0;
  std::int64_t sleep_until(std::int64_t deadline) noexcept override {
    VirtualClock::sleep_until(deadline);
    if (when >= 0 && deadline >= when) {
      advance(lateness);
      when = -1;
    }
    return now();
  }
};

struct Outcome {
  LoopResult result;
  std::shared_ptr<MemorySink> sink;
  double farthest, fastest;
  bool finite;
  Message last;
};

struct Scene {
  std::vector<std::string> assignments;
  std::vector<const char*> faults;
  std::int64_t late_at = -1, late_by = 0;  ///< [ns] of the clock
  std::function<void(double time, Operator&, MemorySink&)> at;  ///< called before each beat
  bool hardware = false;
};

constexpr const char* short_quickstart = "duration=2 s";

const Experiment& plain() {
  static const Experiment built = Experiment::build(shipped("quickstart", {short_quickstart}),
                                                    {.loader = shipped_records()});
  return built;
}

Outcome run(const Scene& scene) {
  std::vector<std::string> assignments{short_quickstart};
  assignments.insert(assignments.end(), scene.assignments.begin(), scene.assignments.end());
  const Document document = shipped("quickstart", assignments);
  const Experiment experiment = Experiment::build(document, {.loader = shipped_records()});
  LoopOptions options;
  options.settings = read_realtime(document);
  options.hardware = scene.hardware;
  options.on_miss = options.settings.on_miss.value_or(OnMiss::catch_up);
  for (const char* fault : scene.faults) options.settings.faults.push_back(parse_fault(fault));

  LateClock clock;
  clock.when = scene.late_at;
  clock.lateness = scene.late_by;
  const Hello hello = hello_of(document, experiment, false);
  LocalLink local(experiment, hello);
  Spy spy(local, experiment.method().channels().size());
  FaultyLink link(spy, options.settings.faults, clock, hello.feedback.size());
  auto sink = std::make_shared<MemorySink>(experiment);
  RunLoop loop(experiment, link, clock, *sink, options);
  Operator operators;
  loop.start();
  // A test that neither ends nor trips would go on for ever.
  for (int beats = 0; beats < 200'000; ++beats) {
    if (scene.at) scene.at(loop.status().time.load(), operators, *sink);
    if (!loop.beat(operators)) break;
  }
  return {loop.finish(), sink, spy.farthest, spy.fastest, spy.finite, spy.last};
}

std::string difference_from_simulate(const Outcome& outcome) {
  static const Simulation simulation = simulate(plain(), {.reference = false, .progress = {}});
  return first_difference(simulation.tables, *outcome.sink);
}

TEST(RunLoop, PacedEqualsSimulate) {
  const Outcome outcome = run({});
  EXPECT_TRUE(outcome.result.completed);
  EXPECT_EQ(outcome.result.first_out, Cause::none);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
  EXPECT_EQ(outcome.result.missed, 0);
  EXPECT_EQ(difference_from_simulate(outcome), "");
  EXPECT_EQ(outcome.last.phase, Phase::idle) << "it says that it rests";
  EXPECT_GT(outcome.sink->table("retreat").rows(), 900U) << "the way back is recorded";
}

TEST(RunLoop, ALinkThatLosesDelaysRepeatsAndReordersChangesNothing) {
  for (const char* fault : {"delay 0.004 from 0.5 to 1", "jitter 0.003 from 0.5 to 1",
                            "loss 0.2 from 0.5 to 1.5", "duplicate 0.5 from 0 to 2",
                            "reorder 0.3 from 0.5 to 1.5"}) {
    for (const char* policy : {"catch-up", "hold"}) {
      SCOPED_TRACE(std::string(fault) + ", " + policy);
      Scene scene;
      scene.assignments = {std::string("realtime.on_miss=") + policy, "realtime.misses=50",
                           "limits.stale=50"};
      scene.faults = {fault};
      const Outcome outcome = run(scene);
      EXPECT_TRUE(outcome.result.completed) << name_of(outcome.result.first_out);
      EXPECT_EQ(difference_from_simulate(outcome), "");
      if (std::string(fault).find("duplicate") == std::string::npos) {
        EXPECT_GT(outcome.result.late_answers, 10);
        EXPECT_TRUE(outcome.sink->has_event(answer_late));
      }
    }
  }
}

/// Everything recorded until the end is what `simulate` has until then.
void expect_prefix(const Outcome& outcome) {
  const Simulation simulation = simulate(plain(), {.reference = false, .progress = {}});
  const Table& full = simulation.tables.at(1);
  const Table& found = outcome.sink->table("rig");
  const std::size_t rows = found.rows();
  EXPECT_EQ(rows, static_cast<std::size_t>(std::llround(outcome.result.time / 1e-3)) + 1);
  for (std::size_t c = 0; c < full.channels.size(); ++c) {
    for (std::size_t i = 0; i < rows; ++i) {
      ASSERT_EQ(found.channels[c].values[i], full.channels[c].values[i]) << full.channels[c].name << i;
    }
  }
}

TEST(RunLoop, FaultsThatEndATest) {
  const struct {
    const char* fault;
    std::vector<std::string> assignments;
    Cause cause;
    RunState state;
    double earliest, latest;  ///< of the test's time
  } lines[] = {
      {"nan from 1", {}, Cause::non_finite, RunState::faulted, 0.99, 1.001},
      {"disconnect from 1", {}, Cause::link, RunState::faulted, 0.99, 1.001},
      {"disconnect from 1", {"realtime.on_miss=hold"}, Cause::stale, RunState::faulted, 0.99, 1.001},
      {"disconnect from 1",
       {"realtime.on_miss=hold", "limits.stale=1000"}, Cause::link, RunState::faulted, 0.99, 1.001},
      {"freeze from 1", {"limits.tracking_error=4 mm"}, Cause::tracking, RunState::stopped, 1.0, 1.5},
      {"delay 0.05 from 1", {"realtime.on_miss=trip"}, Cause::stale, RunState::stopped, 0.99, 1.001},
  };
  for (const auto& line : lines) {
    SCOPED_TRACE(line.fault);
    Scene scene;
    scene.faults = {line.fault};
    scene.assignments = line.assignments;
    const Outcome outcome = run(scene);
    EXPECT_FALSE(outcome.result.completed);
    EXPECT_EQ(outcome.result.first_out, line.cause) << name_of(outcome.result.first_out);
    EXPECT_EQ(outcome.result.state, line.state) << name_of(outcome.result.state);
    EXPECT_GE(outcome.result.time, line.earliest);
    EXPECT_LE(outcome.result.time, line.latest);
    EXPECT_TRUE(outcome.finite) << "nothing but numbers leaves";
    EXPECT_TRUE(outcome.sink->has_event(static_cast<std::uint16_t>(line.cause)));
    if (line.cause != Cause::tracking) expect_prefix(outcome);
  }
}

TEST(RunLoop, LimitsStopCommandsBeforeTheyAreSent) {
  const struct {
    const char* limit;
    Cause cause;
    RunState state;
  } lines[] = {{"limits.displacement=5 mm", Cause::stroke, RunState::faulted},
               {"limits.velocity=50 mm/s", Cause::velocity, RunState::stopped},
               {"limits.force=1 kN", Cause::force, RunState::faulted},
               {"limits.energy=0.01 J", Cause::energy, RunState::stopped},
               {"limits.tracking_error=0.1 mm", Cause::tracking, RunState::stopped}};
  for (const auto& line : lines) {
    SCOPED_TRACE(line.limit);
    Scene scene;
    scene.assignments = {line.limit};
    const Outcome outcome = run(scene);
    EXPECT_FALSE(outcome.result.completed);
    EXPECT_EQ(outcome.result.first_out, line.cause) << name_of(outcome.result.first_out);
    EXPECT_EQ(outcome.result.state, line.state);
    if (line.cause == Cause::stroke) {
      EXPECT_LE(outcome.farthest, 5e-3);
    }
    if (line.cause == Cause::velocity) {
      EXPECT_LE(outcome.fastest, 50e-3);
    }
    expect_prefix(outcome);
  }
}

TEST(RunLoop, AccelerationIsLimitedWhereItIsCommanded) {
  Scene scene;  // a ramp has none
  scene.assignments = {"method.profile=quadratic", "limits.acceleration=0.5 m/s^2"};
  const Outcome outcome = run(scene);
  EXPECT_EQ(outcome.result.first_out, Cause::acceleration) << name_of(outcome.result.first_out);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
}

TEST(RunLoop, TheFileChoosesTheAction) {
  const struct {
    const char* action;
    RunState state;
    Action worst;
  } lines[] = {{"hold", RunState::stopped, Action::ramp_down},
               {"ramp-down", RunState::stopped, Action::ramp_down},
               {"interlock", RunState::faulted, Action::interlock}};
  for (const auto& line : lines) {
    SCOPED_TRACE(line.action);
    Scene scene;
    scene.assignments = {"limits.velocity=50 mm/s", "realtime.longest_hold=0.2 s",
                         std::string("limits.actions.velocity=") + line.action};
    const Outcome outcome = run(scene);
    EXPECT_EQ(outcome.result.state, line.state);
    EXPECT_EQ(outcome.result.action, line.worst);
    EXPECT_LE(outcome.fastest, 50e-3);
  }
  Scene indicate;
  indicate.assignments = {"limits.tracking_error=0.1 mm", "limits.actions.tracking=indicate"};
  const Outcome outcome = run(indicate);
  EXPECT_TRUE(outcome.result.completed) << "an indication changes nothing";
  EXPECT_TRUE(outcome.sink->has_event(static_cast<std::uint16_t>(Cause::tracking)));
  EXPECT_EQ(difference_from_simulate(outcome), "");
}

TEST(RunLoop, MissedDeadlines) {
  const std::int64_t second = 1'000'000'000, period = 1'000'000;
  Scene scene;
  scene.late_at = second;
  scene.late_by = 5 * period / 2;
  scene.assignments = {"realtime.on_miss=trip"};
  Outcome outcome = run(scene);
  EXPECT_EQ(outcome.result.first_out, Cause::deadline);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
  expect_prefix(outcome);

  scene.assignments = {"realtime.on_miss=hold", "realtime.misses=3"};
  outcome = run(scene);
  EXPECT_TRUE(outcome.result.completed);
  EXPECT_EQ(outcome.result.missed, 1);
  EXPECT_EQ(difference_from_simulate(outcome), "");
  // Recorded at its step.
  const std::vector<double>& missed = outcome.sink->table("realtime").channels[3].values;
  EXPECT_EQ(std::count(missed.begin(), missed.end(), 2.0), 1);

  scene.late_by = 5 * period;
  outcome = run(scene);
  EXPECT_EQ(outcome.result.first_out, Cause::deadline);

  scene.assignments = {"realtime.on_miss=catch-up"};
  scene.late_by = 40 * period;
  outcome = run(scene);
  EXPECT_TRUE(outcome.result.completed);
  EXPECT_GE(outcome.result.missed, 39) << "each command until it has caught up";
  EXPECT_EQ(difference_from_simulate(outcome), "");
}

TEST(RunLoop, NoRecorderNoTest) {
  Scene dead;
  dead.at = [](double, Operator&, MemorySink& sink) { sink.break_down(); };
  EXPECT_EQ(run(dead).result.commands, 0);
  Scene dies;
  dies.at = [](double time, Operator&, MemorySink& sink) {
    if (time > 1) sink.break_down();
  };
  const Outcome outcome = run(dies);
  EXPECT_EQ(outcome.result.first_out, Cause::recorder);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
}

TEST(RunLoop, HoldAndResumeLoseNothing) {
  Scene scene;
  int beats = 0;
  scene.at = [&](double time, Operator& operators, MemorySink&) {
    if (time >= 1) ++beats;
    operators.hold = beats > 0 && beats < 300;
    operators.resume = beats > 300;
  };
  const Outcome outcome = run(scene);
  EXPECT_TRUE(outcome.result.completed);
  EXPECT_TRUE(outcome.sink->has_event(state_entered + static_cast<int>(RunState::hold)));
  // The rig stood still meanwhile, so the specimen's force is another; the numbers stay bounded and
  // the record has no hole.
  EXPECT_EQ(outcome.sink->table("rig").rows(), 2001U);
}

TEST(RunLoop, TheOperatorRampsDownAndStops) {
  Scene once;
  once.at = [](double time, Operator& operators, MemorySink&) {
    if (time >= 1) operators.stops = 1;
  };
  Outcome outcome = run(once);
  EXPECT_EQ(outcome.result.first_out, Cause::operator_stop);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
  const Table& retreat = outcome.sink->table("retreat");
  ASSERT_GT(retreat.rows(), 900U);
  EXPECT_NEAR(retreat.channels[0].values.back(), 0, 1e-5) << "back where it was found";
  expect_prefix(outcome);

  Scene twice;
  twice.at = [](double time, Operator& operators, MemorySink&) {
    if (time >= 1) operators.stops = 2;
  };
  outcome = run(twice);
  EXPECT_EQ(outcome.result.first_out, Cause::emergency);
  EXPECT_EQ(outcome.result.state, RunState::faulted);
  EXPECT_EQ(outcome.last.phase, Phase::stop);
  EXPECT_EQ(outcome.sink->table("retreat").rows(), 0U) << "at once";
}

TEST(RunLoop, SpanScalesTheExcitation) {
  const auto peak = [](const Outcome& outcome) {
    double largest = 0;
    for (const double value : outcome.sink->table("structure").channels[0].values) {
      largest = std::max(largest, std::abs(value));
    }
    return largest;
  };
  Scene half, faded;
  half.assignments = {"realtime.span=50"};
  faded.assignments = {"realtime.fade_in=1 s"};
  const Outcome whole = run({}), scaled = run(half), slow = run(faded);
  // A linear test, but for its start, which is in balance with the whole first sample.
  EXPECT_NEAR(peak(scaled), 0.5 * peak(whole), 1e-3 * peak(whole));
  const Table& a = whole.sink->table("structure");
  const Table& b = slow.sink->table("structure");
  const std::size_t ground = a.channels.size() - 1;
  EXPECT_EQ(b.channels[ground].values[0], 0);
  EXPECT_NEAR(b.channels[ground].values[125], 0.5 * a.channels[ground].values[125], 1e-12);
  EXPECT_EQ(b.channels[ground].values[300], a.channels[ground].values[300]);
}

/// A real rig: it stands elsewhere than the test starts, and its load cell shows something at rest.
class Displaced final : public Link {
 public:
  Displaced(Link& inner, double at, double offset) : inner_(inner), at_(at), offset_(offset) {}
  bool send(const Message& message, const double* values) noexcept override {
    if (message.phase == Phase::approach || message.phase == Phase::retreat) {
      largest_step = std::max(largest_step, std::abs(values[0] - at_));
      at_ = values[0];
      ++moved;
    }
    if (message.phase == Phase::test) at_ = values[0];
    return inner_.send(message, values);
  }
  bool receive(Message& message, double* values) noexcept override {
    if (!inner_.receive(message, values)) return false;
    if (message.phase != Phase::test) {
      values[0] = at_;
      values[1] = 0;
    }
    values[1] += offset_;
    return true;
  }
  void wait(std::int64_t) noexcept override {}
  const Hello& peer() const override { return inner_.peer(); }

  double largest_step = 0;
  int moved = 0;

 private:
  Link& inner_;
  double at_, offset_;
};

TEST(RunLoop, StartsWithoutABump) {
  const Document document = shipped("quickstart", {short_quickstart});
  LoopOptions options;
  options.hardware = true;
  options.on_miss = OnMiss::trip;
  VirtualClock clock;
  LocalLink local(plain(), hello_of(document, plain(), false));
  Displaced link(local, 10e-3, 123.0);
  MemorySink sink(plain());
  RunLoop loop(plain(), link, clock, sink, options);
  Operator operators;
  const LoopResult result = loop.run(operators);
  EXPECT_TRUE(result.completed) << name_of(result.first_out);
  // 10 mm in 2 s: at most 1.875·10/2 mm/s.
  EXPECT_LE(link.largest_step, 1.875 * 10e-3 / 2 * 1e-3 * 1.0001);
  EXPECT_GT(link.largest_step, 0);
  EXPECT_GE(sink.table("approach").rows(), 1999U);
  EXPECT_TRUE(sink.has_event(tared));
  const Simulation simulation = simulate(plain(), {.reference = false, .progress = {}});
  const std::vector<double>& exact = simulation.tables[1].channels[3].values;
  const std::vector<double>& found = sink.table("rig").channels[3].values;
  for (std::size_t i = 0; i < exact.size(); ++i) ASSERT_NEAR(found[i], exact[i], 1e-6) << i;
}

TEST(RunLoop, TheRigKeepsItsOwnLimits) {
  // The run allows everything; the rig's file does not.
  const Document wide = shipped("quickstart", {short_quickstart, "limits.displacement=1 m"});
  const Document narrow = shipped("quickstart", {short_quickstart, "limits.displacement=5 mm"});
  const Experiment run_side = Experiment::build(wide, {.loader = shipped_records()});
  const Experiment rig_side = Experiment::build(narrow, {.loader = shipped_records()});
  const Hello a = hello_of(wide, run_side, true), b = hello_of(narrow, rig_side, true);
  EXPECT_EQ(difference(a, b, "the run", "the rig"), "") << "limits may differ";
  LocalLink link(rig_side, b);
  VirtualClock clock;
  MemorySink sink(run_side);
  LoopOptions options;
  options.lockstep = true;
  RunLoop loop(run_side, link, clock, sink, options);
  Operator operators;
  const LoopResult result = loop.run(operators);
  EXPECT_EQ(result.first_out, Cause::rig);
  EXPECT_EQ(result.rig_cause, Cause::stroke);
  EXPECT_EQ(result.state, RunState::faulted);
  for (const double position : sink.table("rig").channels[2].values) {
    EXPECT_LE(std::abs(position), 5e-3);
  }
}

TEST(RunLoop, AllocatesNothing) {
  class Nowhere final : public RowSink {
   public:
    bool push(std::size_t, std::int64_t, const double*, std::size_t) noexcept override { return true; }
    bool event(double, Severity, std::uint16_t, double) noexcept override { return true; }
    bool healthy() const noexcept override { return true; }
  } sink;
  VirtualClock clock;
  const Document document = shipped("quickstart", {short_quickstart});
  const Hello hello = hello_of(document, plain(), false);
  LocalLink local(plain(), hello);
  FaultyLink link(local, {parse_fault("loss 0.1 from 0.5 to 1"), parse_fault("nan from 1.5")}, clock,
                  hello.feedback.size());
  RunLoop loop(plain(), link, clock, sink, {});
  Operator operators;
  LoopResult result;
  std::size_t allocations = 0;
  {
    const AllocationCounter counter;
    result = loop.run(operators);  // arming, test, repetitions, a trip and the stop
    allocations = counter.count();
  }
  EXPECT_EQ(result.first_out, Cause::non_finite);
  EXPECT_GT(result.commands, 1400);
  EXPECT_EQ(allocations, 0U);
}

TEST(RunLoop, LimitsTestThemselves) {
  const RealtimeSettings settings = read_realtime(
      shipped("quickstart", {"limits.tracking_error=1 mm", "limits.energy=1 J",
                             "limits.acceleration=10 m/s^2", "realtime.on_miss=trip"}));
  const Experiment experiment = Experiment::build(
      shipped("quickstart", {"limits.acceleration=10 m/s^2"}), {.loader = shipped_records()});
  auto limits = make_limits(experiment, settings, true);
  EXPECT_EQ(limits.size(), limit_kinds().size());
  EXPECT_EQ(self_test(limits, 1), "");

  // One that never trips, and one that always does: the self-test finds both.
  class Deaf final : public Limit {
   public:
    explicit Deaf(double use) : Limit(Cause::force, Action::hold), use_(use) {}
    Reading read(const Snapshot&) const noexcept override { return {use_, 0, -1}; }
    void provoke(Snapshot&) const override {}

   private:
    double use_;
  };
  for (const double use : {0.0, 2.0}) {
    std::vector<std::unique_ptr<Limit>> broken;
    broken.push_back(std::make_unique<Deaf>(use));
    EXPECT_EQ(self_test(broken, 1), "force");
  }
}

}  // namespace
}  // namespace gusset

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
#include "support/run_scene.hpp"

namespace gusset {
namespace {

using namespace test;

std::string difference_from_simulate(const Outcome& outcome) {
  static const Simulation simulation = simulate(plain_quickstart(), {.reference = false, .progress = {}});
  return first_difference(simulation.tables, *outcome.sink);
}

TEST(RunLoop, PacedEqualsSimulate) {
  const Outcome outcome = run_scene({});
  EXPECT_TRUE(outcome.result.completed);
  EXPECT_EQ(outcome.result.first_out, Cause::none);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
  EXPECT_EQ(outcome.result.missed, 0);
  EXPECT_EQ(difference_from_simulate(outcome), "");
  EXPECT_EQ(outcome.last.phase, LinkPhase::idle) << "it says that it rests";
  EXPECT_GT(outcome.sink->table("retreat").rows(), 900U) << "the way back is recorded";
}

TEST(RunLoop, ALinkThatLosesDelaysRepeatsAndReordersChangesNothing) {
  for (const char* fault :
       {"delay 0.004 from 0.5 to 1", "jitter 0.003 from 0.5 to 1", "loss 0.2 from 0.5 to 1.5",
        "duplicate 0.5 from 0 to 2", "reorder 0.3 from 0.5 to 1.5"}) {
    for (const char* policy : {"catch-up", "hold"}) {
      SCOPED_TRACE(std::string(fault) + ", " + policy);
      Scene scene;
      scene.assignments = {std::string("realtime.on_miss=") + policy, "realtime.misses=50",
                           "limits.stale=50"};
      scene.faults = {fault};
      const Outcome outcome = run_scene(scene);
      EXPECT_TRUE(outcome.result.completed) << name_of(outcome.result.first_out);
      EXPECT_EQ(difference_from_simulate(outcome), "");
      if (std::string(fault).find("duplicate") == std::string::npos) {
        EXPECT_GT(outcome.result.late_answers, 10);
        EXPECT_TRUE(outcome.sink->has_event(answer_late));
      }
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
       {"realtime.on_miss=hold", "limits.stale=1000"},
       Cause::link,
       RunState::faulted,
       0.99,
       1.001},
      {"freeze from 1",
       {"limits.frozen=1 s", "limits.tracking_error=4 mm"},
       Cause::tracking,
       RunState::stopped,
       1.0,
       1.5},
      {"freeze from 1", {}, Cause::frozen, RunState::stopped, 1.1, 1.102},
      {"delay 0.05 from 1", {"realtime.on_miss=trip"}, Cause::stale, RunState::stopped, 0.99, 1.001},
  };
  for (const auto& line : lines) {
    SCOPED_TRACE(line.fault);
    Scene scene;
    scene.faults = {line.fault};
    scene.assignments = line.assignments;
    const Outcome outcome = run_scene(scene);
    EXPECT_FALSE(outcome.result.completed);
    EXPECT_EQ(outcome.result.first_out, line.cause) << name_of(outcome.result.first_out);
    EXPECT_EQ(outcome.result.state, line.state) << name_of(outcome.result.state);
    EXPECT_GE(outcome.result.time, line.earliest);
    EXPECT_LE(outcome.result.time, line.latest);
    EXPECT_TRUE(outcome.finite) << "nothing but numbers leaves";
    EXPECT_TRUE(outcome.sink->has_event(static_cast<std::uint16_t>(line.cause)));
    if (!std::string_view(line.fault).starts_with("freeze")) expect_prefix(outcome);
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
    const Outcome outcome = run_scene(scene);
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
  const Outcome outcome = run_scene(scene);
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
    const Outcome outcome = run_scene(scene);
    EXPECT_EQ(outcome.result.state, line.state);
    EXPECT_EQ(outcome.result.action, line.worst);
    EXPECT_LE(outcome.fastest, 50e-3);
  }
  Scene indicate;
  indicate.assignments = {"limits.tracking_error=0.1 mm", "limits.actions.tracking=indicate"};
  const Outcome outcome = run_scene(indicate);
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
  Outcome outcome = run_scene(scene);
  EXPECT_EQ(outcome.result.first_out, Cause::deadline);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
  expect_prefix(outcome);

  scene.assignments = {"realtime.on_miss=hold", "realtime.misses=3"};
  outcome = run_scene(scene);
  EXPECT_TRUE(outcome.result.completed);
  EXPECT_EQ(outcome.result.missed, 2) << "periods, not hold-ups";
  EXPECT_EQ(difference_from_simulate(outcome), "");
  // Recorded at its step.
  const std::vector<double>& missed = outcome.sink->table("realtime").channels[3].values;
  EXPECT_EQ(std::count(missed.begin(), missed.end(), 2.0), 1);

  scene.late_by = 5 * period;
  outcome = run_scene(scene);
  EXPECT_EQ(outcome.result.first_out, Cause::deadline);

  scene.assignments = {"realtime.on_miss=catch-up"};
  scene.late_by = 40 * period;
  outcome = run_scene(scene);
  EXPECT_TRUE(outcome.result.completed);
  EXPECT_GE(outcome.result.missed, 39) << "each command until it has caught up";
  EXPECT_EQ(difference_from_simulate(outcome), "");
}

TEST(RunLoop, NoRecorderNoTest) {
  Scene dead;
  dead.at = [](double, Operator&, MemorySink& sink) { sink.break_down(); };
  EXPECT_EQ(run_scene(dead).result.commands, 0);
  Scene dies;
  dies.at = [](double time, Operator&, MemorySink& sink) {
    if (time > 1) sink.break_down();
  };
  const Outcome outcome = run_scene(dies);
  EXPECT_EQ(outcome.result.first_out, Cause::recorder);
  EXPECT_EQ(outcome.result.state, RunState::stopped);
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
  const Outcome whole = run_scene({}), scaled = run_scene(half), slow = run_scene(faded);
  // A linear test, but for its start, which is in balance with the whole first sample.
  EXPECT_NEAR(peak(scaled), 0.5 * peak(whole), 1e-3 * peak(whole));
  const Table& a = whole.sink->table("structure");
  const Table& b = slow.sink->table("structure");
  const std::size_t ground = a.channels.size() - 1;
  EXPECT_EQ(b.channels[ground].values[0], 0);
  EXPECT_NEAR(b.channels[ground].values[125], 0.5 * a.channels[ground].values[125], 1e-12);
  EXPECT_EQ(b.channels[ground].values[300], a.channels[ground].values[300]);
}

TEST(RunLoop, TheRigKeepsItsOwnLimits) {
  // The run allows everything; the rig's file does not.
  const Document wide = shipped("quickstart", {short_quickstart, "limits.displacement=1 m"});
  const Document narrow = shipped("quickstart", {short_quickstart, "limits.displacement=5 mm"});
  const auto run_side = make_test(wide, shipped_records());
  const auto rig_side = make_test(narrow, shipped_records());
  const Hello a = hello_of(wide, *run_side.experiment, true),
              b = hello_of(narrow, *rig_side.experiment, true);
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
  EXPECT_TRUE(sink.has_event(rig_stopped + static_cast<std::uint16_t>(Cause::stroke)));
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
  const Hello hello = hello_of(document, *plain_quickstart().experiment, false);
  LocalLink local(plain_quickstart(), hello);
  FaultyLink link(local, {parse_fault("loss 0.1 from 0.5 to 1"), parse_fault("nan from 1.5")}, clock,
                  hello.feedback.size(), plain_quickstart().experiment->rig_dt());
  RunLoop loop(plain_quickstart(), link, clock, sink, {});
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
  const Document document = shipped("quickstart", {"limits.tracking_error=1 mm", "limits.energy=1 J",
                                                   "limits.acceleration=10 m/s^2", "realtime.on_miss=trip"});
  const RealtimeSettings settings = read_realtime(document);
  const Experiment experiment = Experiment::build(document);
  const std::vector<Guard> guards = experiment.guards();
  auto limits = make_limits({guards, true, experiment.rig_dt(), settings, true});
  EXPECT_EQ(limits.size(), limit_kinds().size());
  EXPECT_EQ(self_test(limits, 1), "");

  // Each channel has its own.
  const Experiment table = Experiment::build(
      shipped("shao-case-2e", {"method.feedback=sampled", "limits.displacement=10 mm",
                               "limits.table.displacement=50 mm", "limits.actuator.force=1 kN"}));
  const std::vector<Guard> own = table.guards();
  limits = make_limits({own, true, table.rig_dt(), settings, true});
  EXPECT_EQ(self_test(limits, 2), "");
  for (const auto& limit : limits) {
    Snapshot snapshot(2);
    snapshot.positions = {0.04, 0.0};  // allowed to the table, not to the actuator
    if (limit->cause() == Cause::stroke) {
      EXPECT_NEAR(limit->read(snapshot).use, 0.8, 1e-12);
    }
    snapshot.positions = {0.04, 0.011};
    if (limit->cause() == Cause::stroke) {
      EXPECT_NEAR(limit->read(snapshot).use, 1.1, 1e-12);
      EXPECT_EQ(limit->read(snapshot).channel, 1);
    }
    snapshot.forces = {1e6, 500};
    if (limit->cause() == Cause::force) {
      EXPECT_NEAR(limit->read(snapshot).use, 0.5, 1e-12);
    }
  }

  // One that never trips, and one that always does: the self-test finds both.
  class Deaf final : public Limit {
   public:
    explicit Deaf(double use) : Limit(Cause::force, Action::hold), use_(use) {}
    Reading measured(const Snapshot&) const noexcept override { return {use_, 0, -1}; }
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

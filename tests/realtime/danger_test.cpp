// A rig that can hurt somebody: motion judged over real seconds, in every phase, and every stop braked. The rig
// is written here, so that nothing of it can share an error with the program.

#include <gtest/gtest.h>

#include "realtime/path.hpp"
#include "realtime/time_scale.hpp"
#include "support/documents.hpp"
#include "support/fake_rig.hpp"
#include "support/run_scene.hpp"

namespace gusset {
namespace {

using namespace test;

/// A laboratory with quickstart, 2 s long, at 1 kHz: limits 60 mm, 0.6 m/s, 15 kN.
struct Laboratory {
  explicit Laboratory(const std::vector<std::string>& assignments = {})
      : document(shipped("quickstart", with(assignments))),
        test(make_test(document, shipped_records())),
        hello(hello_of(document, *test.experiment, false)),
        rig(hello, clock),
        sink(test) {
    options.settings = read_realtime(document);
    options.hardware = true;
    options.on_miss = policy_with(true, options.settings.on_miss);
  }
  static std::vector<std::string> with(const std::vector<std::string>& more) {
    std::vector<std::string> all{short_quickstart};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  const LoopResult& run() {
    RunLoop loop(test, rig, clock, sink, options);
    loop.start();
    for (int beats = 0; beats < 100'000; ++beats) {
      if (before) before(loop.status().time.load(), loop.supervisor().state);
      if (!loop.beat(operators)) break;
    }
    result = loop.finish();
    return result;
  }
  double clock_time() { return 1e-9 * static_cast<double>(clock.now()); }

  Document document;
  Test test;
  Hello hello;
  HeldUpClock clock;
  FakeRig rig;
  MemorySink sink;
  LoopOptions options;
  Operator operators;
  std::function<void(double time, RunState state)> before;
  LoopResult result;
};

TEST(Danger, ASoundRigPasses) {
  Laboratory lab({"limits.tracking_error=2 mm", "limits.acceleration=20 m/s^2"});
  lab.rig.at = 10e-3;
  lab.run();
  EXPECT_TRUE(lab.result.completed) << name_of(lab.result.first_out);
  EXPECT_EQ(lab.result.first_out, Cause::none);
  EXPECT_GT(fastest(lab.rig.sent, 5e-3), 0.1) << "it moved";
}

TEST(Danger, LockstepWithHardwareIsJudgedByTheWallClock) {
  Laboratory lab;
  lab.options.lockstep = true;
  lab.rig.real_time = true;
  lab.run();
  EXPECT_FALSE(lab.result.completed);
  EXPECT_EQ(lab.result.first_out, Cause::velocity) << name_of(lab.result.first_out);
  EXPECT_LE(fastest(lab.rig.sent, 5e-3), 0.6);
}

TEST(Danger, NoTimeIsMadeUpForWithHardware) {
  for (const char* policy : {"catch-up", "hold"}) {
    SCOPED_TRACE(policy);
    Laboratory lab(
        {std::string("realtime.on_miss=") + policy, "realtime.misses=1000", "realtime.heartbeat=5 s"});
    lab.options.on_miss = *lab.options.settings.on_miss;  // as a program that forgets the rule would say
    bool held_up = false;
    lab.clock.slept = [&](HeldUpClock& clock) {
      if (!held_up && lab.result.time == 0 && 1e-9 * static_cast<double>(clock.now()) > 1.9) {
        held_up = true;
        clock.advance(90'000'000);
      }
    };
    lab.run();
    EXPECT_TRUE(held_up);
    EXPECT_LE(fastest(lab.rig.sent, 5e-3), 0.6);
    EXPECT_GE(closest(lab.rig.sent), 0.5e-3) << "one new command a period";
    if (std::string(policy) == "catch-up") {
      EXPECT_EQ(lab.result.first_out, Cause::deadline) << "it is no policy for hardware";
    } else {
      EXPECT_TRUE(lab.result.completed);
      EXPECT_GE(lab.result.missed, 89) << "periods, not hold-ups";
    }
  }
}

TEST(Danger, AVirtualRigIsHurriedWithinItsVelocity) {
  Laboratory lab;
  lab.options.hardware = false;
  lab.options.on_miss = OnMiss::catch_up;
  bool held_up = false;
  lab.clock.slept = [&](HeldUpClock& clock) {
    if (!held_up && clock.now() > 1'500'000'000) {
      held_up = true;
      clock.advance(500'000'000);
    }
  };
  lab.run();
  EXPECT_TRUE(held_up);
  EXPECT_TRUE(lab.result.completed) << name_of(lab.result.first_out);
  EXPECT_LT(closest(lab.rig.sent), 0.9e-3) << "it does make up for lost time";
  EXPECT_LE(fastest(lab.rig.sent, 5e-3), 0.6 * 1.001);
}

TEST(Danger, ARigThatNeverMovesIsNoticed) {
  Laboratory lab;
  lab.rig.wrong = [](Message&, double* values) { values[0] = values[1] = 0; };
  lab.run();
  EXPECT_FALSE(lab.result.completed);
  EXPECT_EQ(lab.result.first_out, Cause::no_motion) << name_of(lab.result.first_out);
  double farthest = 0;
  for (const auto& sent : lab.rig.sent) farthest = std::max(farthest, std::abs(sent.value));
  EXPECT_LT(farthest, 6e-3) << "before the command has gone far";
  EXPECT_EQ(lab.result.state, RunState::faulted) << "nor does it follow the way back";
}

TEST(Danger, SensorsAreComparedWithTheRehearsal) {
  const struct {
    const char* what;
    std::function<void(double*)> wrong;
    Cause cause;
  } lines[] = {
      {"load cell unplugged", [](double* v) { v[1] = 0.01 * std::sin(1e6 * v[0]); }, Cause::sensor},
      {"load cell of the wrong sign", [](double* v) { v[1] = -v[1]; }, Cause::sensor},
      {"load cell in kN", [](double* v) { v[1] *= 1e-3; }, Cause::sensor},
      {"position in mm", [](double* v) { v[0] *= 0.1; }, Cause::sensor},
      {"position of the wrong sign", [](double* v) { v[0] = -v[0]; }, Cause::sensor},
  };
  for (const auto& line : lines) {
    SCOPED_TRACE(line.what);
    Laboratory lab;
    lab.rig.wrong = [&](Message& message, double* values) {
      if (message.phase == LinkPhase::test) line.wrong(values);
    };
    lab.run();
    EXPECT_FALSE(lab.result.completed);
    EXPECT_EQ(lab.result.first_out, line.cause) << name_of(lab.result.first_out);
  }
}

TEST(Danger, OneFrozenSensorIsEnough) {
  for (const int frozen : {0, 1}) {
    SCOPED_TRACE(frozen);
    Laboratory lab;
    double kept = 0;
    lab.rig.wrong = [&](Message& message, double* values) {
      if (message.phase != LinkPhase::test) return;
      if (message.time < 1'500'000'000) kept = values[frozen];
      values[frozen] = kept;
    };
    lab.run();
    EXPECT_EQ(lab.result.first_out, Cause::frozen) << name_of(lab.result.first_out);
    EXPECT_NEAR(lab.result.time, 1.6, 0.03);
  }
}

TEST(Danger, HoldAndResumeKeepTheAcceleration) {
  for (const double limit : {0.0, 12.0}) {
    SCOPED_TRACE(limit);
    Laboratory lab(limit > 0 ? std::vector<std::string>{assign("limits.acceleration", limit, "m/s^2")}
                             : std::vector<std::string>{});
    int held = 0;
    lab.before = [&](double time, RunState state) {
      // Where it moves at 0.1 m/s: a stop on the spot would be 100 m/s² from command to command.
      if (time >= 1.7 && held == 0) lab.operators.hold = true;
      if (state == RunState::hold && ++held == 400) lab.operators.resume = true;
    };
    lab.run();
    EXPECT_TRUE(lab.result.completed) << name_of(lab.result.first_out);
    EXPECT_GE(held, 400);
    EXPECT_LE(strongest(lab.rig.sent), 12.0);
    // It stood still for a while.
    int standing = 0;
    for (std::size_t i = 1; i < lab.rig.sent.size(); ++i) {
      standing +=
          lab.rig.sent[i].phase == LinkPhase::hold && lab.rig.sent[i].value == lab.rig.sent[i - 1].value;
    }
    EXPECT_GT(standing, 150);
    // And the record says how the test's time passed.
    const std::vector<double>& scale = lab.sink.table("realtime").channels.back().values;
    EXPECT_LT(*std::min_element(scale.begin(), scale.end()), 0.3);
    EXPECT_EQ(scale.back(), 1);
    EXPECT_EQ(lab.sink.table("rig").rows(), 2001U);
  }
}

/// The change of velocity from the last command of the test to the first of the way back.
double blow(const std::vector<FakeRig::Sent>& sent) {
  for (std::size_t i = 2; i < sent.size(); ++i) {
    if (sent[i].phase != LinkPhase::retreat || sent[i - 1].phase == LinkPhase::retreat) continue;
    double largest = 0;
    for (std::size_t j = i; j < std::min(i + 300, sent.size()); ++j) {
      largest = std::max(largest, std::abs(sent[j].value - 2 * sent[j - 1].value + sent[j - 2].value) / 1e-6);
    }
    return largest;
  }
  return HUGE_VAL;
}

TEST(Danger, EveryStopIsBraked) {
  // 0.1 m/s and a brake of a tenth of a second: 6 m/s². On the spot it would be 100 m/s².
  const struct {
    const char* what;
    std::function<void(Laboratory&)> prepare;
    Cause cause;
  } lines[] = {
      {"the operator, the beat before late",
       [](Laboratory& lab) {
         lab.before = [&](double time, RunState) {
           if (time < 1.7) return;
           if (lab.operators.stops == 0) lab.clock.advance(2'500'000);
           lab.operators.stops = 1;
         };
       },
       Cause::operator_stop},
      {"the operator, on the beat",
       [](Laboratory& lab) {
         lab.before = [&](double time, RunState) {
           if (time >= 1.7) lab.operators.stops = 1;
         };
       },
       Cause::operator_stop},
      {"answers that do not come",
       [](Laboratory& lab) { lab.rig.answers = [](const Message& m) { return m.time < 1'700'000'000; }; },
       Cause::stale},
      {"a velocity's limit", [](Laboratory&) {}, Cause::velocity},
  };
  for (const auto& line : lines) {
    SCOPED_TRACE(line.what);
    Laboratory lab(line.cause == Cause::velocity ? std::vector<std::string>{"limits.velocity=0.1 m/s"}
                                                 : std::vector<std::string>{});
    line.prepare(lab);
    lab.run();
    EXPECT_EQ(lab.result.first_out, line.cause) << name_of(lab.result.first_out);
    EXPECT_LE(blow(lab.rig.sent), 12);
  }
}

TEST(Danger, AnAnswerThatIsLateSlowsDownInsteadOfStanding) {
  Laboratory lab({"realtime.on_miss=hold", "limits.stale=50", "realtime.heartbeat=1 s"});
  int silent = 0;
  lab.rig.answers = [&](const Message& message) { return message.time < 1'700'000'000 || ++silent > 10; };
  lab.run();
  EXPECT_TRUE(lab.result.completed) << name_of(lab.result.first_out);
  EXPECT_GT(lab.result.late_answers, 0);
  EXPECT_LE(strongest(lab.rig.sent), 15) << "standing still for 10 ms at 0.1 m/s would be 25 m/s²";
}

TEST(Danger, OldNumbersFeedNoHeartbeat) {
  for (const bool future : {false, true}) {
    Laboratory lab;
    lab.options.hardware = false;
    lab.options.on_miss = OnMiss::catch_up;
    double began = 0;
    lab.rig.wrong = [&](Message& message, double*) {
      if (message.phase != LinkPhase::test || message.time < 1'000'000'000) return;
      if (began == 0) began = lab.clock_time();
      message.sequence = future ? message.sequence + 1000 : 1;
    };
    lab.run();
    EXPECT_EQ(lab.result.first_out, Cause::link) << name_of(lab.result.first_out);
    EXPECT_LT(lab.clock_time() - began, 1.1) << "a heartbeat of 1 s";
  }
}

TEST(Danger, OneStopLeavesEveryWait) {
  Laboratory lab({"realtime.heartbeat=20 s"});
  lab.options.hardware = false;
  lab.options.on_miss = OnMiss::catch_up;
  lab.rig.answers = [](const Message& m) { return m.phase != LinkPhase::test || m.time < 1'000'000'000; };
  double stopped = 0;
  lab.clock.slept = [&](HeldUpClock& clock) {
    const double time = 1e-9 * static_cast<double>(clock.now());
    if (time > 2 && stopped == 0) {
      stopped = time;
      lab.operators.stops = 1;
    }
  };
  double back = 0;
  lab.before = [&](double, RunState state) {
    if (state == RunState::ramp_down && back == 0) back = lab.clock_time();
  };
  lab.run();
  EXPECT_EQ(lab.result.first_out, Cause::operator_stop) << name_of(lab.result.first_out);
  EXPECT_GT(stopped, 0);
  EXPECT_LT(back - stopped, 5e-3) << "in the next beat";
}

TEST(Danger, ALoopThatWasFrozenSaysSo) {
  Laboratory lab({"realtime.on_miss=hold"});
  bool held_up = false;
  lab.clock.slept = [&](HeldUpClock& clock) {
    if (held_up || clock.now() < 1'500'000'000) return;
    held_up = true;
    clock.advance(500'000'000);
  };
  lab.run();
  EXPECT_EQ(lab.result.first_out, Cause::deadline) << name_of(lab.result.first_out);
  EXPECT_GE(lab.result.missed, 499);
}

TEST(Danger, ForceIsJudgedAsTheLoadCellShowsIt) {
  const auto run = [](double offset, const std::vector<std::string>& assignments, double& largest) {
    Laboratory lab(assignments);
    largest = 0;
    lab.rig.wrong = [&, offset](Message&, double* values) {
      values[1] += offset;
      largest = std::max(largest, std::abs(values[1]));
    };
    lab.run();
    return lab.result;
  };
  double largest = 0;
  EXPECT_EQ(run(14e3, {}, largest).first_out, Cause::tare);
  LoopResult result = run(700, {"limits.tare=500 N"}, largest);
  EXPECT_EQ(result.first_out, Cause::tare);
  EXPECT_EQ(result.commands, 0) << "nothing has moved";
  EXPECT_TRUE(run(0, {}, largest).completed);
  EXPECT_TRUE(run(700, {}, largest).completed) << "5 % of 15 kN are tared";
  // Tared it would stay within the limit all along.
  const double limit = largest - 350;
  result = run(700, {assign("limits.force", limit, "N"), "limits.tare=1 kN"}, largest);
  EXPECT_EQ(result.first_out, Cause::force) << name_of(result.first_out);
  EXPECT_LT(largest, 1.1 * limit);
  result = run(14e3, {"realtime.tare=false"}, largest);
  EXPECT_EQ(result.first_out, Cause::sensor) << "what is not taken off does not agree with the model";
}

TEST(Danger, TrackingIsWatchedInAHold) {
  Laboratory lab({"limits.tracking_error=2 mm"});
  double drift = 0, last_at = 0;
  lab.rig.wrong = [&](Message& message, double* values) {
    if (message.phase == LinkPhase::hold && lab.rig.at == last_at) drift += 50e-6;  // 50 mm/s
    last_at = lab.rig.at;
    values[0] += drift;
  };
  lab.before = [&](double time, RunState) {
    if (time >= 1.7) lab.operators.hold = true;
  };
  lab.run();
  EXPECT_EQ(lab.result.first_out, Cause::tracking) << name_of(lab.result.first_out);
  EXPECT_LT(drift, 30e-3);
}

TEST(Danger, ApproachAndRetreatKeepTheLimits) {
  Laboratory lab({"limits.acceleration=20 m/s^2", "realtime.ramp=1 ms", "realtime.fade_out=1 ms"});
  lab.rig.at = 50e-3;
  lab.run();
  EXPECT_TRUE(lab.result.completed) << name_of(lab.result.first_out);
  EXPECT_LE(fastest(lab.rig.sent, 5e-3), 0.6);
  EXPECT_LE(strongest(lab.rig.sent), 20);
  EXPECT_NEAR(lab.rig.at, 50e-3, 1e-9) << "back where it was found";
}

TEST(Danger, ALimitPassedOnTheWayBackActs) {
  // A rig that goes half the way, and one that does not go at all.
  for (const double follows : {0.5, 0.0}) {
    Laboratory lab({"limits.tracking_error=2 mm"});
    lab.rig.at = 30e-3;
    double end = 0;
    lab.rig.wrong = [&](Message& message, double* values) {
      if (message.phase != LinkPhase::retreat) end = values[0];
      const double noise = 1e-7 * static_cast<double>(message.sequence % 7);
      values[0] = end + follows * (values[0] - end) + noise;
    };
    lab.run();
    EXPECT_EQ(lab.result.first_out, follows > 0 ? Cause::tracking : Cause::no_motion)
        << name_of(lab.result.first_out);
    EXPECT_EQ(lab.result.state, RunState::faulted);
    EXPECT_LT(std::abs(lab.rig.at - end), 5e-3);
  }
}

TEST(Danger, MeasuredVelocityIsJudged) {
  Laboratory lab({"limits.displacement=1 m", "limits.force=1 MN"});
  double away = 0;
  lab.rig.wrong = [&](Message& message, double* values) {
    if (message.phase == LinkPhase::test && message.time > 1'000'000'000) away += 1e-3;  // 1 m/s
    values[0] += away;
  };
  lab.run();
  EXPECT_EQ(lab.result.first_out, Cause::velocity) << name_of(lab.result.first_out);
  EXPECT_LT(away, 15e-3);
}

TEST(Danger, WhatWasMeasuredIsBlamedBeforeWhatFollowsFromIt) {
  for (const double force : {1e6, 1e9, 1e300}) {
    Laboratory lab;
    lab.rig.wrong = [&](Message& message, double* values) {
      if (message.phase == LinkPhase::test && message.time > 1'000'000'000) values[1] = force;
    };
    lab.run();
    EXPECT_EQ(lab.result.first_out, Cause::force) << name_of(lab.result.first_out);
  }
}

}  // namespace
}  // namespace gusset

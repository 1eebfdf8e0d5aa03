// The loop with an operator, a rig that stands elsewhere, and answers that come late, on a virtual clock.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/simulation.hpp"
#include "link/local.hpp"
#include "support/documents.hpp"
#include "support/run_scene.hpp"

namespace gusset {
namespace {

using namespace test;

TEST(RunLoop, HoldAndResumeLoseNothing) {
  Scene scene;
  int beats = 0;
  scene.at = [&](double time, Operator& operators, MemorySink&) {
    if (time >= 1) ++beats;
    operators.hold = beats > 0 && beats < 300;
    operators.resume = beats > 300;
  };
  const Outcome outcome = run_scene(scene);
  EXPECT_TRUE(outcome.result.completed) << name_of(outcome.result.first_out) << " at " << outcome.result.time;
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
  Outcome outcome = run_scene(once);
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
  outcome = run_scene(twice);
  EXPECT_EQ(outcome.result.first_out, Cause::emergency);
  EXPECT_EQ(outcome.result.state, RunState::faulted);
  EXPECT_EQ(outcome.last.phase, LinkPhase::stop);
  EXPECT_GE(outcome.stops, 3) << "one may be lost on the way";
  EXPECT_EQ(outcome.sink->table("retreat").rows(), 0U) << "at once";
}

TEST(RunLoop, EachHoldCanBeResumed) {
  Scene scene;
  int presses = 0, wait = 0;
  bool held = false;
  scene.at = [&](double time, Operator& operators, MemorySink&) {
    if (!held && presses < 2 && time >= 0.5 * (presses + 1)) {
      operators.hold = true;
      held = true;
      wait = 0;
    } else if (held && ++wait == 50) {
      operators.resume = true;
      held = false;
      ++presses;
    }
  };
  const Outcome outcome = run_scene(scene);
  EXPECT_EQ(presses, 2);
  EXPECT_TRUE(outcome.result.completed) << name_of(outcome.result.first_out);
  const auto& events = outcome.sink->events();
  const auto holds = std::count_if(events.begin(), events.end(), [](const MemorySink::Event& event) {
    return event.code == state_entered + static_cast<int>(RunState::hold);
  });
  EXPECT_EQ(holds, 2);
  for (const MemorySink::Event& event : events) {
    if (event.code == EventCode::held) {
      EXPECT_NEAR(event.value, 0.050, 0.002) << "how long it was held [s]";
    }
  }
  EXPECT_TRUE(outcome.sink->has_event(EventCode::held));
}

/// A real rig: it stands elsewhere than the test starts, and its load cell shows something at rest.
class Displaced final : public Link {
 public:
  Displaced(Link& inner, double at, double offset) : inner_(inner), at_(at), offset_(offset) {}
  bool send(const Message& message, const double* values) noexcept override {
    if (message.phase == LinkPhase::approach || message.phase == LinkPhase::retreat) {
      if (message.phase == LinkPhase::approach) {
        largest_step = std::max(largest_step, std::abs(values[0] - at_));
      }
      at_ = values[0];
      ++moved;
    }
    if (message.phase == LinkPhase::test) at_ = values[0];
    // Its own way to the start is none of the virtual rig's, which is there.
    Message inside = message;
    if (message.phase != LinkPhase::test) inside.phase = LinkPhase::idle;
    return inner_.send(inside, values);
  }
  bool receive(Message& message, double* values) noexcept override {
    if (!inner_.receive(message, values)) return false;
    if (message.phase != LinkPhase::test) {
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
  LocalLink local(plain_quickstart(), hello_of(document, *plain_quickstart().experiment, false));
  Displaced link(local, 10e-3, 123.0);
  MemorySink sink(plain_quickstart());
  RunLoop loop(plain_quickstart(), link, clock, sink, options);
  Operator operators;
  const LoopResult result = loop.run(operators);
  EXPECT_TRUE(result.completed) << name_of(result.first_out);
  // 10 mm in 2 s: at most 1.875·10/2 mm/s.
  EXPECT_LE(link.largest_step, 1.875 * 10e-3 / 2 * 1e-3 * 1.0001);
  EXPECT_GT(link.largest_step, 0);
  EXPECT_GE(sink.table("approach").rows(), 1999U);
  EXPECT_TRUE(sink.has_event(tared));
  const Simulation simulation = simulate(plain_quickstart(), {.reference = false, .progress = {}});
  const std::vector<double>& exact = simulation.tables[1].channels[3].values;
  const std::vector<double>& found = sink.table("rig").channels[3].values;
  for (std::size_t i = 0; i < exact.size(); ++i) ASSERT_NEAR(found[i], exact[i], 1e-6) << i;
}

TEST(RunLoop, AForceBeyondItsLimitAtRestIsNotTaredAway) {
  const Document document = shipped("quickstart", {short_quickstart});
  LoopOptions options;
  options.hardware = true;
  VirtualClock clock;
  LocalLink local(plain_quickstart(), hello_of(document, *plain_quickstart().experiment, false));
  Displaced link(local, 0, 16e3);  // the limit is 15 kN
  MemorySink sink(plain_quickstart());
  RunLoop loop(plain_quickstart(), link, clock, sink, options);
  Operator operators;
  const LoopResult result = loop.run(operators);
  EXPECT_EQ(result.first_out, Cause::force);
  EXPECT_EQ(result.commands, 0);
  EXPECT_EQ(link.moved, 0);
  EXPECT_FALSE(sink.has_event(tared));
}

/// Answers one beat later than it should, always.
class Slow final : public Link {
 public:
  Slow(Link& inner, std::size_t count) : inner_(inner), values_(count), waiting_(count) {}
  bool send(const Message& message, const double* values) noexcept override {
    late_ = have_;
    kept_ = message_;
    values_ = waiting_;
    inner_.send(message, values);
    have_ = inner_.receive(message_, waiting_.data());
    if (phases.empty() || phases.back() != message.phase) phases.push_back(message.phase);
    return true;
  }
  bool receive(Message& message, double* values) noexcept override {
    if (!late_) return false;
    late_ = false;
    message = kept_;
    std::copy(values_.begin(), values_.end(), values);
    return true;
  }
  void wait(std::int64_t) noexcept override {}
  const Hello& peer() const override { return inner_.peer(); }

  std::vector<LinkPhase> phases;

 private:
  Link& inner_;
  std::vector<double> values_, waiting_;
  Message message_, kept_;
  bool have_ = false, late_ = false;
};

TEST(RunLoop, AnAnswerABeatLateStillArms) {
  const Document document = shipped("quickstart", {short_quickstart});
  const Hello hello = hello_of(document, *plain_quickstart().experiment, false);
  LoopOptions options;
  options.hardware = true;
  options.on_miss = OnMiss::hold;
  VirtualClock clock;
  LocalLink local(plain_quickstart(), hello);
  Slow link(local, hello.feedback.size());
  MemorySink sink(plain_quickstart());
  RunLoop loop(plain_quickstart(), link, clock, sink, options);
  Operator operators;
  loop.start();
  int beats = 0;
  while (beats < 20'000 && loop.beat(operators)) ++beats;
  EXPECT_LT(beats, 20'000) << "it comes to an end by itself";
  EXPECT_NE(std::find(link.phases.begin(), link.phases.end(), LinkPhase::test), link.phases.end())
      << "measurements of rest need no punctuality";
}

}  // namespace
}  // namespace gusset

// The state machine on timelines: every transition, first-out causes, edges, flickering faults.

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "supervise/supervisor.hpp"

namespace gusset {
namespace {

/// Flags that change at instants; everything else stays as it was.
class Timeline {
 public:
  Timeline& at(std::int64_t time, const std::function<void(SupervisorFlags&)>& change) {
    advance(time - 1);
    change(flags_);
    advance(time);
    return *this;
  }
  Timeline& until(std::int64_t time) {
    advance(time);
    return *this;
  }
  /// The flag is there for one instant only.
  Timeline& pulse(std::int64_t time, const std::function<void(SupervisorFlags&)>& change) {
    const SupervisorFlags before = flags_;
    at(time, change);
    flags_ = before;
    advance(time + 1);
    return *this;
  }
  RunState state() const { return state_.state; }
  Cause cause() const { return state_.first_out; }
  Action action() const { return state_.action; }
  std::int64_t since() const { return state_.since; }

  static Timeline running() {
    Timeline t;
    t.pulse(1, [](auto& f) { f.reset = true; });
    t.pulse(3, [](auto& f) { f.arm = true; });
    t.pulse(5, [](auto& f) { f.armed = true; });
    t.pulse(7, [](auto& f) { f.arrived = true; });
    return t;
  }

 private:
  void advance(std::int64_t time) {
    for (; now_ <= time; ++now_) state_ = supervise(now_, state_, flags_, {.longest_hold = 100});
  }
  std::int64_t now_ = 0;
  SupervisorState state_;
  SupervisorFlags flags_;
};

void trip(SupervisorFlags& flags, Action action, Cause cause) {
  flags.action = action;
  flags.cause = cause;
}

TEST(Supervisor, FaultedAtBirthAndResetOnAnEdgeOnly) {
  Timeline stuck;
  stuck.at(0, [](auto& f) { f.reset = f.arm = true; }).until(50);
  EXPECT_EQ(stuck.state(), RunState::faulted) << "a button that was pressed all along is no reset";
  EXPECT_EQ(stuck.cause(), Cause::birth);
  stuck.at(60, [](auto& f) { f.reset = false; }).at(61, [](auto& f) { f.reset = true; });
  EXPECT_EQ(stuck.state(), RunState::ready);
  EXPECT_EQ(stuck.cause(), Cause::none);
}

TEST(Supervisor, GoesThroughEveryStateOfATest) {
  Timeline t = Timeline::running();
  EXPECT_EQ(t.state(), RunState::running);
  EXPECT_EQ(t.since(), 7);
  t.at(20, [](auto& f) { f.finished = true; });
  EXPECT_EQ(t.state(), RunState::ramp_down);
  t.at(30, [](auto& f) { f.at_rest = true; });
  EXPECT_EQ(t.state(), RunState::stopped);
  EXPECT_EQ(t.cause(), Cause::none);
}

TEST(Supervisor, NothingHappensWithoutBeingAsked) {
  Timeline t;
  t.pulse(1, [](auto& f) { f.reset = true; }).until(1000);
  EXPECT_EQ(t.state(), RunState::ready);
  t.pulse(1001, [](auto& f) { f.arm = true; }).until(2000);
  EXPECT_EQ(t.state(), RunState::arming) << "not armed, so nothing moves";
}

TEST(Supervisor, EveryActionHasItsState) {
  const struct {
    Action action;
    RunState state;
  } lines[] = {{Action::indicate, RunState::running},
               {Action::hold, RunState::hold},
               {Action::ramp_down, RunState::ramp_down},
               {Action::interlock, RunState::faulted}};
  for (const auto& line : lines) {
    Timeline t = Timeline::running();
    t.pulse(50, [&](auto& f) { trip(f, line.action, Cause::force); });
    EXPECT_EQ(t.state(), line.state) << name_of(line.action);
    // A fault that flickers trips, and stays: one instant was enough.
    t.until(60);
    EXPECT_EQ(t.state(), line.state) << name_of(line.action);
  }
}

TEST(Supervisor, InterlockFromEveryState) {
  const std::vector<std::function<void(Timeline&)>> ways = {
      [](Timeline& t) { t.pulse(1, [](auto& f) { f.reset = true; }); },
      [](Timeline& t) {
        t.pulse(1, [](auto& f) { f.reset = true; });
        t.pulse(3, [](auto& f) { f.arm = true; });
      },
      [](Timeline& t) {
        t.pulse(1, [](auto& f) { f.reset = true; });
        t.pulse(3, [](auto& f) { f.arm = true; });
        t.pulse(5, [](auto& f) { f.armed = true; });
      },
      [](Timeline& t) { t = Timeline::running(); },
      [](Timeline& t) {
        t = Timeline::running();
        t.pulse(20, [](auto& f) { f.hold = true; });
      },
      [](Timeline& t) {
        t = Timeline::running();
        t.pulse(20, [](auto& f) { f.stop = true; });
      }};
  int number = 0;
  for (const auto& way : ways) {
    Timeline limit, button;
    way(limit);
    way(button);
    limit.pulse(70, [](auto& f) { trip(f, Action::interlock, Cause::stroke); });
    button.pulse(70, [](auto& f) { f.emergency = true; });
    EXPECT_EQ(limit.state(), RunState::faulted) << number;
    EXPECT_EQ(button.state(), RunState::faulted) << number;
    if (number < 5) {
      EXPECT_EQ(limit.cause(), Cause::stroke) << number;
      EXPECT_EQ(button.cause(), Cause::emergency) << number;
    } else {
      EXPECT_EQ(limit.cause(), Cause::operator_stop) << "what came first is kept";
    }
    ++number;
  }
}

TEST(Supervisor, FirstOutCauseIsKept) {
  Timeline t = Timeline::running();
  t.pulse(50, [](auto& f) { trip(f, Action::ramp_down, Cause::tracking); });
  t.pulse(55, [](auto& f) { trip(f, Action::interlock, Cause::force); });
  EXPECT_EQ(t.state(), RunState::faulted);
  EXPECT_EQ(t.cause(), Cause::tracking);
  EXPECT_EQ(t.action(), Action::interlock) << "but the severity is the worst";
  t.pulse(60, [](auto& f) { f.reset = true; });
  EXPECT_EQ(t.state(), RunState::ready);
  EXPECT_EQ(t.cause(), Cause::none);
}

TEST(Supervisor, NoResetWhileTheFaultIsThere) {
  Timeline t = Timeline::running();
  t.at(50, [](auto& f) { trip(f, Action::interlock, Cause::link); });
  t.at(60, [](auto& f) { f.reset = true; });
  EXPECT_EQ(t.state(), RunState::faulted);
  t.at(70, [](auto& f) { trip(f, Action::none, Cause::none); });
  EXPECT_EQ(t.state(), RunState::faulted) << "the edge was before";
}

TEST(Supervisor, HoldAndResumeOnEdges) {
  Timeline t = Timeline::running();
  t.at(50, [](auto& f) { f.hold = true; });
  EXPECT_EQ(t.state(), RunState::hold);
  t.at(60, [](auto& f) { f.resume = true; });
  EXPECT_EQ(t.state(), RunState::running) << "a hold still pressed does not hold again";
  t.at(70, [](auto& f) { f.hold = false; }).at(71, [](auto& f) { f.hold = true; });
  EXPECT_EQ(t.state(), RunState::hold);
  t.until(100);
  EXPECT_EQ(t.state(), RunState::hold) << "a resume still pressed is no resume";
  t.until(171);
  EXPECT_EQ(t.state(), RunState::ramp_down) << "held for too long";
  EXPECT_EQ(t.cause(), Cause::hold_expired);
}

TEST(Supervisor, NoResumeIntoTrouble) {
  Timeline t = Timeline::running();
  t.at(50, [](auto& f) { trip(f, Action::hold, Cause::stale); });
  EXPECT_EQ(t.state(), RunState::hold);
  t.pulse(55, [](auto& f) { f.resume = true; });
  EXPECT_EQ(t.state(), RunState::hold);
  t.at(60, [](auto& f) { trip(f, Action::none, Cause::none); });
  t.pulse(65, [](auto& f) { f.resume = true; });
  EXPECT_EQ(t.state(), RunState::running);
}

TEST(Supervisor, TheOperatorRampsDown) {
  Timeline t = Timeline::running();
  t.pulse(50, [](auto& f) { f.stop = true; });
  EXPECT_EQ(t.state(), RunState::ramp_down);
  EXPECT_EQ(t.cause(), Cause::operator_stop);
  t.pulse(60, [](auto& f) { f.at_rest = true; });
  EXPECT_EQ(t.state(), RunState::stopped);
}

TEST(Supervisor, IsAPureFunction) {
  // The same arguments give the same state, whatever was asked in between.
  const SupervisorState running = [] {
    SupervisorState s;
    s.state = RunState::running;
    s.first_out = Cause::none;
    s.action = Action::none;
    return s;
  }();
  SupervisorFlags bad;
  trip(bad, Action::ramp_down, Cause::energy);
  const SupervisorState once = supervise(5, running, bad, {});
  supervise(6, once, {}, {});
  supervise(7, running, {}, {});
  EXPECT_EQ(supervise(5, running, bad, {}), once);
}

}  // namespace
}  // namespace gusset

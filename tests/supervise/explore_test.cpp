// Every sequence of inputs, of any length: all states that can be reached, each with every combination of flags
// and every limit, and what must hold of each transition. Supervisors that are wrong on purpose are found.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "supervise/supervisor.hpp"

namespace gusset {
namespace {

using Function = std::function<SupervisorState(std::int64_t, const SupervisorState&, const SupervisorFlags&,
                                               const SupervisorTimes&)>;

constexpr SupervisorTimes short_times{.longest_hold = 3, .grace = 2};
constexpr std::int64_t oldest = 4;  ///< ages beyond are the same: longer than every time above

bool active(RunState state) {
  return state == RunState::arming || state == RunState::ramp || state == RunState::running ||
         state == RunState::hold || state == RunState::ramp_down;
}
bool moves(RunState state) { return active(state) && state != RunState::arming; }
bool of_motion(Cause cause) { return cause == Cause::stroke || cause == Cause::tracking; }

/// One a combination of ten flags and of seven limits, causes of motion and others.
std::vector<SupervisorFlags> all_flags() {
  const std::pair<Action, Cause> limits[] = {
      {Action::none, Cause::none},          {Action::indicate, Cause::energy},
      {Action::hold, Cause::stale},         {Action::ramp_down, Cause::tracking},
      {Action::ramp_down, Cause::deadline}, {Action::interlock, Cause::stroke},
      {Action::interlock, Cause::link}};
  std::vector<SupervisorFlags> all;
  for (int bits = 0; bits < 1024; ++bits) {
    for (const auto& [action, cause] : limits) {
      const auto bit = [&](int i) { return (bits >> i & 1) != 0; };
      all.push_back(
          {bit(0), bit(1), bit(2), bit(3), bit(4), bit(5), bit(6), bit(7), bit(8), bit(9), action, cause});
    }
  }
  return all;
}

/// What a transition breaks; empty: nothing.
std::string broken(std::int64_t time, const SupervisorState& before, const SupervisorFlags& flags,
                   const SupervisorState& after) {
  const bool trouble = flags.action >= Action::hold;
  const bool worst = flags.emergency || flags.action == Action::interlock;
  const bool reset = flags.reset && !before.reset_before;
  const RunState from = before.state, to = after.state;
  if (from == RunState::faulted && to != RunState::faulted &&
      (to != RunState::ready || !reset || trouble || worst)) {
    return "faulted is left without a reset, or into trouble";
  }
  if (worst && (active(from) || from == RunState::ready) && to != RunState::faulted)
    return "an interlock is ignored";
  if (worst && moves(to)) return "motion in an interlock";
  if (to == RunState::faulted && after.first_out == Cause::none) return "faulted without a cause";
  const bool cleared = to == RunState::ready && from != RunState::ready;
  if (!cleared && before.first_out != Cause::none && after.first_out != before.first_out) {
    return "the first cause is replaced";
  }
  if (!cleared && after.action < before.action) return "a severity is forgotten";
  if (cleared && !reset) return "ready without a reset";
  if (to == RunState::ramp && from != RunState::ramp &&
      (from != RunState::arming || !flags.armed || flags.stop || trouble)) {
    return "motion without arming";
  }
  if (to == RunState::running && from != RunState::running) {
    const bool resumed = from == RunState::hold && flags.resume && !before.resume_before;
    if (trouble || flags.stop || !(resumed || (from == RunState::ramp && flags.arrived)))
      return "runs into trouble";
  }
  const bool ends = flags.stop || flags.action == Action::ramp_down;
  if (ends && (to == RunState::ramp || to == RunState::running || to == RunState::hold))
    return "a stop is ignored";
  if (from == RunState::running && flags.action == Action::hold && to == RunState::running)
    return "a hold is ignored";
  if (from == RunState::ramp_down && to == RunState::ramp_down && flags.action == Action::ramp_down &&
      of_motion(flags.cause) &&
      (flags.cause != before.first_out || time - before.since >= short_times.grace)) {
    return "a limit on the way back is ignored";
  }
  if (from == RunState::ramp_down && to != RunState::ramp_down && to != RunState::stopped &&
      to != RunState::faulted) {
    return "a way back that goes on to something else";
  }
  if (to == RunState::hold && from == RunState::hold && time - after.since >= short_times.longest_hold) {
    return "a hold without end";
  }
  if (from == RunState::stopped && to != RunState::stopped && to != RunState::ready)
    return "stopped, and goes on";
  if (after.since != (to == from ? before.since : time)) return "the time of the state is wrong";
  return {};
}

struct Exploration {
  std::size_t states = 0, transitions = 0;
  std::string problem;
  std::vector<SupervisorState> reached;
};

Exploration explore(const Function& function) {
  using Key = std::tuple<RunState, Cause, Action, std::int64_t, bool, bool, bool>;
  constexpr std::int64_t now = 100;
  const std::vector<SupervisorFlags> inputs = all_flags();
  Exploration found;
  std::set<Key> known;
  std::vector<SupervisorState> open;
  // Only how old a state is counts, not when it began.
  const auto add = [&](SupervisorState state, std::int64_t age) {
    age = std::min(age, oldest);
    state.since = now - age;
    if (known
            .insert({state.state, state.first_out, state.action, age, state.reset_before, state.hold_before,
                     state.resume_before})
            .second) {
      open.push_back(state);
    }
  };
  add(SupervisorState{}, 0);
  while (!open.empty()) {
    const SupervisorState before = open.back();
    open.pop_back();
    found.reached.push_back(before);
    for (const SupervisorFlags& flags : inputs) {
      const SupervisorState after = function(now, before, flags, short_times);
      ++found.transitions;
      if (found.problem.empty()) found.problem = broken(now, before, flags, after);
      if (!found.problem.empty()) return found;
      add(after, now - after.since + 1);
    }
  }
  found.states = known.size();
  return found;
}

TEST(SupervisorExplored, EverySequenceOfInputsIsSafe) {
  const Exploration found = explore(supervise);
  EXPECT_EQ(found.problem, "");
  EXPECT_GT(found.states, 300U);
  EXPECT_GT(found.transitions, 1'000'000U);
  RecordProperty("states", static_cast<int>(found.states));
  // Every state comes to rest once the operator asks for it and the way back is done.
  for (const SupervisorState& state : found.reached) {
    SupervisorFlags flags;
    flags.stop = flags.at_rest = true;
    flags.reset = state.reset_before;
    SupervisorState next = state;
    for (int i = 0; i < 2; ++i) next = supervise(100 + i, next, flags, short_times);
    EXPECT_FALSE(moves(next.state)) << name_of(state.state);
  }
}

TEST(SupervisorExplored, FindsSupervisorsThatAreWrong) {
  const struct {
    const char* what;
    Function function;
  } lines[] = {
      {"no interlock in a hold",
       [](auto time, const auto& before, SupervisorFlags flags, const auto& times) {
         if (before.state == RunState::hold && flags.action == Action::interlock) flags.action = Action::none;
         return supervise(time, before, flags, times);
       }},
      {"the last cause instead of the first",
       [](auto time, const auto& before, const auto& flags, const auto& times) {
         SupervisorState after = supervise(time, before, flags, times);
         if (after.state == RunState::faulted && flags.action == Action::interlock)
           after.first_out = flags.cause;
         return after;
       }},
      {"a reset that is pressed all along",
       [](auto time, SupervisorState before, const auto& flags, const auto& times) {
         before.reset_before = false;
         return supervise(time, before, flags, times);
       }},
      {"limits that are asleep on the way back",
       [](auto time, const auto& before, SupervisorFlags flags, const auto& times) {
         if (before.state == RunState::ramp_down && flags.action < Action::interlock)
           flags.action = Action::none;
         return supervise(time, before, flags, times);
       }},
      {"a hold without end",
       [](auto time, const auto& before, const auto& flags, SupervisorTimes times) {
         times.longest_hold = 1000;
         return supervise(time, before, flags, times);
       }},
      {"a resume into trouble",
       [](auto time, const auto& before, SupervisorFlags flags, const auto& times) {
         if (before.state == RunState::hold && flags.resume)
           flags.action = std::min(flags.action, Action::indicate);
         return supervise(time, before, flags, times);
       }},
      {"a stop that counts while running only",
       [](auto time, const auto& before, SupervisorFlags flags, const auto& times) {
         if (before.state == RunState::ramp) flags.stop = false;
         return supervise(time, before, flags, times);
       }},
      {"arming that does not wait",
       [](auto time, const auto& before, SupervisorFlags flags, const auto& times) {
         flags.armed = true;
         return supervise(time, before, flags, times);
       }},
      {"an emergency stop that only brakes",
       [](auto time, const auto& before, SupervisorFlags flags, const auto& times) {
         if (flags.emergency) flags.stop = true;
         flags.emergency = false;
         return supervise(time, before, flags, times);
       }},
  };
  for (const auto& line : lines) EXPECT_NE(explore(line.function).problem, "") << line.what;
}

}  // namespace
}  // namespace gusset

// A campaign: random tests on a virtual clock, faults at random moments of random phases, one after the other, and
// what must hold of every command that left. 250 of them; 10,000 with GUSSET_LONG set.

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "support/documents.hpp"
#include "support/fake_rig.hpp"
#include "support/run_scene.hpp"

namespace gusset {
namespace {

using namespace test;

/// SplitMix64.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}
  double operator()() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
  }
  int below(int n) { return static_cast<int>((*this)() * n); }

 private:
  std::uint64_t state_;
};

enum class Fault {
  none,
  silence,     ///< the rig answers nothing any more
  old,         ///< it answers with old numbers
  nan,         ///< a number is none
  stuck,       ///< its position does not move any more
  drift,       ///< it drifts away at 0.2 m/s
  overload,    ///< its load cell shows 100 kN
  trips,       ///< it stops by itself
  late_clock,  ///< the loop is held up for 1 to 300 ms
  recorder,    ///< the recorder breaks
  stop,        ///< the operator stops
  emergency,   ///< twice
  hold,        ///< the operator holds, and resumes 0.2 s later
  count
};

/// What ends a test with that fault alone; hold and none end it with nothing.
std::set<Cause> causes_of(Fault fault) {
  switch (fault) {
    case Fault::silence:
    case Fault::old: return {Cause::stale, Cause::link};
    case Fault::nan: return {Cause::non_finite};
    case Fault::stuck: return {Cause::frozen, Cause::tracking, Cause::no_motion, Cause::sensor, Cause::none};
    case Fault::drift: return {Cause::tracking, Cause::stroke, Cause::sensor, Cause::velocity};
    case Fault::overload: return {Cause::force, Cause::tare};
    case Fault::trips: return {Cause::rig};
    case Fault::late_clock: return {Cause::deadline, Cause::none};
    case Fault::recorder: return {Cause::recorder};
    case Fault::stop: return {Cause::operator_stop};
    case Fault::emergency: return {Cause::emergency};
    default: return {Cause::none};
  }
}

constexpr double stroke = 60e-3, velocity = 0.6, acceleration = 25;

/// The laboratory of a campaign: quickstart's first 0.6 s, strong enough to move, ways of 0.3 s.
struct Bench {
  explicit Bench(const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"duration=0.6 s",
                                 "excitation.peak=1 g",
                                 "limits.tracking_error=3 mm",
                                 "limits.acceleration=25 m/s^2",
                                 "realtime.ramp=0.3 s",
                                 "realtime.fade_out=0.3 s"};
    all.insert(all.end(), more.begin(), more.end());
    document = shipped("quickstart", all);
    test = make_test(document, shipped_records());
    settings = read_realtime(document);
    hello = hello_of(document, *test.experiment, false);
  }
  Document document;
  Test test;
  RealtimeSettings settings;
  Hello hello;
};

struct Scenario {
  std::vector<std::pair<double, Fault>> faults;  ///< at these times of the clock
  bool hold_policy = false;
  double home = 0;
  std::int64_t held_up = 0;
};

Scenario scenario(std::uint64_t seed) {
  Chance chance(seed);
  Scenario made;
  const int count = chance.below(3);
  for (int i = 0; i < count; ++i) {
    made.faults.emplace_back(0.005 + 1.5 * chance(),
                             static_cast<Fault>(chance.below(static_cast<int>(Fault::count))));
  }
  std::sort(made.faults.begin(), made.faults.end());
  made.hold_policy = chance.below(2) == 1;
  made.home = chance.below(3) == 0 ? 0.0 : 0.08 * (chance() - 0.5);
  made.held_up = 1'000'000 + static_cast<std::int64_t>(299e6 * chance() * chance());
  return made;
}

/// A loop that does something wrong on purpose.
struct Wrong {
  std::function<void(LoopOptions&)> options;
  const Bench* bench = nullptr;
};

/// What a test breaks; empty: nothing.
std::string play(const Bench& bench, const Scenario& what, const Wrong& wrong, std::map<Cause, int>& causes) {
  LoopOptions options;
  options.settings = bench.settings;
  options.settings.on_miss = what.hold_policy ? OnMiss::hold : OnMiss::trip;
  options.hardware = true;
  options.on_miss = *options.settings.on_miss;
  if (wrong.options) wrong.options(options);
  const Test& test = wrong.bench != nullptr ? wrong.bench->test : bench.test;
  HeldUpClock clock;
  FakeRig rig(bench.hello, clock);
  rig.at = what.home;
  MemorySink sink(test);
  Operator operators;
  std::set<Fault> begun;
  double drift = 0, stuck = 0, held_since = 0;
  std::size_t next = 0;
  bool resumed = false;
  rig.wrong = [&](Message& message, double* values) {
    if (begun.contains(Fault::stuck)) {
      values[0] = stuck + 1e-7 * static_cast<double>(message.sequence % 5);
    } else {
      stuck = values[0];
    }
    if (begun.contains(Fault::drift)) values[0] += drift += 0.2e-3;
    if (begun.contains(Fault::nan)) values[1] = NAN;
    if (begun.contains(Fault::overload)) values[1] = 100e3;
    if (begun.contains(Fault::old)) message.sequence = 1;
    if (begun.contains(Fault::trips)) message.phase = LinkPhase::tripped;
  };
  rig.answers = [&](const Message&) { return !begun.contains(Fault::silence); };
  RunLoop loop(test, rig, clock, sink, options);
  loop.start();
  int beats = 0;
  for (; beats < 30'000; ++beats) {
    const double now = 1e-9 * static_cast<double>(clock.now());
    for (; next < what.faults.size() && now >= what.faults[next].first; ++next) {
      const Fault fault = what.faults[next].second;
      begun.insert(fault);
      if (fault == Fault::late_clock) clock.advance(what.held_up);
      if (fault == Fault::recorder) sink.break_down();
      if (fault == Fault::stop) operators.stops = std::max(1, operators.stops.load());
      if (fault == Fault::emergency) operators.stops = 2;
      if (fault == Fault::hold) {
        operators.hold = true;
        held_since = now;
        resumed = false;
      }
    }
    if (held_since > 0 && !resumed && now > held_since + 0.2) {
      operators.resume = true;
      resumed = true;
    }
    if (!loop.beat(operators)) break;
  }
  const LoopResult& result = loop.finish();
  ++causes[result.first_out];
  if (beats >= 30'000) return "no end";
  if (result.state != RunState::stopped && result.state != RunState::faulted) return "not at rest";
  const bool late = begun.contains(Fault::late_clock);
  bool stopped = false;
  for (std::size_t i = 0; i < rig.sent.size(); ++i) {
    const FakeRig::Sent& sent = rig.sent[i];
    if (!std::isfinite(sent.value)) return "a command that is no number";
    if (std::abs(sent.value) > stroke) return "beyond the stroke";
    if (i == 0) continue;
    const FakeRig::Sent& before = rig.sent[i - 1];
    if (stopped && sent.value != before.value) return "motion after a stop";
    stopped = stopped || sent.phase == LinkPhase::stop;
    if (sent.time - before.time < 0.499e-3) return "two commands in a period";
    if (std::abs(sent.value - before.value) > velocity * 1.001e-3) return "faster than allowed in a period";
  }
  if (fastest(rig.sent, 5e-3) > 1.21 * velocity) return "faster than allowed in 5 ms";
  // An interlock ends in `stop`, and the rig brakes by itself.
  std::vector<FakeRig::Sent> moving;
  for (const FakeRig::Sent& sent : rig.sent) {
    if (sent.phase != LinkPhase::stop && sent.phase != LinkPhase::idle) moving.push_back(sent);
  }
  if (!late && strongest(moving) > 1.05 * acceleration) {
    return "an acceleration of " + std::to_string(strongest(moving));
  }
  if (sink.healthy() && sink.table("rig").rows() > 0 &&
      static_cast<std::int64_t>(sink.table("rig").rows()) != result.commands + 1) {
    return "rows are lost";
  }
  // One fault alone: the right cause, if it came before the end.
  if (begun.size() == 1 && what.faults.size() == 1 && wrong.bench == nullptr && !wrong.options) {
    std::set<Cause> right = causes_of(*begun.begin());
    if (*begun.begin() == Fault::hold) right.insert(Cause::operator_stop);  // in the approach
    if (result.first_out == Cause::none && result.completed) right.insert(Cause::none);
    if (!right.contains(result.first_out)) return std::string("the cause ") + name_of(result.first_out);
  }
  if (begun.empty() && (result.first_out != Cause::none || !result.completed)) {
    return std::string("a sound test ends with ") + name_of(result.first_out);
  }
  return {};
}

TEST(Campaign, NoCommandBeyondALimitWhateverGoesWrong) {
  const int tests = std::getenv("GUSSET_LONG") != nullptr ? 10'000 : 250;
  const Bench bench;
  std::map<Cause, int> causes;
  int problems = 0;
  for (int i = 0; i < tests && problems < 10; ++i) {
    const Scenario made = scenario(static_cast<std::uint64_t>(i));
    const std::string problem = play(bench, made, {}, causes);
    std::string faults;
    for (const auto& [time, fault] : made.faults) {
      faults += " " + std::to_string(static_cast<int>(fault)) + " at " + std::to_string(time);
    }
    problems += problem.empty() ? 0 : 1;
    EXPECT_EQ(problem, "") << "seed " << i << ":" << faults << (made.hold_policy ? ", hold" : ", trip")
                           << ", home " << made.home << ", held up "
                           << 1e-6 * static_cast<double>(made.held_up);
  }
  EXPECT_GE(causes.size(), 8U) << "it meets many causes";
}

TEST(Campaign, CatchesLoopsThatAreWrong) {
  const Bench bench;
  // No limit of velocity, of acceleration; and one that takes a real rig for a virtual one and hurries.
  const Bench fast({"limits.velocity=100 m/s", "limits.acceleration=1e6 m/s^2", "realtime.ramp=5 ms",
                    "realtime.fade_out=5 ms"});
  const Bench jerky({"limits.acceleration=1e6 m/s^2", "realtime.ramp=20 ms", "realtime.fade_out=20 ms"});
  const Bench wide({"limits.displacement=1 m", "excitation.peak=8 g", "limits.velocity=100 m/s",
                    "limits.acceleration=1e6 m/s^2", "limits.force=1000 MN", "limits.tracking_error=1 m"});
  const auto hurries = [](LoopOptions& options) {
    options.hardware = false;
    options.settings.on_miss = options.on_miss = OnMiss::catch_up;
  };
  const struct {
    const char* what;
    Wrong wrong;
  } lines[] = {{"no limit of velocity", {nullptr, &fast}},
               {"no limit of acceleration", {nullptr, &jerky}},
               {"no limits", {nullptr, &wide}},
               {"makes up for lost time", {hurries, nullptr}}};
  for (const auto& line : lines) {
    std::map<Cause, int> causes;
    int caught = 0;
    for (int i = 0; i < 120 && caught == 0; ++i) {
      const Bench& own = line.wrong.bench != nullptr ? *line.wrong.bench : bench;
      Scenario made = scenario(static_cast<std::uint64_t>(i));
      caught += play(own, made, line.wrong, causes).empty() ? 0 : 1;
    }
    EXPECT_GT(caught, 0) << line.what;
  }
}

}  // namespace
}  // namespace gusset

#include "session/session.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "realtime/queue_sink.hpp"
#include "runs/recover.hpp"
#include "session/answers.hpp"
#include "session/sessions.hpp"

namespace gusset {
namespace {

using namespace test;
using Files = std::vector<std::string>;

TEST(SessionThread, LockstepIsSimulateAndLeavesOneFile) {
  const TemporaryFolder folder;
  Session session(short_quickstart(), into(folder / "run.h5"));
  const SessionResult result = run(session);
  EXPECT_TRUE(result.success()) << name_of(result.loop.first_out);
  EXPECT_EQ(folder.files(), Files{"run.h5"});
  const auto recorded = read_run(folder / "run.h5");
  EXPECT_EQ(difference_from_simulate(recorded, session.test()), "");
  // Nobody attached, so nothing says so.
  for (const Event& event : recorded.events) EXPECT_NE(event.source, "socket");
  for (const auto& [name, text] : recorded.texts) EXPECT_NE(name, "commands");
  const nlohmann::ordered_json json = to_json(result);
  EXPECT_EQ(json["state"], "stopped");
  EXPECT_EQ(json["cause"], "none");
  EXPECT_EQ(json["passed"], nullptr);
  EXPECT_EQ(json["arming"]["granted"], true);
  EXPECT_EQ(json["out"], folder / "run.h5");
}

TEST(SessionThread, HoldsAndGoesOn) {
  const TemporaryFolder folder;
  ScriptedClock clock;
  Session session(short_quickstart(), into(folder / "run.h5", &clock));
  clock.before = [&](std::int64_t beat) {
    if (beat == 700) session.operators().press_hold();
    if (beat == 1700) session.operators().press_resume();
  };
  const SessionResult result = run(session);
  EXPECT_TRUE(result.success()) << name_of(result.loop.first_out);
  const auto recorded = read_run(folder / "run.h5");
  EXPECT_EQ(count_events(recorded, "state: hold"), 1);
  EXPECT_EQ(count_events(recorded, "held for 1 s"), 1);
  // The rig has a delay, so what was on its way arrives while the test stands still.
  EXPECT_EQ(difference_from_simulate(recorded, session.test(), 0.66), "");
  EXPECT_NE(difference_from_simulate(recorded, session.test(), 0.70), "");
}

TEST(SessionThread, StopsOnceGentlyTwiceAtOnce) {
  for (const int presses : {1, 2}) {
    const TemporaryFolder folder;
    ScriptedClock clock;
    Session session(short_quickstart(), into(folder / "run.h5", &clock));
    clock.before = [&](std::int64_t beat) {
      if (beat == 1000 || (presses == 2 && beat == 1010)) session.operators().press_stop();
    };
    const SessionResult result = run(session);
    EXPECT_FALSE(result.success());
    EXPECT_TRUE(result.kept);
    EXPECT_FALSE(result.loop.completed);
    EXPECT_EQ(result.loop.first_out, Cause::operator_stop);
    EXPECT_EQ(result.loop.state, presses == 1 ? RunState::stopped : RunState::faulted);
    EXPECT_LT(result.loop.time, 1.01);
    EXPECT_GT(result.loop.time, 0.9);
    EXPECT_EQ(to_json(result)["completed"], false);
  }
}

TEST(SessionThread, ATripNamesTheLimitThatCheckNames) {
  const TemporaryFolder folder;
  const Loaded loaded = short_quickstart({"limits.force=3 kN"});
  const Review rehearsal = review(loaded.test, loaded.realtime);
  Session session(short_quickstart({"limits.force=3 kN"}), into(folder / "run.h5"));
  const SessionResult result = run(session);
  EXPECT_EQ(result.loop.first_out, Cause::force);
  EXPECT_EQ(result.loop.state, RunState::faulted);
  ASSERT_TRUE(result.loop.finding);
  ASSERT_TRUE(rehearsal.passed);
  EXPECT_EQ(result.loop.finding->time, rehearsal.passed->time);
  EXPECT_EQ(to_json(result)["passed"]["signal"], "damper.force");
  EXPECT_TRUE(result.kept);
}

TEST(SessionThread, AnUnstableLoopIsNotArmedAndNothingIsTouched) {
  const auto unstable = [] { return open_experiment("wu-validation-delay", {"duration=0.5 s"}); };
  const TemporaryFolder folder;
  put(folder / "run.h5", "an older run");
  SessionOptions options = into(folder / "run.h5");
  options.force = true;
  Session session(unstable(), std::move(options));
  const SessionResult refused = run(session);
  EXPECT_FALSE(refused.arming.granted());
  EXPECT_FALSE(refused.kept);
  EXPECT_EQ(refused.loop.commands, 0);
  EXPECT_EQ(to_json(refused)["out"], nullptr);
  EXPECT_EQ(folder.files(), Files{"run.h5"});
  EXPECT_EQ(content(folder / "run.h5"), "an older run");
  EXPECT_THROW(session.start(), std::logic_error);

  SessionOptions forced = into(folder / "forced.h5");
  forced.force_unstable = true;
  Session other(unstable(), std::move(forced));
  const SessionResult ran = run(other);
  EXPECT_TRUE(ran.arming.granted());
  EXPECT_GT(ran.loop.commands, 0);
}

TEST(Session, WhatIsWrongIsSaidBeforeAnythingIsMade) {
  const TemporaryFolder folder;
  const auto open = [&](const std::string& out, const std::string& rig) {
    SessionOptions options = into(out);
    options.rig = rig;
    const Session session(short_quickstart(), std::move(options));
  };
  EXPECT_THROW(open("", "local:"), InputError);
  EXPECT_THROW(open(folder / "run.h5", "carrier-pigeon:"), InputError);
  EXPECT_THROW(open(folder / "run.h5", "plugin:./no-such-library.so"), InputError);
  EXPECT_THROW(open(folder / "no/run.h5", "local:"), InputError);
  put(folder / "there.h5", "a run");
  EXPECT_THROW(open(folder / "there.h5", "local:"), InputError);
  EXPECT_EQ(folder.files(), Files{"there.h5"});
}

TEST(SessionThread, ASessionThatIsDroppedStopsAndKeepsTheRecording) {
  const TemporaryFolder folder;
  {
    ScriptedClock clock;
    Barrier barrier;
    Session session(short_quickstart(), into(folder / "run.h5", &clock));
    clock.before = [&](std::int64_t beat) {
      if (beat == 500) barrier.wait_in_loop();
    };
    session.arm();
    session.start();
    barrier.until_reached();
    session.operators().ask_stop(true);
    barrier.open();
  }
  EXPECT_EQ(folder.files(), Files{"run.h5.raw"});
  EXPECT_GT(recover_run(folder / "run.h5.raw").run.tables.front().rows(), 100U);
  { const Session never_armed(short_quickstart(), into(folder / "other.h5")); }
  EXPECT_EQ(folder.files(), Files{"run.h5.raw"});
}

TEST(SessionThread, ASinkThatIsFullDropsAndCountsAndDisturbsNobody) {
  const TemporaryFolder folder;
  Session session(short_quickstart(), into(folder / "run.h5"));
  QueueSink small(16, 64), large(100'000, 64);
  session.attach(small);
  session.attach(large);
  const SessionResult result = run(session);
  EXPECT_TRUE(result.success());
  const auto recorded = read_run(folder / "run.h5");
  EXPECT_EQ(difference_from_simulate(recorded, session.test()), "");
  std::uint64_t in_small = 0, in_large = 0;
  std::vector<double> forces;
  const auto rig = session.streams().rig;
  const auto place = static_cast<std::size_t>(session.test().experiment->row().index("damper.force"));
  small.drain([&](std::size_t, std::int64_t, const double*, std::size_t) { ++in_small; });
  large.drain([&](std::size_t stream, std::int64_t row, const double* values, std::size_t) {
    ++in_large;
    if (stream != rig) return;
    EXPECT_EQ(row, static_cast<std::int64_t>(forces.size()));
    forces.push_back(values[place]);
  });
  EXPECT_EQ(large.dropped(), 0U);
  EXPECT_EQ(forces, recorded.find("damper.force")->values);
  EXPECT_GT(small.dropped(), 0U);
  EXPECT_EQ(in_small + small.dropped(), in_large);
}

/// Writes a number, and says that it may not do so in real time.
struct Slow final : Stage {
  Port port;
  explicit Slow(Site& site) : port(site.claim("number", "-")) {}
  void run(Frame& frame) const noexcept override { frame[port] = 1; }
  bool realtime() const override { return false; }
};

TEST(Arming, AStageThatMayNotRunInRealTimeIsNamed) {
  Loop loop;
  loop.add<Slow>(Phase::begin, "python.block");
  loop.seal();
  const auto item = examine_stages(loop);
  ASSERT_TRUE(item);
  EXPECT_TRUE(item->refuses);
  EXPECT_NE(item->detail.find("\"python.block\""), std::string::npos);
  EXPECT_FALSE(examine_stages(short_quickstart().experiment().loop()));
}

}  // namespace
}  // namespace gusset

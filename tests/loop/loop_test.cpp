// The step: the order of its phases, its halves, and what the loop does between them.
#include "loop/loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "loop/rigs.hpp"

namespace gusset::test::stepping {
namespace {

using loop::skew;
using loop::TwoStoreys;

/// Writes its word into a log.
struct Speaker final : Stage {
  std::string word;
  std::string* log;
  bool fit;
  Speaker(Site&, std::string says, std::string& to, bool realtime = true)
      : word(std::move(says)), log(&to), fit(realtime) {}
  void run(Frame&) const noexcept override { *log += word + " "; }
  void start(Frame&, const LinearStart&) const override { *log += "start:" + word + " "; }
  bool realtime() const override { return fit; }
};

constexpr Phase all_phases[] = {Phase::begin,   Phase::draw, Phase::command, Phase::rig,
                                Phase::observe, Phase::feed, Phase::end};

/// A loop that says what runs.
struct Log {
  std::string said;
  Loop loop;
  State state;
  Wires row;
  Frame frame{state, row};
  explicit Log(int substeps) : loop(substeps) {
    for (const Phase phase : all_phases) {
      for (const char* number : {"1", "2"}) {
        const std::string word = name_of(phase) + std::string(number);
        loop.add<Speaker>(phase, word, word, said);
      }
    }
  }
  Log(const Log&) = delete;
  std::string hear() { return std::exchange(said, ""); }
};

TEST(Loop, PhasesRunInTheirOrder) {
  Log log(2);
  const std::string to_rig = "draw1 draw2 command1 command2 ", rig = "rig1 rig2 ",
                    from_rig = "observe1 observe2 feed1 feed2 ";
  log.loop.to_rig(log.frame);
  EXPECT_EQ(log.hear(), "begin1 begin2 " + to_rig);
  log.loop.through_rig(log.frame);
  EXPECT_EQ(log.hear(), rig);
  EXPECT_FALSE(log.loop.from_rig(log.frame));
  EXPECT_EQ(log.hear(), from_rig);
  log.loop.to_rig(log.frame);
  EXPECT_EQ(log.hear(), to_rig) << "the numerical part runs once a step";
  log.loop.through_rig(log.frame);
  EXPECT_TRUE(log.loop.from_rig(log.frame));
  EXPECT_EQ(log.hear(), rig + from_rig + "end1 end2 ");
  EXPECT_EQ(log.state.step, 1);

  log.loop.step(log.frame);
  EXPECT_EQ(log.hear(), "begin1 begin2 " + to_rig + rig + from_rig + to_rig + rig + from_rig + "end1 end2 ");
  EXPECT_EQ(log.state.step, 2);
}

TEST(Loop, PartsOfTheStepRunAlone) {
  Log log(2);
  log.loop.begin(log.frame);
  EXPECT_EQ(log.hear(), "begin1 begin2 ");
  log.loop.middle(log.frame);
  EXPECT_EQ(log.hear(), "command1 command2 rig1 rig2 observe1 observe2 ");
  EXPECT_EQ(log.state.step, 0) << "neither is a step";
}

TEST(Loop, StartsInTheOrderOfThePhases) {
  Log log(3);
  log.frame.substep = 2, log.frame.tick = 17, log.frame.trial = true;
  log.loop.start(log.frame, {});
  std::string expected;
  for (const Phase phase : all_phases) {
    for (const char* number : {"1", "2"}) expected += "start:" + (name_of(phase) + std::string(number)) + " ";
  }
  EXPECT_EQ(log.hear(), expected);
  EXPECT_EQ(log.frame.substep, 0);
  EXPECT_EQ(log.frame.tick, 0);
  EXPECT_FALSE(log.frame.trial);
}

TEST(Loop, HalvesAreTheStepBitForBit) {
  const loop::Arrangement setup{.geometry = skew, .substeps = 4, .reached = 0.9, .dual = true, .delay = 3};
  TwoStoreys whole(setup), halves(setup);
  for (int i = 0; i < 500; ++i) {
    whole.ground(std::sin(0.1 * i)), halves.ground(std::sin(0.1 * i));
    int seen = 0;
    whole.loop.step(whole.frame, [&] { ++seen; });
    EXPECT_EQ(seen, 4) << "every sub-step is shown";
    int substeps = 1;
    while (!halves.substep()) ++substeps;
    EXPECT_EQ(substeps, 4);
    const std::size_t bytes = whole.state.values.size() * sizeof(double);
    ASSERT_EQ(std::memcmp(whole.state.values.data(), halves.state.values.data(), bytes), 0) << "step " << i;
    ASSERT_EQ(std::memcmp(whole.row.data(), halves.row.data(), whole.row.size() * sizeof(double)), 0);
  }
  EXPECT_EQ(whole.state.step, 500);
  EXPECT_TRUE(std::isnormal(*whole.state.at(whole.displacement)));
}

TEST(Loop, TickCountsSubstepsSinceTheStart) {
  TwoStoreys test({.substeps = 3});
  for (int tick = 0; tick < 10; ++tick) {
    test.substep();
    EXPECT_EQ(test.frame.tick, tick);
  }
}

/// Notes whether time will be rewound.
struct Trials final : Stage {
  std::string* log;
  Trials(Site&, std::string& to) : log(&to) {}
  void run(Frame& f) const noexcept override { *log += f.trial ? "trial " : "final "; }
};

TEST(Loop, AllSubstepsButTheLastAreTrialsIfTimeIsRewound) {
  for (const bool rewound : {true, false}) {
    std::string log;
    Loop loop(3, rewound);
    loop.add<Trials>(Phase::rig, "plant", log);
    State state;
    Wires row;
    Frame frame{state, row};
    loop.step(frame);
    loop.step(frame);
    EXPECT_EQ(log, rewound ? "trial trial final trial trial final " : "final final final final final final ");
    EXPECT_EQ(loop.is_trial(0), rewound);
    EXPECT_EQ(loop.is_trial(1), rewound);
    EXPECT_FALSE(loop.is_trial(2));
  }
}

struct Listener final : Judge {
  std::string* log;
  explicit Listener(std::string& to) : log(&to) {}
  void commanded(const Frame&) noexcept override { *log += "commanded "; }
  void measured(const Frame&) noexcept override { *log += "measured "; }
};

TEST(Loop, JudgeSpeaksBeforeTheRigAndBeforeTheForceGoesOn) {
  std::string log;
  Loop loop(2);
  for (const Phase phase : all_phases) loop.add<Speaker>(phase, name_of(phase), name_of(phase), log);
  State state;
  Wires row;
  Listener judge(log);
  Frame frame{state, row, &judge};
  loop.step(frame);
  const std::string substep = "draw command commanded rig observe measured feed ";
  EXPECT_EQ(log, "begin " + substep + substep + "end ");
}

/// Looks at both places.
struct Watch final : Judge {
  Port command, force;
  Segment fed;
  mutable double sent = 0, read = 0, felt = 0;
  void commanded(const Frame& f) noexcept override { sent = f[command]; }
  void measured(const Frame& f) noexcept override { read = f[force], felt = *f.at(fed); }
};

TEST(Loop, JudgeSeesCommandsBeforeTheyAreSentAndForcesBeforeTheyAreFelt) {
  TwoStoreys test({.geometry = skew, .dual = true});
  Eigen::VectorXd at_rest = Eigen::Vector2d::Zero();
  test.loop.start(test.frame, {Eigen::Vector2d(0.01, 0.02), at_rest, at_rest});
  Watch watch;
  watch.command = test.loop.row().find("lower.command").port;
  watch.force = test.loop.row().find("lower.force").port;
  watch.fed = test.force;
  test.frame.judge = &watch;
  const double before = *test.state.at(test.force);
  ASSERT_NE(before, 0);
  test.loop.to_rig(test.frame);
  EXPECT_EQ(watch.sent, test.at("lower.command"));
  EXPECT_NE(watch.sent, 0);
  EXPECT_EQ(watch.read, 0) << "nothing is measured yet";
  test.loop.through_rig(test.frame);
  test.loop.from_rig(test.frame);
  EXPECT_EQ(watch.read, test.at("lower.force"));
  EXPECT_EQ(watch.felt, before);
  EXPECT_NE(*test.state.at(test.force), before);
}

TEST(Loop, EverySignalHasAValueAtTheStart) {
  for (const loop::Arrangement& setup : {loop::Arrangement{.geometry = skew, .dual = true, .delay = 2},
                                         loop::Arrangement{.substeps = 4, .delay = 1, .every = 4}}) {
    TwoStoreys test(setup);
    const Eigen::VectorXd at_rest = Eigen::Vector2d::Zero();
    test.loop.start(test.frame, {Eigen::Vector2d(0.01, 0.02), at_rest, at_rest});
    for (const Row::Entry& entry : test.loop.row().entries()) {
      EXPECT_TRUE(std::isfinite(test.row[entry.port])) << entry.name();
    }
    EXPECT_EQ(test.at("storey2.goal"), 0.02);
    EXPECT_EQ(test.state.at(test.displacement)[0], 0.01);
    EXPECT_NE(test.state.at(test.force)[0], 0) << "the force of t_0 is felt";
  }
}

TEST(Loop, StartFillsADelayWithTheFirstCommand) {
  TwoStoreys test({.delay = 2});
  const Eigen::VectorXd at_rest = Eigen::Vector2d::Zero();
  test.loop.start(test.frame, {Eigen::Vector2d(0.01, 0.02), at_rest, at_rest});
  for (int i = 0; i < 2; ++i) {
    test.substep();
    EXPECT_EQ(test.at("lower.measured"), 0.01);
    EXPECT_EQ(test.at("upper.measured"), 0.02);
  }
  test.substep();
  EXPECT_NE(test.at("lower.measured"), 0.01);
}

/// Writes what it claims at tick 0 and forgets it later.
struct Forgetful final : Stage {
  Port out;
  Forgetful(Site& s, const std::string& name) : out(s.claim(name, "m")) {}
  void run(Frame& f) const noexcept override {
    if (f.tick == 0) f[out] = 5;
  }
};

TEST(Loop, PoisonShowsWhatIsNotWrittenAnew) {
  for (const bool poisoned : {true, false}) {
    Loop loop(2);
    loop.input("ground.acceleration", "m/s^2");
    loop.add<Forgetful>(Phase::begin, "loading", "goal");
    loop.add<Forgetful>(Phase::draw, "ramp", "target");
    State state;
    Wires row = loop.row().wires();
    Frame frame{state, row};
    frame.poison = poisoned;
    const auto value = [&](const char* name) { return row[loop.row().find(name).port]; };
    row[loop.row().find("ground.acceleration").port] = 1;
    const auto substep = [&] { loop.to_rig(frame), loop.through_rig(frame), loop.from_rig(frame); };
    substep();
    EXPECT_EQ(value("target"), 5);
    substep();
    EXPECT_EQ(value("goal"), 5) << "what stands for a step is not poisoned within";
    EXPECT_EQ(std::isnan(value("target")), poisoned);
    substep();
    EXPECT_EQ(std::isnan(value("goal")), poisoned);
    EXPECT_EQ(value("ground.acceleration"), 1) << "the driver's";
  }
}

TEST(Loop, NamesTheStageThatMayNotRunInRealTime) {
  std::string log;
  Loop loop;
  loop.add<Speaker>(Phase::begin, "numerical", "a", log);
  EXPECT_EQ(loop.not_realtime(), "");
  loop.add<Speaker>(Phase::command, "script", "b", log, false);
  loop.add<Speaker>(Phase::rig, "plant", "c", log, false);
  EXPECT_EQ(loop.not_realtime(), "script");
}

}  // namespace
}  // namespace gusset::test::stepping

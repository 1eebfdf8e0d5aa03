// Wirings that must not get through: each is refused while the test is built.
#include <gtest/gtest.h>

#include <functional>

#include "loop/rigs.hpp"

namespace gusset::test::wiring {
namespace {

using namespace gusset::test::loop;

/// A stage that only does what it is told while it is built.
struct Wrong final : Stage {
  Wrong(Site& site, const std::function<void(Site&)>& act) { act(site); }
  void run(Frame&) const noexcept override {}
};

/// A sound loop up to the second of two rigs, which has no stage yet.
struct UpToSecondRig {
  Layout layout;
  Loop loop;
  Segment felt;
  UpToSecondRig() {
    for (const auto& name : channels) loop.row().declare_channel(name);
    loop.input("ground.acceleration", "m/s^2");
    felt = loop.add<Numerical>(Phase::begin, "numerical", Memory{layout, "numerical"}, 0.005, Numerical::next)
               .force;
    loop.add<Draw>(Phase::draw, "ramp", 1, 0.005, false);
    loop.add<ToActuators>(Phase::command, "geometry", straight, false);
    loop.add_rig("east");
    loop.add<Spring>(Phase::rig, "lower.spring", Memory{layout, "lower"}, "lower", 1.0);
    loop.add_rig("west");
  }
  UpToSecondRig(const UpToSecondRig&) = delete;
};

/// What a stage that does so is refused with.
std::string refused(Phase phase, const std::function<void(Site&)>& act) {
  UpToSecondRig test;
  return refusal([&] { test.loop.add<Wrong>(phase, "wrong", act); });
}
std::string refused_in_rig(const std::function<void(Site&)>& act) { return refused(Phase::rig, act); }

TEST(Wiring, SoundStageIsTaken) {
  const std::string none = "(not refused)";
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind_command("upper.command", "m"); }), none);
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind("upper.command.rate", "m/s"); }), none);
  EXPECT_EQ(refused(Phase::observe, [](Site& s) { s.amend("lower.force", "N"); }), none);
  EXPECT_EQ(refused(Phase::feed, [](Site& s) { s.amend("storey1.goal", "m"), s.share("numerical"); }), none);
  EXPECT_EQ(refused(Phase::feed, [](Site& s) { s.bind("ground.acceleration", "m/s^2"); }), none);
}

TEST(Wiring, RigMayAmendItsOwnSignal) {
  UpToSecondRig test;
  test.loop.add<Spring>(Phase::rig, "upper.spring", Memory{test.layout, "upper"}, "upper", 1.0);
  const auto amend = [](Site& s) { s.amend("upper.force", "N"), s.share("upper.spring"); };
  EXPECT_EQ(refusal([&] { test.loop.add<Wrong>(Phase::rig, "friction", amend); }), "(not refused)");
}

TEST(Wiring, RefusesAnUnknownName) {
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind("lower.comand", "m"); }),
            "nobody writes lower.comand; did you mean lower.command?");
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind_command("uper.command", "m"); }),
            "nobody writes uper.command; did you mean upper.command?");
  EXPECT_EQ(refused(Phase::observe, [](Site& s) { s.amend("lower.farce", "N"); }),
            "nobody writes lower.farce; did you mean lower.force?");
}

TEST(Wiring, RefusesAnotherUnit) {
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind("upper.command", "N"); }), "upper.command is in m, not in N");
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind_command("upper.command", "N"); }),
            "upper.command is in m, not in N");
  EXPECT_EQ(refused(Phase::observe, [](Site& s) { s.amend("lower.force", "kN"); }),
            "lower.force is in N, not in kN");
}

TEST(Wiring, RefusesTwoWriters) {
  EXPECT_EQ(refused_in_rig([](Site& s) { s.claim("lower.force", "N"); }), "two stages write lower.force");
  EXPECT_EQ(refused_in_rig([](Site& s) { s.claim_command("upper.target", "m"); }),
            "two stages write upper.target");
  EXPECT_EQ(refused(Phase::observe,
                    [](Site& s) {
                      s.claim({{"new", "m"}, {"lower.force", "N"}});
                    }),
            "two stages write lower.force");
}

TEST(Wiring, RefusesOneNumberAsACommand) {
  EXPECT_EQ(refused(Phase::observe, [](Site& s) { s.bind_command("lower.force", "N"); })
                .find("nobody writes lower.force.rate"),
            0u);
}

TEST(Wiring, RefusesInputBehindTheCut) {
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind("ground.acceleration", "m/s^2"); }),
            "rig: wrong: ground.acceleration is input and does not cross the cut");
}

TEST(Wiring, RefusesTheStepPartBehindTheCut) {
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind("storey1.goal", "m"); }),
            "rig: wrong: storey1.goal stands for a step and does not cross the cut");
}

TEST(Wiring, RefusesASignalOfAnotherRig) {
  EXPECT_EQ(refused_in_rig([](Site& s) { s.bind("lower.force", "N"); }),
            "rig: wrong: lower.force belongs to the rig east");
  EXPECT_EQ(refused_in_rig([](Site& s) { s.amend("lower.force", "N"); }),
            "rig: wrong: lower.force belongs to the rig east");
}

TEST(Wiring, RefusesARigThatAmendsACommand) {
  EXPECT_EQ(refused_in_rig([](Site& s) { s.amend("upper.command", "m"); }),
            "rig: wrong: upper.command is a command: a rig does not amend it");
}

TEST(Wiring, RefusesARigThatGivesACommandASecondName) {
  // It would read the command under a name of its own, around the cut and around an inserted delay.
  EXPECT_EQ(refused_in_rig([](Site& s) { s.alias_command("upper.measured", "upper.command"); }),
            "rig: wrong: upper.command is not of this rig: it gets no second name here");
}

TEST(Wiring, RefusesToAmendTheInput) {
  for (const Phase phase : {Phase::rig, Phase::observe, Phase::end}) {
    EXPECT_EQ(refused(phase, [](Site& s) { s.amend("ground.acceleration", "m/s^2"); }),
              name_of(phase) + std::string(": wrong: ground.acceleration is input: nobody amends it"));
  }
}

TEST(Wiring, RefusesStateAcrossTheCut) {
  const std::string other_side = " is on the other side of the cut";
  EXPECT_EQ(refused_in_rig([](Site& s) { s.share("numerical"); }),
            "rig: wrong: the State of numerical" + other_side);
  EXPECT_EQ(refused_in_rig([](Site& s) { s.share("lower.spring"); }),
            "rig: wrong: the State of lower.spring" + other_side)
      << "nor that of another rig";
  EXPECT_EQ(refused(Phase::feed, [](Site& s) { s.share("lower.spring"); }),
            "feed: wrong: the State of lower.spring" + other_side);
}

TEST(Wiring, RefusesToShareStateThatNobodyKeeps) {
  EXPECT_EQ(refused(Phase::feed, [](Site& s) { s.share("ramp"); }),
            "feed: wrong: no stage ramp keeps any State");
  EXPECT_EQ(refused(Phase::feed, [](Site& s) { s.share("nobody"); }),
            "feed: wrong: no stage nobody keeps any State");
}

TEST(Wiring, StagesOfTwoRigsMayHaveOneName) {
  UpToSecondRig test;
  test.loop.add<Spring>(Phase::rig, "lower.spring", Memory{test.layout, "upper"}, "upper", 1.0);
  EXPECT_EQ(
      refusal([&] { test.loop.add<Wrong>(Phase::rig, "meter", [](Site& s) { s.share("lower.spring"); }); }),
      "(not refused)")
      << "its own rig's is meant";
}

TEST(Wiring, RefusesAForceBeforeItsCompensatorHasSpoken) {
  UpToSecondRig test;
  const auto feed = [&] {
    test.loop.add<Feed>(Phase::feed, "feed", straight, ".compensator.feedback", test.felt);
  };
  EXPECT_EQ(refusal(feed).find("nobody writes lower.compensator.feedback"), 0u);
}

TEST(Wiring, RefusesAStageOutOfOrder) {
  EXPECT_EQ(refused(Phase::draw, [](Site&) {}), "draw: wrong: added after a stage of rig");
  EXPECT_EQ(refused(Phase::begin, [](Site&) {}), "begin: wrong: added after a stage of rig");
  TwoStoreys whole({});
  EXPECT_EQ(refusal([&] { whole.loop.add<Wrong>(Phase::rig, "wrong", [](Site&) {}); }),
            "rig: wrong: added after a stage of feed");
}

TEST(Wiring, RefusedStageIsNotPartOfTheLoop) {
  UpToSecondRig test;
  const std::size_t stages = test.loop.stages().size();
  refusal([&] { test.loop.add<Wrong>(Phase::rig, "wrong", [](Site& s) { s.share("nobody"); }); });
  EXPECT_EQ(test.loop.stages().size(), stages);
}

TEST(Wiring, LoopKnowsWhoReadsWritesKeepsAndShares) {
  const TwoStoreys test({.dual = true});
  const auto find = [&](Phase phase, const std::string& name) {
    for (const StageInfo& info : test.loop.stages()) {
      if (info.phase == phase && info.name == name) return info;
    }
    return StageInfo{phase, "(none)", "", {}, {}, {}, {}};
  };
  const StageInfo observe = find(Phase::observe, "dual");
  EXPECT_EQ(observe.rig, "");
  EXPECT_EQ(names_of(test.loop.entries(observe.writes)),
            (Words{"lower.compensator.feedback", "upper.compensator.feedback"}));
  EXPECT_EQ(observe.reads.size(), 6u);
  EXPECT_TRUE(observe.keeps.empty());
  EXPECT_EQ(observe.shares, Words{"dual"});
  const StageInfo command = find(Phase::command, "dual");
  ASSERT_EQ(command.keeps.size(), 1u);
  EXPECT_EQ(test.layout.name_of(command.keeps[0].first), "dual.error[1]");
  EXPECT_EQ(command.keeps[0].last - command.keeps[0].first, 2);
  EXPECT_EQ(find(Phase::rig, "plant").rig, "rig");
}

}  // namespace
}  // namespace gusset::test::wiring

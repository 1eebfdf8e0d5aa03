// The verdict on stability, on loops whose answer is known, and the rules that prevent wrong ones.

#include "analysis/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/analysis.hpp"
#include "analysis/needs.hpp"
#include "stability_loops.hpp"

namespace gusset {
namespace {

using namespace test;
using enum StabilityVerdict;

// ---- the loops ----

TEST(Stability, AFluidDamperChattersAtRest) {
  for (const char* integrator : {"cr", "central-difference"}) {
    const StabilityReport found =
        judged(three_storeys(fluid_damper), {std::string("integrator.kind=") + integrator});
    EXPECT_EQ(found.verdict, chatters) << integrator << ' ' << found.sentence;
    EXPECT_GT(found.at_rest.spectrum.radius, 3) << integrator;  // at rest it says nothing of the test
    EXPECT_NEAR(found.tail.amplitude.motion, 1.24e-6, 0.06e-6) << integrator;
    EXPECT_NEAR(found.tail.amplitude.rate, 0.62e-3, 0.03e-3) << integrator;
    EXPECT_NEAR(found.tail.amplitude.force, 621, 30) << integrator;
    EXPECT_TRUE(found.sentence.starts_with("stable at this test's amplitude; chatter of 1.2"))
        << found.sentence;
    EXPECT_NE(found.sentence.find("kN when at rest"), std::string::npos) << found.sentence;
    EXPECT_LT(found.twins.growth, 1e-2);
  }
}

TEST(Stability, ASliderChattersAtRest) {
  for (const char* integrator : {"cr", "central-difference"}) {
    const StabilityReport found =
        judged(three_storeys(slider), {std::string("integrator.kind=") + integrator});
    EXPECT_EQ(found.verdict, chatters) << integrator << ' ' << found.sentence;
    EXPECT_GT(found.at_rest.spectrum.radius, 1.01) << integrator;
    EXPECT_LT(found.tail.share, 0.01) << integrator;
  }
}

TEST(Stability, ADelayedSpringBesideAYieldingOneSwingsOn) {
  const StabilityReport found = judged(delayed_and_yielding());
  EXPECT_EQ(found.verdict, limit_cycle) << found.sentence;
  EXPECT_TRUE(found.sentence.starts_with("UNSTABLE at small amplitude: limit cycle of 10.6 mm"))
      << found.sentence;
  EXPECT_FALSE(found.stable());
}

TEST(Stability, WhatYieldsAtOnceHoldsNothing) {
  const StabilityReport found = judged(delayed_and_yielding("7.1064 N"));
  EXPECT_EQ(found.verdict, runs_away) << found.sentence;
  // With a record too weak for that the twins say it.
  const StabilityReport weak = judged(delayed_and_yielding("7.1064 N"), {"duration=20 s"});
  EXPECT_TRUE(weak.verdict == parts || weak.verdict == grows) << weak.sentence;
}

TEST(Stability, TooMuchSpecimenMassRunsAway) {
  const std::string text = R"(
[structure]
mass = "2 t"
frequency = "1.5 Hz"
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[integrator]
kind = "central-difference"
dt = "4 ms"
[method]
profile = "quadratic"
[specimen]
name = "mass"
kind = "mass"
mass_ratio = 1.05
)";
  EXPECT_EQ(judged(text).verdict, unstable);
  const StabilityReport found = judged(text, {}, true);
  EXPECT_EQ(found.verdict, runs_away) << found.sentence;
}

TEST(Stability, ADelayedSpringParts) {
  const std::string text = three_storeys("kind = \"spring\"\nstiffness = \"897 kN/m\"\n");
  const std::vector<std::string> sets = {"rig.delay=20 ms"};
  const StabilityReport linear = judged(text, sets);
  ASSERT_EQ(linear.verdict, unstable) << linear.at_rest.spectrum.radius;
  EXPECT_EQ(linear.sentence, "UNSTABLE");
  const StabilityReport found = judged(text, sets, true);
  EXPECT_FALSE(found.stable()) << found.sentence;
  EXPECT_TRUE(found.verdict == parts || found.verdict == runs_away) << found.sentence;
}

TEST(Stability, ALinearLoopIsStable) {
  const StabilityReport linear = judged(three_storeys(linear_dashpot));
  EXPECT_EQ(linear.verdict, stable);
  EXPECT_EQ(linear.sentence, "stable");
  EXPECT_FALSE(linear.rehearsed);  // ρ decides: no rehearsal
  const StabilityReport found = judged(three_storeys(linear_dashpot), {}, true);
  EXPECT_EQ(found.verdict, stable) << found.sentence;
  EXPECT_EQ(found.tail.kind, QuietTail::Kind::decays);
}

TEST(Stability, HealthyYieldingIsStable) {
  for (const char* device : {yielding_device, plastic_device}) {
    const StabilityReport found = judged(three_storeys(device));
    EXPECT_EQ(found.verdict, stable) << device << found.sentence;
    EXPECT_EQ(found.sentence, "stable");
  }
}

TEST(Stability, AQuarterOfAPercentIsTold) {
  // Negative damping of a delayed spring, as a linear loop that is asked all questions.
  const StabilityReport damped = judged(one_storey(0.0025), {}, true);
  EXPECT_EQ(damped.verdict, stable) << damped.sentence;
  EXPECT_NEAR(damped.tail.log_ratio, -2 * M_PI * 0.0025 * 0.5 * damped.tail.periods, 0.01);
  const std::string driven = R"(
[structure]
mass = "2 t"
stiffness = "88.826 kN/m"
damping = "610 N*s/m"
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[method]
profile = "ramp"
[integrator]
kind = "cr"
dt = "4 ms"
[specimen]
name = "spring"
kind = "spring"
stiffness = "88.826 kN/m"
[rig]
kind = "delay"
delay = "8 ms"
dt = "0.5 ms"
)";
  const StabilityReport growing = judged(driven, {}, true);
  EXPECT_FALSE(growing.stable()) << growing.sentence << ' ' << growing.at_rest.spectrum.radius;
  EXPECT_LT(growing.at_rest.spectrum.radius, 1.0003);
  // ρ alone says the same.
  EXPECT_EQ(judged(driven).verdict, unstable);
}

TEST(Stability, MoreLoops) {
  // 0.05 % of damping left.
  EXPECT_EQ(judged(one_storey(0.0005), {}, true).verdict, stable);
  // A dashpot that a delay of 2 ms makes run away.
  const StabilityReport dashpot =
      judged(three_storeys("kind = \"dashpot\"\ndamping = \"1.2 MN*s/m\"\n"), {}, true);
  EXPECT_EQ(dashpot.verdict, runs_away) << dashpot.sentence;
  // Ten times the damper: what is left at rest is no chatter any more.
  const StabilityReport strong = judged(three_storeys(fluid_damper), {"specimen.damping=120 kN*(s/m)^0.4"});
  EXPECT_EQ(strong.verdict, limit_cycle) << strong.sentence;
  EXPECT_NEAR(strong.tail.amplitude.rate, 29e-3, 2e-3);
  EXPECT_NEAR(strong.tail.amplitude.force, 29e3, 2e3);
  // A flatter damper, and a finer step.
  EXPECT_EQ(judged(three_storeys(fluid_damper), {"specimen.exponent=0.2", "specimen.damping=12 kN*(s/m)^0.2"})
                .verdict,
            chatters);
  EXPECT_EQ(judged(three_storeys(fluid_damper), {"integrator.dt=1 ms"}).verdict, chatters);
}

TEST(Stability, AdaptiveNoisyAndHydraulicLoops) {
  // An adaptive compensator makes up for the delay; its gains move as in the test.
  const StabilityReport adaptive =
      judged(three_storeys(yielding_device),
             {"compensator.kind=ats", "compensator.delay=2 ms", "compensator.derivatives=difference"});
  EXPECT_EQ(adaptive.verdict, stable) << adaptive.sentence;
  // Noise of 50 N would hide what is left at rest: the tail is without.
  const StabilityReport noisy = judged(three_storeys(fluid_damper), {"sensor.force_noise=50 N"});
  EXPECT_EQ(noisy.verdict, chatters) << noisy.sentence;
  EXPECT_NEAR(noisy.tail.amplitude.rate, 0.62e-3, 0.03e-3);
  const StabilityReport quiet = judged(three_storeys(yielding_device), {"sensor.force_noise=50 N"});
  EXPECT_EQ(quiet.verdict, stable) << quiet.sentence;
  const gusset::Test hydraulic = make_test(shipped("large-actuator", {"duration=10 s"}), shipped_records());
  const StabilityReport oil = judge_stability(hydraulic);
  EXPECT_FALSE(oil.affine);
  EXPECT_TRUE(oil.stable()) << oil.sentence;
  EXPECT_TRUE(oil.twins.judged);
}

TEST(Stability, AValveThatSaturatesIsUnstableAtTheTestsAmplitudeOnly) {
  // Stable at rest by half a millisecond of delay. At 0.3 g the actuator is at its stall force, 21 MPa · 30 cm², and
  // stays there; at a tenth of the record the motion dies out.
  const std::vector<std::string> sets = {"rig.delay=4 ms", "method.virtual_mass_ratio=0.5"};
  const StabilityReport strong =
      judge_stability(make_test(shipped("chen-2007-hydraulic", sets), shipped_records()));
  EXPECT_LT(strong.at_rest.spectrum.radius, 1);
  EXPECT_EQ(strong.verdict, limit_cycle);
  EXPECT_TRUE(strong.sentence.starts_with("UNSTABLE at this test's amplitude: limit cycle of"))
      << strong.sentence;
  EXPECT_NEAR(strong.tail.amplitude.force, 63e3, 1);
  std::vector<std::string> weak = sets;
  weak.emplace_back("excitation.peak=0.03 g");
  const StabilityReport found =
      judge_stability(make_test(shipped("chen-2007-hydraulic", weak), shipped_records()));
  EXPECT_EQ(found.verdict, stable) << found.sentence;
  // Twins of a plant whose states are kept in one field: struck, and together again.
  EXPECT_TRUE(found.twins.judged);
  EXPECT_GT(found.twins.distances.front(), 1e-4);
  EXPECT_LT(found.twins.growth, 1);
}

TEST(Stability, NothingToRehearse) {
  const std::string quiet = three_storeys(fluid_damper);
  const Document text = document(quiet);
  const StabilityReport found = analyze(text).stability;  // without the record
  EXPECT_EQ(found.verdict, unstable);
  EXPECT_FALSE(found.rehearsed);
  EXPECT_NE(found.sentence.find("nothing moves in this test"), std::string::npos) << found.sentence;
  const StabilityReport healthy = analyze(document(three_storeys(yielding_device))).stability;
  EXPECT_EQ(healthy.verdict, stable) << healthy.sentence;
}

// ---- wrong verdicts, and the rule that prevents each ----

TEST(StabilityRules, TwinsAloneCallALimitCycleStable) {
  const StabilityReport found = judged(delayed_and_yielding());
  EXPECT_FALSE(found.twins.part());  // the record entrains both
  EXPECT_LT(found.twins.growth, 1);
  StabilityReport wrong = found;
  wrong.tail = {};
  decide(wrong, {}, {});
  EXPECT_EQ(wrong.verdict, stable);  // what a rule without the quiet tail says
  EXPECT_EQ(found.verdict, limit_cycle);
}

TEST(StabilityRules, AHairMeasuresTheChatter) {
  // A flat damper: a hair apart, rehearsals part ten-thousandfold at 0.6 per second and stop at the size of the
  // chatter; a finger apart they do not part.
  const gusset::Test flat = test_of_text(three_storeys(fluid_damper),
                                         {"specimen.exponent=0.2", "specimen.damping=12 kN*(s/m)^0.2"});
  const StabilityReport found = judge_stability(flat);
  const BaseRehearsal base = rehearse_base(flat);
  const Twins hair = rehearse_twins(flat, base, 1e-6);
  EXPECT_TRUE(hair.part());
  EXPECT_GT(hair.growth, 1e3);
  EXPECT_LT(hair.distances.back(), 4 * found.tail.share);
  EXPECT_FALSE(found.twins.part());
  EXPECT_EQ(found.verdict, chatters) << found.sentence;
}

TEST(StabilityRules, TwinsThatDifferInThePhaseOfTheChatter) {
  // A slider at a tenth of the record: a finger apart they part five-fold, to the size of what is left at rest.
  const StabilityReport found = judged(three_storeys(slider), {"excitation.peak=0.03 g"});
  EXPECT_TRUE(found.twins.part());
  EXPECT_LT(found.twins.distances.back(), 4 * found.tail.share);
  EXPECT_EQ(found.verdict, limit_cycle) << found.sentence;  // 3.4 %: the tail decides
  EXPECT_NEAR(found.tail.share, 0.034, 0.003);
}

TEST(StabilityRules, TwinsBeginInMotion) {
  // At rest the loop is unstable: two rehearsals that begin there part at once.
  const gusset::Test test = test_of_text(three_storeys(fluid_damper));
  const BaseRehearsal base = rehearse_base(test);
  BaseRehearsal wrong = base;
  wrong.started = 0;
  Experiment::Start start = test.start();
  wrong.start = start.state;
  wrong.start_row = start.row;
  const double share = 1e-6;
  const double at_rest = rehearse_twins(test, wrong, share).distances.front() / share;
  const double moving = rehearse_twins(test, base, share).distances.front() / share;
  EXPECT_GT(at_rest, 2 * moving);
  EXPECT_LT(moving, 5);
}

TEST(StabilityRules, ForcesDoNotJudge) {
  const StabilityReport found = judged(three_storeys(fluid_damper));
  // By forces the chatter would be a limit cycle of 8 % of the peak.
  EXPECT_GT(found.tail.amplitude.force / found.scale.force, 0.05);
  EXPECT_LT(found.tail.share, 0.005);
}

TEST(StabilityRules, ALoopThatCameToRestByChanceIsStruck) {
  const gusset::Test test = test_of_text(three_storeys(fluid_damper));
  BaseRehearsal base = rehearse_base(test);
  const Experiment::Start still = test.experiment->start();
  base.end = still.state;
  base.end_row = still.row;
  EXPECT_EQ(rehearse_tail(test, base, true).kind, QuietTail::Kind::decays);  // the wrong rule
  const QuietTail struck = rehearse_tail(test, base, false);
  EXPECT_EQ(struck.kind, QuietTail::Kind::flat);
  EXPECT_NEAR(struck.amplitude.rate, 0.62e-3, 0.03e-3);
}

TEST(StabilityRules, NeutralEntriesAreLeftOut) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(4, 4);
  matrix(0, 0) = 0.5;
  matrix(1, 1) = 1;  // stays as it is, and nothing reads it
  matrix(2, 2) = 1;  // stays as it is, and entry 0 reads it
  matrix(0, 2) = 0.1;
  matrix(3, 3) = 0.9;
  EXPECT_EQ(remove_neutral(matrix), 1);
  ASSERT_EQ(matrix.rows(), 3);
  EXPECT_EQ(matrix(1, 1), 1);
  EXPECT_EQ(matrix(2, 2), 0.9);
}

TEST(StabilityRules, TwinsOfALinearLoopGrowAsItsEigenvalue) {
  for (const double ratio : {0.0025, 0.01}) {
    const gusset::Test test = test_of_text(one_storey(ratio));
    const Twins twins = rehearse_twins(test, rehearse_base(test));
    const double expected = std::log(spectral_radius(document(one_storey(ratio)))) / 0.004;
    EXPECT_NEAR(twins.rate, expected, 2e-3) << ratio;
  }
}

TEST(StabilityRules, ThresholdsAreWhereTheyAreSaidToBe) {
  StabilityReport report;
  report.affine = false;
  report.rehearsed = true;
  report.tail.kind = QuietTail::Kind::flat;
  report.tail.share = 0.019;
  decide(report, {}, {});
  EXPECT_EQ(report.verdict, chatters);
  report.tail.share = 0.021;
  decide(report, {}, {});
  EXPECT_EQ(report.verdict, limit_cycle);
  report.twins.judged = true;
  report.twins.growth = 3.1;
  report.twins.rate = 0.01;
  report.twins.distances = {0.01, 0.04};  // twice the amplitude at rest: its phase
  decide(report, {}, {});
  EXPECT_EQ(report.verdict, limit_cycle);
  report.twins.distances = {0.03, 0.1};
  decide(report, {}, {});
  EXPECT_EQ(report.verdict, parts);
  report.twins.rate = -0.01;  // has parted, and comes together again
  decide(report, {}, {});
  EXPECT_EQ(report.verdict, limit_cycle);
  BaseRehearsal away;
  away.ran_away_at = 5.3;
  away.bound = 2;
  decide(report, away, {});
  EXPECT_EQ(report.verdict, runs_away);
  EXPECT_EQ(report.sentence, "UNSTABLE: runs away, beyond 2 m after 5.3 s");
}

TEST(StabilityRules, InWords) {
  EXPECT_EQ(in_words(1.24e-6, "m"), "1.24 µm");
  EXPECT_EQ(in_words(0.62e-3, "m/s"), "0.62 mm/s");
  EXPECT_EQ(in_words(621, "N"), "0.621 kN");
  EXPECT_EQ(in_words(10.61e-3, "m"), "10.6 mm");
  EXPECT_EQ(in_words(0, "m"), "0 m");
}

TEST(StabilityRules, CheckAndAnalyzeAreOneFunction) {
  for (const std::string& text :
       {three_storeys(linear_dashpot), three_storeys(fluid_damper), delayed_and_yielding()}) {
    const Document file = document(text);
    const gusset::Test test = make_test(file, shipped_records());
    const Review checked = review(test);
    const Analysis analysed = analyze(file, test);
    EXPECT_EQ(checked.stability.sentence, analysed.stability.sentence);
    EXPECT_EQ(checked.stable, analysed.stable);
    EXPECT_EQ(checked.spectral_radius, analysed.spectral_radius);
  }
}

}  // namespace
}  // namespace gusset

// What the wiring makes of the response: geometry, compensator, delay, targets and rigs that rest.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "base/balance.hpp"
#include "loop/rigs.hpp"

namespace gusset::test::response {
namespace {

using namespace gusset::test::loop;

/// ρ of the very step, perturbed entry by entry, over the steps after which the loop repeats.
double radius(const Arrangement& setup) {
  TwoStoreys test(setup);
  const int n = test.layout.size();
  Eigen::MatrixXd matrix(n, n);
  for (int j = 0; j < n; ++j) {
    test.state = test.layout.zero();
    test.state.values[static_cast<std::size_t>(j)] = 1;
    for (int i = 0; i < test.loop.pattern(); ++i) test.loop.step(test.frame);
    matrix.col(j) = Eigen::Map<Eigen::VectorXd>(test.state.values.data(), n);
  }
  EXPECT_TRUE(matrix.allFinite());
  balance(matrix);  // forces stand beside displacements
  return Eigen::EigenSolver<Eigen::MatrixXd>(matrix, false).eigenvalues().cwiseAbs().maxCoeff();
}

constexpr double rounding = 1e-11, apart = 1e-8;
constexpr double next_radius = 0.998999659206, now_radius = 1.001397565591;

TEST(LoopResponse, GeometryChangesNoEigenvalue) {
  double before = 0;
  for (const int delay : {0, 1, 2}) {
    const double straight_radius = radius({.delay = delay});
    EXPECT_NEAR(straight_radius, radius({.geometry = skew, .delay = delay}), rounding) << delay;
    EXPECT_GT(std::abs(straight_radius - before), apart) << "a delay at the cut changes the loop";
    before = straight_radius;
  }
}

TEST(LoopResponse, CoupledSpecimenThroughASkewGeometryMovesAsStraight) {
  TwoStoreys direct({.substeps = 2}), through({.geometry = skew, .substeps = 2});
  double largest = 0, difference = 0, shift = 0;
  for (int i = 0; i < 1000; ++i) {
    for (TwoStoreys* test : {&direct, &through}) {
      test->ground(std::sin(0.07 * i));
      test->loop.step(test->frame);
    }
    for (int j = 0; j < 2; ++j) {
      const double x = direct.state.at(direct.displacement)[j];
      largest = std::max(largest, std::abs(x));
      difference = std::max(difference, std::abs(x - through.state.at(through.displacement)[j]));
    }
    shift = std::max(shift, std::abs(direct.at("lower.command") - through.at("lower.command")));
  }
  EXPECT_GT(largest, 1e-4);
  EXPECT_LT(difference, 1e-11 * largest);
  EXPECT_GT(shift, 0.05 * largest) << "the actuators do move otherwise";
}

TEST(LoopResponse, CompensatedForceReachesTheStructure) {
  const Arrangement dual{.geometry = skew, .reached = 0.9, .dual = true};
  const double ideal = radius({.geometry = skew});
  EXPECT_GT(std::abs(ideal - radius({.geometry = skew, .reached = 0.9})), apart);
  EXPECT_NEAR(ideal, radius(dual), rounding) << "the compensator puts the missing force back";

  TwoStoreys test(dual);
  test.ground(1);
  test.loop.step(test.frame);
  const Vector raw(test.at("lower.force"), test.at("upper.force"));
  const Vector changed(test.at("lower.compensator.feedback"), test.at("upper.compensator.feedback"));
  const Vector fed = skew.transpose() * changed;
  EXPECT_EQ(fed[0], test.state.at(test.force)[0]);
  EXPECT_EQ(fed[1], test.state.at(test.force)[1]);
  EXPECT_GT((changed - raw).norm(), 0.01 * raw.norm());
}

TEST(LoopResponse, TargetNowIsTargetNextWithAStepOfDelay) {
  const double next = radius({}), now = radius({.target = Numerical::now});
  EXPECT_NEAR(next, next_radius, rounding);
  EXPECT_NEAR(now, now_radius, rounding);
  EXPECT_NEAR(now, radius({.delay = 1}), rounding) << "on an ideal rig";
}

TEST(LoopResponse, DelayCountsSubsteps) {
  // Held over the step, a delay of all sub-steps is one of a whole step.
  const Arrangement fine{.target = Numerical::now, .substeps = 4, .delay = 4};
  EXPECT_NEAR(radius(fine), radius({.target = Numerical::now, .delay = 1}), rounding);
}

TEST(LoopResponse, ForceOfARigThatRestsStands) {
  TwoStoreys test({.substeps = 4, .every = 4});
  double last = 0;
  for (int tick = 0; tick < 12; ++tick) {
    if (tick % 4 == 0) test.ground(1 + std::sin(0.3 * tick));
    test.substep();
    EXPECT_EQ(test.at("upper.force_age"), tick % 4);
    const double force = test.at("upper.force");
    EXPECT_TRUE(std::isfinite(force));
    if (tick % 4 != 0) {
      EXPECT_EQ(force, last);
    } else {
      EXPECT_NE(force, last);
    }
    last = force;
  }
}

TEST(LoopResponse, RigMovesWhenTheNumberOfTheSubstepIsDivisible) {
  // 3 does not divide 4: the rig moves in other sub-steps of every step.
  TwoStoreys test({.substeps = 4, .every = 3});
  EXPECT_EQ(test.loop.rig_count(), 2u);
  for (int tick = 0; tick < 24; ++tick) {
    EXPECT_TRUE(test.loop.due(0, tick));
    EXPECT_EQ(test.loop.due(1, tick), tick % 3 == 0);
    test.substep();
    EXPECT_EQ(test.at("upper.force_age"), tick % 3);
    EXPECT_TRUE(std::isfinite(test.at("lower.force")));
  }
}

TEST(LoopResponse, PatternIsTheStepsAfterWhichRigsThatRestRepeat) {
  const auto pattern = [](int substeps, int every) {
    return TwoStoreys({.substeps = substeps, .every = every}).loop.pattern();
  };
  EXPECT_EQ(pattern(4, 1), 1);
  EXPECT_EQ(pattern(4, 2), 1);
  EXPECT_EQ(pattern(4, 4), 1);
  EXPECT_EQ(pattern(4, 3), 3);
  EXPECT_EQ(pattern(4, 6), 3);
  EXPECT_EQ(pattern(1, 5), 5);
  EXPECT_GT(std::abs(radius({.substeps = 4, .every = 1}) - radius({.substeps = 4, .every = 4})), apart);
}

}  // namespace
}  // namespace gusset::test::response

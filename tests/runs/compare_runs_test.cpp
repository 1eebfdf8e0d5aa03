#include "runs/compare_runs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.hpp"

namespace gusset {
namespace {

Run run(std::vector<double> values, double step = 0.01) {
  Run result;
  result.tables = {{"structure", 0, step, {{"storey1.displacement", "m", std::move(values)}}}};
  return result;
}

TEST(CompareRuns, FindsTheLargestDifferenceAndItsTime) {
  const RunComparison c = compare_runs(run({0, 2, -4, 1}), run({0, 2.5, -4, 1}), {1e-3, 0}, "a", "b");
  ASSERT_EQ(c.channels.size(), 1U);
  EXPECT_DOUBLE_EQ(c.channels[0].difference, 0.5);
  EXPECT_DOUBLE_EQ(c.channels[0].time, 0.01);
  EXPECT_DOUBLE_EQ(c.channels[0].peak, 4);
  EXPECT_DOUBLE_EQ(c.channels[0].nrmse, std::sqrt(0.25 / 21));
  EXPECT_FALSE(c.agrees());
}

TEST(CompareRuns, ToleranceIsAbsolutePlusShareOfThePeak) {
  const gusset::Run a = run({0, 4}), b = run({0.3, 4});
  EXPECT_TRUE(compare_runs(a, b, {0.05, 0.1001}, "a", "b").agrees());  // 0.2 + 0.1001
  EXPECT_FALSE(compare_runs(a, b, {0.05, 0.0999}, "a", "b").agrees());
  EXPECT_TRUE(compare_runs(a, a, {0, 0}, "a", "b").agrees());
}

TEST(CompareRuns, RefusesOtherStepsAndStarts) {
  EXPECT_THROW(compare_runs(run({1, 2}, 0.01), run({1, 2}, 0.02), {}, "a", "b"), InputError);
  gusset::Run late = run({1, 2});
  late.tables[0].start = 0.01;
  EXPECT_THROW(compare_runs(run({1, 2}), late, {}, "a", "b"), InputError);
  // The last digit of a step is no other step.
  EXPECT_NO_THROW(compare_runs(run({1, 2}, 0.01), run({1, 2}, 0.01 * (1 + 1e-15)), {}, "a", "b"));
}

TEST(CompareRuns, SamplesThatOnlyOneHasAreADifference) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(compare_runs(run({1, nan}), run({1, nan}), {}, "a", "b").agrees());
  const RunComparison c = compare_runs(run({1, nan}), run({1, 2}), {1, 1}, "a", "b");
  EXPECT_EQ(c.channels[0].gaps, 1U);
  EXPECT_FALSE(c.agrees());
  EXPECT_FALSE(compare_runs(run({1, 2}), run({1, 2, 3}), {1, 1}, "a", "b").agrees());
}

TEST(CompareRuns, NamesWhatOnlyOneHas) {
  gusset::Run more = run({1, 2});
  more.tables[0].channels.push_back({"extra", "m", {0, 0}});
  more.tables.push_back({"rig", 0, 0.001, {{"x", "m", {1}}}});
  const RunComparison c = compare_runs(run({1, 2}), more, {}, "a", "b");
  EXPECT_EQ(c.differences, (std::vector<std::string>{"only b has extra", "only b has the table \"rig\""}));
  EXPECT_FALSE(c.agrees());
  gusset::Run other_unit = run({1, 2});
  other_unit.tables[0].channels[0].unit = "mm";
  EXPECT_FALSE(compare_runs(run({1, 2}), other_unit, {}, "a", "b").agrees());
}

}  // namespace
}  // namespace gusset

// Modes of structure and test, pair by pair: signs, shapes, order, and motion that does not vibrate.

#include "analysis/mode_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/assignment.hpp"
#include "analysis/spectrum.hpp"
#include "build/experiment.hpp"
#include "support/documents.hpp"

namespace gusset::test {
namespace {

using std::numbers::pi;

ModeTable table_of(const std::string& text, const std::vector<std::string>& assignments = {}) {
  return mode_table(build_for_analysis(document(text, assignments)));
}

RC_GTEST_PROP(Assignment, CostsNoMoreThanAnyOther, ()) {
  const int rows = *rc::gen::inRange(1, 6);
  const int columns = rows + *rc::gen::inRange(0, 3);
  Eigen::MatrixXd cost(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) cost(i, j) = *rc::gen::inRange(0, 50);
  }
  const auto total = [&](const std::vector<int>& of) {
    double sum = 0;
    for (int i = 0; i < rows; ++i) sum += cost(i, of[static_cast<std::size_t>(i)]);
    return sum;
  };
  std::vector<int> found = assign_columns(cost);
  std::vector<int> order(static_cast<std::size_t>(columns));
  for (int j = 0; j < columns; ++j) order[static_cast<std::size_t>(j)] = j;
  double least = 1e9;
  do {
    least = std::min(least, total(order));
  } while (std::next_permutation(order.begin(), order.end()));
  RC_ASSERT(total(found) == least);
  std::sort(found.begin(), found.end());
  RC_ASSERT(std::adjacent_find(found.begin(), found.end()) == found.end());
}

constexpr const char* oscillator = R"(
[structure]
mass = "100 kg"
frequency = "2 Hz"
damping_ratio = 0.0
[integrator]
dt = "10 ms"
)";

TEST(ModeTable, LongerPeriodsAreElongations) {
  const double omega_dt = 4 * pi * 0.01;
  // Average acceleration: tan(ω̄Δt/2) = Ω/2, too slow. Central differences: sin(ω̄Δt/2) = Ω/2, too fast.
  const Mode slow = table_of(oscillator, {"integrator.kind=newmark"}).modes.at(0);
  EXPECT_NEAR(slow.period_elongation.value(), omega_dt / (2 * std::atan(omega_dt / 2)) - 1, 1e-9);
  EXPECT_GT(*slow.period_elongation, 0);
  EXPECT_LT(slow.period_error.value(), 0);
  const Mode fast = table_of(oscillator).modes.at(0);
  EXPECT_NEAR(fast.period_elongation.value(), omega_dt / (2 * std::asin(omega_dt / 2)) - 1, 1e-9);
  EXPECT_LT(*fast.period_elongation, 0);
  EXPECT_NEAR(1 / (1 + *fast.period_elongation) - 1, fast.period_error.value(), 1e-12);
}

TEST(ModeTable, OverDampedMotionIsNoMode) {
  const ModeTable table = table_of(oscillator, {"structure.damping_ratio=2"});
  EXPECT_TRUE(table.modes.empty());
  ASSERT_EQ(table.decays.size(), 2U);
  EXPECT_NEAR(table.decays[0], 1 / (4 * pi * (2 - std::sqrt(3))), 1e-9);
  EXPECT_NEAR(table.decays[1], 1 / (4 * pi * (2 + std::sqrt(3))), 1e-9);
  EXPECT_EQ(table.free, 0);
  const ModeTable free = table_of(R"(
[structure]
mass = { values = [40, 40], unit = "t" }
stiffness = { values = [0, 30], unit = "kN/mm" }
[integrator]
kind = "newmark"
dt = "2 ms"
)");
  EXPECT_EQ(free.modes.size(), 1U);
  EXPECT_GE(free.free, 1);
}

// Two floors that hardly know of each other. The specimen is the stiffness of the first, and its rig overshoots:
// the test's mode of the first floor is faster than the second floor's, the exact one slower.
constexpr const char* crossed = R"(
[structure]
mass = { values = [1, 1], unit = "t" }
stiffness_matrix = { values = [[0, 0], [0, 1]], unit = "MN/m" }
damping_matrix = { values = [[8000, 0], [0, 0]], unit = "N*s/m" }
[integrator]
kind = "cr"
dt = "2 ms"
[specimen]
kind = "spring"
storey = 1
stiffness = "0.985 MN/m"
[rig]
kind = "second-order"
frequency = "20 Hz"
damping_ratio = 0.3
dt = "1 ms"
)";

TEST(ModeTable, PairsAreMadeByShapeToo) {
  const Experiment experiment = build_for_analysis(document(crossed));
  const ModeTable table = mode_table(experiment);
  ASSERT_EQ(table.modes.size(), 2U);
  EXPECT_NEAR(table.modes[0].shape[0], 1, 1e-9);
  EXPECT_NEAR(table.modes[1].shape[1], 1, 1e-9);
  EXPECT_NEAR(table.modes[1].exact_frequency, std::sqrt(1e3) / (2 * pi), 1e-9);
  EXPECT_LT(table.modes[0].exact_frequency, table.modes[1].exact_frequency);
  // The second floor has no part in the test: its mode is the integrator's of its own frequency.
  EXPECT_NEAR(table.modes[1].period_elongation.value(), std::pow(std::sqrt(1e3) * 0.002, 2) / 12, 1e-5);
  EXPECT_NEAR(table.modes[1].damping.value(), 0, 1e-9);
  EXPECT_GT(table.modes[0].frequency.value(), table.modes[1].frequency.value());
  // By the nearest frequency, one mode after the other, each would get the other's.
  const double first = table.modes[0].exact_frequency;
  EXPECT_GT(std::abs(*table.modes[0].frequency - first), std::abs(*table.modes[1].frequency - first));
}

TEST(ModeTable, PolesAlonePairWrongly) {
  // Floors of 5 and 5.1 Hz; in the test the first one has 5.16 Hz, the second 4.98 Hz.
  constexpr double dt = 0.005;
  LinearSystem whole;
  whole.mass = whole.damping = whole.stiffness = Eigen::MatrixXd::Zero(2, 2);
  whole.influence = Eigen::VectorXd::Ones(2);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(4, 4);
  const double exact[] = {5, 5.1}, tested[] = {5.16, 4.98};
  for (int i = 0; i < 2; ++i) {
    whole.mass(i, i) = 1;
    whole.stiffness(i, i) = std::pow(2 * pi * exact[i], 2);
    const double w = 2 * pi * tested[i];
    matrix.block<2, 2>(2 * i, 2 * i) << std::cos(w * dt), std::sin(w * dt) / w, -w * std::sin(w * dt),
        std::cos(w * dt);
  }
  const ModeTable right = compare_modes(whole, {matrix, {0, 2}}, dt);
  EXPECT_NEAR(right.modes.at(0).frequency.value(), 5.16, 1e-9);
  EXPECT_NEAR(right.modes.at(1).frequency.value(), 4.98, 1e-9);
  const ModeTable wrong = compare_modes(whole, {matrix, {}}, dt);
  EXPECT_NEAR(wrong.modes.at(0).frequency.value(), 4.98, 1e-9);
  EXPECT_NEAR(wrong.modes.at(1).frequency.value(), 5.16, 1e-9);
}

constexpr const char* fluid_damper = R"(
[structure]
mass = { values = [40, 40, 40, 30], unit = "t" }
stiffness = { values = [0, 30, 25, 20], unit = "kN/mm" }
rayleigh = { ratios = [0.02, 0.02], modes = [1, 3], stiffness = "linear" }
[[structure.restoring]]
storey = 1
kind = "bilinear"
stiffness = "35 kN/mm"
yield_force = "250 kN"
[integrator]
kind = "cr"
dt = "4 ms"
[specimen]
name = "damper"
kind = "viscous"
storey = 1
acts = "drift"
damping = "250 kN*(s/m)^0.5"
exponent = 0.5
)";

TEST(ModeTable, OfAFluidDamperIsInOrderAndPaired) {
  for (const char* velocity : {"0.1 mm/s", "1 mm/s", "10 mm/s", "50 mm/s"}) {
    for (const char* dt : {"2 ms", "4 ms"}) {
      const ModeTable table = table_of(
          fluid_damper, {std::string("specimen.velocity=") + velocity, std::string("integrator.dt=") + dt});
      EXPECT_FALSE(table.linear);
      ASSERT_GE(table.modes.size(), 3U);
      for (std::size_t k = 0; k < table.modes.size(); ++k) {
        const Mode& mode = table.modes[k];
        EXPECT_LT(mode.exact_damping, 1);
        if (k > 0) {
          EXPECT_GT(mode.exact_frequency, table.modes[k - 1].exact_frequency);
        }
        if (!mode.frequency) continue;
        // No pair is another mode: +108 % and +49 % were.
        EXPECT_LT(std::abs(*mode.period_elongation), 0.35) << velocity << " " << dt << " mode " << k + 1;
      }
      // Modes with little damping are met closely.
      for (const Mode& mode : table.modes) {
        if (mode.exact_damping < 0.1) {
          EXPECT_LT(std::abs(mode.period_elongation.value()), 0.02) << velocity;
        }
      }
    }
  }
}

TEST(ModeTable, HoldsTheComplexModesOfTheWhole) {
  // The quickstart's file: `check` and `analyze` once had 2.166 Hz, 6.072 % and 2.1692 Hz, 6.05 %.
  const Experiment experiment = build_for_analysis(shipped("quickstart"));
  const ModeTable table = mode_table(experiment);
  std::vector<std::complex<double>> poles = continuous_poles(experiment.whole());
  std::erase_if(poles, [](const std::complex<double>& s) { return !(s.imag() > 1e-9 * std::abs(s)); });
  ASSERT_EQ(table.modes.size(), poles.size());
  for (std::size_t k = 0; k < poles.size(); ++k) {
    EXPECT_NEAR(table.modes[k].exact_frequency, poles[k].imag() / (2 * pi), 1e-8);
    EXPECT_NEAR(table.modes[k].exact_damping, -poles[k].real() / std::abs(poles[k]), 1e-8);
  }
  EXPECT_NEAR(table.modes[0].exact_frequency, 2.1692, 5e-5);
  EXPECT_NEAR(table.modes[0].exact_damping, 0.0605, 5e-5);
}

}  // namespace
}  // namespace gusset::test

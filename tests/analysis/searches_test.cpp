// Searches for a limit never end the answer: files with yielding storeys and with compensators that keep a
// window of time are analysed, whatever a search comes upon.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/analysis.hpp"
#include "base/linear_system.hpp"
#include "support/documents.hpp"

namespace gusset::test {
namespace {

/// Four storeys, the first one bilinear with nothing beside it, a fluid damper in the laboratory.
constexpr const char* frame = R"(
[structure]
mass = { values = [40, 40, 40, 30], unit = "t" }
stiffness = { values = [0, 30, 25, 20], unit = "kN/mm" }
rayleigh = { ratios = [0.02, 0.02], modes = [1, 3] }
[[structure.restoring]]
storey = 1
kind = "bilinear"
stiffness = "35 kN/mm"
yield_force = "250 kN"
hardening = 0.05
[integrator]
kind = "cr"
dt = "2 ms"
[specimen]
name = "damper"
kind = "viscous"
storey = 1
acts = "drift"
damping = "250 kN*(s/m)^0.5"
exponent = 0.5
velocity = "10 mm/s"
)";

double lowest(const std::vector<double>& stiffness) {
  const std::vector<double> mass{40e3, 40e3, 40e3, 30e3};
  LinearSystem system;
  system.mass = Eigen::Map<const Eigen::VectorXd>(mass.data(), 4).asDiagonal();
  system.stiffness = Eigen::MatrixXd::Zero(4, 4);
  for (int i = 0; i < 4; ++i) {
    const double k = stiffness[static_cast<std::size_t>(i)];
    system.stiffness(i, i) += k;
    if (i == 0) continue;
    system.stiffness(i - 1, i - 1) += k;
    system.stiffness(i, i - 1) -= k;
    system.stiffness(i - 1, i) -= k;
  }
  return natural_frequencies(system).front();
}

TEST(SearchesThread, AMechanismIsNoReference) {
  const Analysis analysis = analyze(document(frame));
  EXPECT_NEAR(analysis.reference_frequency, lowest({35e6, 30e6, 25e6, 20e6}), 1e-6);
  EXPECT_NE(analysis.limit.kind, Crossing::Kind::unknown) << analysis.limit.ended;
  ASSERT_TRUE(analysis.delay_margin);
  EXPECT_NE(analysis.delay_margin->kind, Crossing::Kind::unknown) << analysis.delay_margin->ended;
  // Nobody waits for hours: two periods of the slowest mode.
  EXPECT_LE(analysis.delay_margin->high, 4 * std::numbers::pi / lowest({35e6, 30e6, 25e6, 20e6}) * 1.01);
  EXPECT_TRUE(analysis.interface_problem.empty()) << analysis.interface_problem;
}

TEST(SearchesThread, WhatHoldsItMayStandInTheLaboratory) {
  // A spring in the laboratory is all that the first storey has: the whole structure's mode is the reference.
  const Analysis laboratory = analyze(document(R"(
[structure]
mass = { values = [40, 40, 40, 30], unit = "t" }
stiffness = { values = [0, 30, 25, 20], unit = "kN/mm" }
[integrator]
kind = "cr"
dt = "2 ms"
[specimen]
kind = "spring"
storey = 1
acts = "drift"
stiffness = "35 kN/mm"
)"));
  EXPECT_NEAR(laboratory.reference_frequency, lowest({35e6, 30e6, 25e6, 20e6}), 1e-6);
  // Nothing holds it at all: the lowest mode that is one.
  const Analysis free = analyze(document(R"(
[structure]
mass = { values = [40, 40], unit = "t" }
stiffness = { values = [0, 30], unit = "kN/mm" }
[integrator]
kind = "newmark"
dt = "2 ms"
)"));
  EXPECT_NEAR(free.reference_frequency, std::sqrt(30e6 * 2 / 40e3), 1e-6);
}

TEST(SearchesThread, CompensatorsThatCannotTakeAStepEndTheRangeOnly) {
  const std::vector<std::string> lagging{"rig.kind=second-order", "rig.frequency=20 Hz",
                                         "rig.damping_ratio=0.8", "rig.dt=1 ms"};
  const std::vector<std::vector<std::string>> compensators{
      {"compensator.kind=polynomial", "compensator.delay=12 ms"},
      {"compensator.kind=ats", "compensator.delay=12 ms"},
      {"compensator.kind=ats", "compensator.delay=12 ms", "compensator.window=0.2 s"},
      {"compensator.kind=amb", "compensator.delay=12 ms"},
      {"compensator.kind=rls-fir", "compensator.delay=12 ms"}};
  for (std::vector<std::string> keys : compensators) {
    keys.insert(keys.end(), lagging.begin(), lagging.end());
    const Analysis analysis = analyze(document(frame, keys));
    EXPECT_TRUE(std::isfinite(analysis.spectral_radius)) << keys[0];
    EXPECT_FALSE(analysis.modes.empty()) << keys[0];
    EXPECT_NE(analysis.limit.kind, Crossing::Kind::unknown) << keys[0] << ": " << analysis.limit.ended;
    EXPECT_NE(analysis.delay_margin.value().kind, Crossing::Kind::unknown)
        << keys[0] << ": " << analysis.delay_margin->ended;
  }
}

}  // namespace
}  // namespace gusset::test

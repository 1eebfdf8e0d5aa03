// Structures too large for dense matrices: lowest modes, stability from growth.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/analysis.hpp"
#include "analysis/growth.hpp"
#include "analysis/needs.hpp"
#include "base/linear_system.hpp"
#include "structure/sparse_modes.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

using namespace test;
using std::numbers::pi;

std::string list(int count, const char* value) {
  std::string text;
  for (int i = 0; i < count; ++i) text += std::string(i > 0 ? ", " : "") + value;
  return text;
}

/// n equal storeys, ω_0 = sqrt(k/m) = 100 rad/s.
std::string tower(int n, double dt) {
  return "duration = \"0.1 s\"\n[structure]\nmass = { values = [" + list(n, "1") +
         "], unit = \"kg\" }\nstiffness = { values = [" + list(n, "1e4") +
         "], unit = \"N/m\" }\n[initial]\nvelocity = { values = [" + list(n, "0.01") +
         "], unit = \"m/s\" }\n[integrator]\ndt = \"" + std::to_string(dt) + " s\"\n";
}

double frequency(int mode, int n) { return 200 * std::sin((2 * mode - 1) * pi / (2 * (2 * n + 1))); }

TEST(SparseModes, OfEqualStoreys) {
  const int n = 400;
  const Experiment experiment = build_for_analysis(document(tower(n, 0.01)));
  const LinearSystem whole = experiment.whole(true);
  const NaturalModes modes = lowest_modes(whole, 8);
  ASSERT_EQ(modes.frequencies.size(), 8u);
  for (int k = 1; k <= 8; ++k) {
    EXPECT_NEAR(modes.frequencies[static_cast<std::size_t>(k - 1)], frequency(k, n), 1e-7 * frequency(k, n));
    // Mode k is sin((2k − 1)·π·i/(2n + 1)).
    const Eigen::VectorXd shape = modes.shapes.col(k - 1);
    for (const int i : {1, 100, 400}) {
      EXPECT_NEAR(shape(i - 1) / shape(n - 1),
                  std::sin((2 * k - 1) * pi * i / (2 * n + 1)) / std::sin((2 * k - 1) * pi * n / (2 * n + 1)),
                  1e-5);
    }
  }
  EXPECT_NEAR(highest_frequency(whole), 200, 2);
  EXPECT_NEAR(experiment.reference_frequency(), frequency(1, n), 1e-7 * frequency(1, n));
}

TEST(SparseModes, OfAStructureThatMovesFreely) {
  LinearSystem system;
  system.sparse = true;
  system.influence.setOnes(50);
  for (int i = 0; i < 50; ++i) {
    system.add_mass({"", {{i, 1.0}}}, 2);
    if (i > 0) system.add_stiffness({"", {{i, 1.0}, {i - 1, -1.0}}}, 300);
  }
  const NaturalModes modes = lowest_modes(system, 3);
  const double base = 2 * std::sqrt(150.0);
  EXPECT_NEAR(modes.frequencies[0], 0, 1e-3);
  EXPECT_NEAR(modes.frequencies[1], base * std::sin(pi / 100), 1e-8);
  EXPECT_NEAR(modes.frequencies[2], base * std::sin(2 * pi / 100), 1e-8);
}

TEST(SparseModes, SparseIsTheDenseSystem) {
  const Experiment experiment = build_for_analysis(shipped("wu-dynamic-specimen"));
  const LinearSystem dense = experiment.whole();
  const LinearSystem sparse = experiment.whole(true);
  ASSERT_EQ(dense.size(), sparse.size());
  EXPECT_TRUE(dense.mass.isApprox(Eigen::MatrixXd(sparse.matrix(sparse.mass_entries))));
  EXPECT_TRUE(dense.damping.isApprox(Eigen::MatrixXd(sparse.matrix(sparse.damping_entries))));
  EXPECT_TRUE(dense.stiffness.isApprox(Eigen::MatrixXd(sparse.matrix(sparse.stiffness_entries))));
}

TEST(Growth, IsTheSpectralRadius) {
  // Any loop, also small ones: a damped, an unstable and an undamped one.
  for (const double mass_ratio : {0.5, 1.2}) {
    const Document file = wu_pure_inertia(mass_ratio, 0.05, 0.3);
    const double radius = spectral_radius(file);
    const Growth own = growth(build_for_analysis(file));
    EXPECT_NEAR(own.radius, radius, 1e-3 * radius) << mass_ratio;
    EXPECT_EQ(own.stable, radius <= 1) << mass_ratio;
  }
  const Growth undamped = growth(build_for_analysis(document(tower(3, 0.005))));
  EXPECT_NEAR(undamped.radius, 1, undamped.resolution);
  EXPECT_TRUE(undamped.stable);
}

TEST(Growth, FindsTheLimitOfALargeStructure) {
  const int n = 320;
  EXPECT_TRUE(growth(build_for_analysis(document(tower(n, 0.00999)))).stable);
  EXPECT_FALSE(growth(build_for_analysis(document(tower(n, 0.01002)))).stable);
}

TEST(Growth, OfAYieldingStructure) {
  const Document file = shipped("yielding-building");
  const Growth own = growth(build_for_analysis(file));
  EXPECT_NEAR(own.radius, spectral_radius(file), 1e-2);
  EXPECT_TRUE(own.stable);
}

TEST(LargeStructure, ReviewTellsTheLowestModes) {
  const int n = 320;
  const Review result = review(make_test(document(tower(n, 0.001))));
  EXPECT_EQ(result.degrees_of_freedom, n);
  ASSERT_EQ(result.whole_frequencies.size(), 10u);
  EXPECT_NEAR(result.whole_frequencies[2], frequency(3, n), 1e-6);
  EXPECT_NEAR(result.fastest, 200, 2);
  EXPECT_GT(result.radius_resolution, 0);
  EXPECT_TRUE(result.stable);
}

}  // namespace
}  // namespace gusset

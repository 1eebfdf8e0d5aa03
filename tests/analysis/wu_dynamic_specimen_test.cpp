// Wu 2009, section III.B: a mass-spring-damper standing on the numerical structure.

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <unsupported/Eigen/MatrixFunctions>

#include "analysis/analysis.hpp"
#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

using test::DynamicSpecimen;
using test::spectral_radius;
using test::wu_dynamic_specimen;

constexpr double reference = 2 * std::numbers::pi;
constexpr double pi = std::numbers::pi;

using Matrix5 = Eigen::Matrix<double, 5, 5>;

/// The same loop written down on paper, in units of M_N = 1 and ω_N = 1, the specimen's motion by a
/// matrix exponential (Duhamel). State: d_i, (d_i − d_{i−1})/Δt, the specimen's displacement relative
/// to the interface, its absolute velocity, and the force R_i: all of order one however small Δt.
Matrix5 paper_matrix(const DynamicSpecimen& s, double omega) {
  const double h = omega;
  const double we = s.frequency_ratio;
  Eigen::Matrix3d rate;  // of [u, u', a]
  rate << 0, 1, 0, -we * we, -2 * s.specimen_damping * we, -1, 0, 0, 0;
  const Eigen::Matrix3d flow = Eigen::Matrix3d(rate * h).exp();

  using Row = Eigen::Matrix<double, 1, 5>;
  const Row d = Row::Unit(0), rate_before = Row::Unit(1), u = Row::Unit(2), w = Row::Unit(3),
            force = Row::Unit(4);
  // a + 2ζ·v + d + R = 0 with v = (rate before + rate after)/2 and rate after = rate before + a·Δt.
  const double zeta = s.numerical_damping;
  const Row a = -(2 * zeta * rate_before + d + force) / (1 + zeta * h);
  const Row rate_after = rate_before + a * h;
  const Row start = s.profile == std::string("quadratic") ? Row((rate_before + rate_after) / 2) : rate_before;
  const Row end = start + a * h;
  const Row relative = w - start;
  const Row u_end = flow(0, 0) * u + flow(0, 1) * relative + flow(0, 2) * a;
  const Row v_end = flow(1, 0) * u + flow(1, 1) * relative + flow(1, 2) * a;
  Matrix5 matrix;
  matrix << d + rate_after * h, rate_after, u_end, v_end + end,
      -s.mass_ratio * (2 * s.specimen_damping * we * v_end + we * we * u_end);
  return matrix;
}

double paper_radius(const DynamicSpecimen& s, double omega) {
  const Eigen::EigenSolver<Matrix5> solver(paper_matrix(s, omega), false);
  return solver.eigenvalues().cwiseAbs().maxCoeff();
}

double limit_of(const DynamicSpecimen& s) {
  const Crossing limit = stability_limit(wu_dynamic_specimen(s, 0.1));
  EXPECT_EQ(limit.kind, Crossing::Kind::found);
  return limit.value * reference;
}

TEST(WuDynamicSpecimen, LimitsOfThePaper) {
  EXPECT_NEAR(limit_of({}), 0.4465, 5e-4);
  EXPECT_NEAR(limit_of({.mass_ratio = 0.1}), 1.23, 5e-3);
  EXPECT_NEAR(limit_of({.mass_ratio = 0.5}), 0.597, 5e-4);
  EXPECT_NEAR(limit_of({.mass_ratio = 2}), 0.346, 5e-4);
}

TEST(WuDynamicSpecimen, RadiusWithContinuousVelocity) {
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen({}, 0.44)), 0.99919, 6e-6);
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen({}, 0.45)), 1.00045, 6e-6);
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen({}, 0.471)), 1.00329, 6e-6);
}

TEST(WuDynamicSpecimen, RadiusWithThePrintedProfile) {
  const DynamicSpecimen printed{.profile = "quadratic"};
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen(printed, 0.44)), 0.99140, 6e-6);
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen(printed, 0.45)), 0.99119, 6e-6);
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen(printed, 0.471)), 0.99075, 6e-6);
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen(printed, 0.8)), 0.98280, 6e-6);
}

TEST(WuDynamicSpecimen, UndampedIsUnstableWhateverTheStep) {
  DynamicSpecimen undamped{.numerical_damping = 0, .specimen_damping = 0};
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen(undamped, 0.02)), 1.00012, 6e-6);
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen(undamped, 0.1)), 1.0029, 6e-5);
  EXPECT_NEAR(spectral_radius(wu_dynamic_specimen(undamped, 0.5)), 1.071, 6e-4);
  for (const double gamma : {0.01, 0.1, 1.0, 5.0}) {
    for (const double ratio : {0.3, 1.0, 4.0}) {
      undamped.mass_ratio = gamma;
      undamped.frequency_ratio = ratio;
      const Crossing limit = stability_limit(wu_dynamic_specimen(undamped, 0.1));
      EXPECT_EQ(limit.kind, Crossing::Kind::always) << gamma << " " << ratio;
    }
  }
}

TEST(WuDynamicSpecimen, NarrowIslandIsNotSteppedOver) {
  const DynamicSpecimen island{
      .mass_ratio = 0.0115, .frequency_ratio = 8.54, .numerical_damping = 0.05, .specimen_damping = 0.005};
  EXPECT_NEAR(limit_of(island), 0.3665, 1e-4);
  // It is an island indeed: soon after it the loop is stable again, far beyond.
  EXPECT_GT(paper_radius(island, 0.3675), 1);
  EXPECT_LT(paper_radius(island, 0.38), 1);
  EXPECT_LT(paper_radius(island, 0.6), 1);
}

TEST(WuDynamicSpecimen, ZeroStabilityRadiusVanishes) {
  for (const double gamma : {0.5, 1.0, 10.0}) {
    const Document document = wu_dynamic_specimen({.mass_ratio = gamma}, 0.1);
    EXPECT_NEAR(interface_radius(document, test::build_for_analysis(document)), 0, 1e-6);
  }
}

/// Reproducible cases all over the range of parameters, damped.
std::vector<DynamicSpecimen> random_specimens(int count) {
  std::mt19937_64 random(20080101);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto logarithmic = [&](double low, double high) { return low * std::pow(high / low, unit(random)); };
  std::vector<DynamicSpecimen> all;
  for (int i = 0; i < count; ++i) {
    DynamicSpecimen s;
    s.mass_ratio = logarithmic(0.005, 5);
    s.frequency_ratio = logarithmic(0.2, 15);
    s.numerical_damping = logarithmic(0.005, 0.3);
    s.specimen_damping = logarithmic(0.002, 0.3);
    all.push_back(s);
  }
  return all;
}

TEST(WuDynamicSpecimen, MatrixOnPaperHasTheSameEigenvalues) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  for (DynamicSpecimen s : random_specimens(200)) {
    s.profile = unit(random) < 0.5 ? "quadratic" : "b-spline";
    const double omega = 0.05 * std::pow(40, unit(random));
    const Matrix5 paper = paper_matrix(s, omega);
    Linearizer linearizer;
    const Eigen::MatrixXd ours = linearizer.matrix(test::build_for_analysis(wu_dynamic_specimen(s, omega)));
    ASSERT_EQ(ours.rows(), 5);
    // Same traces of the first five powers: same characteristic polynomial.
    Matrix5 a = Matrix5::Identity();
    Eigen::MatrixXd b = Eigen::MatrixXd::Identity(5, 5);
    for (int power = 1; power <= 5; ++power) {
      a = (a * paper).eval();
      b = (b * ours).eval();
      const double size = std::max(1.0, std::pow(paper_radius(s, omega), power));
      EXPECT_NEAR(a.trace(), b.trace(), 1e-8 * size) << s.profile << " " << omega << " " << power;
    }
  }
}

/// The lowest Ω up to `high` at which the loop on paper is unstable, on a grid ten times finer than
/// the search's own and finer still where the specimen reaches the Nyquist frequency; 0 if none.
double first_unstable_point(const DynamicSpecimen& s, double low, double high) {
  std::vector<double> grid;
  for (double omega = low; omega < high; omega *= std::pow(10, 1.0 / 240)) grid.push_back(omega);
  for (int k = 1; k < 4; ++k) {
    const double nyquist = k * pi / s.frequency_ratio;
    for (double offset = -0.03; offset < 0.03; offset += 0.0005) {
      const double omega = nyquist * (1 + offset);
      if (omega > low && omega < high) grid.push_back(omega);
    }
  }
  std::sort(grid.begin(), grid.end());
  for (const double omega : grid) {
    if (paper_radius(s, omega) > 1 + 1e-9) return omega;
  }
  return 0;
}

TEST(WuDynamicSpecimen, FiveHundredLimitsAgreeWithAFineScan) {
  int islands = 0;
  for (const DynamicSpecimen& s : random_specimens(500)) {
    const Crossing found = stability_limit(wu_dynamic_specimen(s, 0.1));
    ASSERT_EQ(found.kind, Crossing::Kind::found);
    const double limit = found.value * reference;
    SCOPED_TRACE(testing::Message() << "mass ratio " << s.mass_ratio << ", frequency ratio "
                                    << s.frequency_ratio << ", damping " << s.numerical_damping << " and "
                                    << s.specimen_damping << ", limit " << limit);
    EXPECT_LE(paper_radius(s, limit * (1 - 1e-6)), 1);
    EXPECT_GT(paper_radius(s, limit * (1 + 1e-6)), 1);
    EXPECT_EQ(first_unstable_point(s, 1e-3 * limit, limit * (1 - 1e-6)), 0);
    if (paper_radius(s, 1.1 * limit) < 1) ++islands;
  }
  // The sample does hold what makes the search hard.
  EXPECT_GT(islands, 5);
}

}  // namespace
}  // namespace gusset

#include "analysis/spectrum.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <random>

namespace gusset {
namespace {

Eigen::MatrixXd random_matrix(std::mt19937_64& random, int n) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd matrix(n, n);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix(i) = normal(random);
  return matrix;
}

/// A matrix with these eigenvalues (a conjugate pair where `pairs` says so) in a random basis.
Eigen::MatrixXd with_blocks(std::mt19937_64& random, const Eigen::MatrixXd& blocks) {
  const Eigen::MatrixXd basis = random_matrix(random, static_cast<int>(blocks.rows()));
  const Eigen::MatrixXd q = basis.householderQr().householderQ();
  return q * blocks * q.transpose();
}

TEST(Spectrum, KnownEigenvaluesLargestFirst) {
  std::mt19937_64 random(1);
  Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(5, 5);
  blocks.diagonal() << 0.9 * std::cos(1), 0.9 * std::cos(1), -0.95, 0.2, 0;
  blocks(0, 1) = 0.9 * std::sin(1);
  blocks(1, 0) = -blocks(0, 1);
  const Spectrum found = spectrum(with_blocks(random, blocks));
  EXPECT_NEAR(found.radius, 0.95, 1e-13);
  ASSERT_EQ(found.values.size(), 5U);
  EXPECT_NEAR(std::abs(found.values[1]), 0.9, 1e-13);
  EXPECT_NEAR(std::abs(std::arg(found.values[1])), 1, 1e-12);
  EXPECT_NEAR(std::abs(found.values[3]), 0.2, 1e-12);
  EXPECT_TRUE(found.stable);
}

RC_GTEST_PROP(Spectrum, UnitsDoNotMatter, ()) {
  std::mt19937_64 random(*rc::gen::arbitrary<std::uint64_t>());
  const int n = *rc::gen::inRange(3, 9);
  Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) blocks(i, i) = 0.97 - 0.1 * i;
  const Eigen::MatrixXd matrix = with_blocks(random, blocks);
  Eigen::VectorXd units(n);
  for (int i = 0; i < n; ++i) units(i) = std::pow(10, *rc::gen::inRange(-9, 10));
  const Eigen::MatrixXd scaled = units.asDiagonal() * matrix * units.cwiseInverse().asDiagonal();
  RC_ASSERT(std::abs(spectrum(scaled).radius - 0.97) < 1e-10);
}

TEST(Spectrum, BadlyScaledMatrixNeedsTheBalancing) {
  // Eigenvalues near 1 hidden behind units that differ by 1e6 from entry to entry.
  std::mt19937_64 random(7);
  Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(4, 4);
  blocks.diagonal() << 1.02, 0.97, 0.5, -0.3;
  const Eigen::Vector4d units(1, 1e6, 1e12, 1e-6);
  const Eigen::MatrixXd scaled =
      units.asDiagonal() * with_blocks(random, blocks) * units.cwiseInverse().asDiagonal();
  const Eigen::EigenSolver<Eigen::MatrixXd> plain(scaled, false);
  const Spectrum found = spectrum(scaled);
  EXPECT_NEAR(found.radius, 1.02, 1e-10);
  EXPECT_FALSE(found.stable);
  // What it saves us from.
  EXPECT_GT(std::abs(plain.eigenvalues().cwiseAbs().maxCoeff() - 1.02), 1e-8);
}

TEST(Spectrum, BalanceIsASimilarityByPowersOfTwo) {
  std::mt19937_64 random(3);
  const Eigen::Vector4d units(1, 1e5, 1e-7, 1e3);
  const Eigen::MatrixXd matrix =
      units.asDiagonal() * random_matrix(random, 4) * units.cwiseInverse().asDiagonal();
  Eigen::MatrixXd balanced = matrix;
  balance(balanced);
  EXPECT_LT(balanced.norm(), 1e-3 * matrix.norm());
  for (Eigen::Index i = 0; i < 4; ++i) {
    EXPECT_EQ(balanced(i, i), matrix(i, i));
    for (Eigen::Index j = 0; j < 4; ++j) {
      int exponent = 0;
      EXPECT_EQ(std::frexp(balanced(i, j) / matrix(i, j), &exponent), 0.5) << i << "," << j;
      EXPECT_DOUBLE_EQ(balanced(i, j) * balanced(j, i), matrix(i, j) * matrix(j, i));
    }
  }
}

TEST(Spectrum, BalanceLeavesTriangularAndZeroMatricesInPeace) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3, 3);
  balance(matrix);
  EXPECT_TRUE(matrix.isZero(0));
  matrix << 0.5, 1e12, 3, 0, 0.25, 1e-12, 0, 0, 0.75;
  EXPECT_NEAR(spectrum(matrix).radius, 0.75, 1e-14);
}

TEST(Spectrum, DefectiveEigenvalueAtOneIsAccepted) {
  // Free motion without a spring: [1 1; 0 1]. In another basis rounding moves the double eigenvalue
  // by the root of epsilon, and it still must not be called unstable.
  Eigen::Matrix2d jordan;
  jordan << 1, 1, 0, 1;
  EXPECT_TRUE(spectrum(jordan).stable);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::mt19937_64 random(seed);
    Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(4, 4);
    blocks.topLeftCorner(2, 2) = jordan;
    blocks(2, 2) = 0.5;
    blocks(3, 3) = -0.8;
    EXPECT_TRUE(spectrum(with_blocks(random, blocks)).stable) << seed;
  }
}

TEST(Spectrum, PlainEigenvalueJustOutsideIsNot) {
  for (const double excess : {1e-12, 1e-9, 1e-7, 1e-3}) {
    std::mt19937_64 random(11);
    Eigen::MatrixXd blocks = Eigen::MatrixXd::Zero(3, 3);
    blocks.diagonal() << 1 + excess, 0.5, 0.1;
    EXPECT_FALSE(spectrum(with_blocks(random, blocks)).stable) << excess;
    blocks(0, 0) = 1;
    EXPECT_TRUE(spectrum(with_blocks(random, blocks)).stable);
  }
}

TEST(Spectrum, CapOfTheAllowance) {
  // However ill-conditioned, 1e-5 is beyond what is forgiven.
  Eigen::Matrix2d jordan;
  jordan << 1 + 1e-5, 1, 0, 1 + 1e-5;
  EXPECT_FALSE(spectrum(jordan).stable);
}

TEST(Spectrum, NumbersThatAreNoneAreUnstable) {
  Eigen::Matrix2d matrix = Eigen::Matrix2d::Identity();
  matrix(0, 1) = std::nan("");
  EXPECT_FALSE(spectrum(matrix).stable);
  EXPECT_TRUE(std::isinf(spectrum(matrix).radius));
}

TEST(Spectrum, PolesOfDampedAndOverdampedOscillators) {
  const Eigen::MatrixXd mass = Eigen::MatrixXd::Constant(1, 1, 2.0);
  const Eigen::MatrixXd stiffness = Eigen::MatrixXd::Constant(1, 1, 50.0);  // omega = 5
  const auto poles = [&](double zeta) {
    return continuous_poles(
        {mass, Eigen::MatrixXd::Constant(1, 1, 2 * zeta * 2 * 5), stiffness, Eigen::VectorXd::Ones(1)});
  };
  const auto under = poles(0.1);
  ASSERT_EQ(under.size(), 1U);
  EXPECT_NEAR(under[0].real(), -0.5, 1e-12);
  EXPECT_NEAR(under[0].imag(), 5 * std::sqrt(0.99), 1e-12);
  const auto over = poles(2);
  ASSERT_EQ(over.size(), 2U);
  EXPECT_NEAR(over[0].real(), -10 + 5 * std::sqrt(3), 1e-11);
  EXPECT_NEAR(over[1].real(), -10 - 5 * std::sqrt(3), 1e-11);
}

}  // namespace
}  // namespace gusset

#include "base/band_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

namespace gusset {
namespace {

/// Symmetric, positive definite, with entries of both signs in the band.
BandMatrix random_matrix(int n, int width, std::mt19937& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  BandMatrix matrix(n, width);
  for (int i = 0; i < n; ++i) {
    matrix.add(i, i, 2.1 * width + 0.1);
    for (int k = 1; k <= std::min(width, i); ++k) matrix.add(i, i - k, entry(random));
  }
  return matrix;
}

Eigen::MatrixXd dense(const BandMatrix& matrix) {
  Eigen::MatrixXd result(matrix.size(), matrix.size());
  for (int i = 0; i < matrix.size(); ++i) {
    for (int j = 0; j < matrix.size(); ++j) result(i, j) = matrix(i, j);
  }
  return result;
}

TEST(BandFactor, SolvesAsADenseMatrixDoes) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (const int width : {0, 1, 2, 5}) {
    for (int n = 1; n < 60; n += n < 12 ? 1 : 7) {
      const BandMatrix matrix = random_matrix(n, width, random);
      Eigen::VectorXd x(n);
      for (double& value : x) value = entry(random);
      const Eigen::VectorXd expected = dense(matrix).partialPivLu().solve(x);
      const BandFactor factor(matrix);
      ASSERT_TRUE(factor.ok());
      factor.solve(x.data());
      EXPECT_LT((x - expected).cwiseAbs().maxCoeff(), 1e-13) << n << " wide " << width;
    }
  }
}

/// A chain of springs: nearly singular, every row felt by every other.
TEST(BandFactor, SolvesALongChain) {
  for (const int n : {2, 3, 4, 5, 100, 1001}) {
    BandMatrix chain(n, 1);
    for (int i = 0; i < n; ++i) {
      chain.add(i, i, i + 1 < n ? 2 : 1);
      if (i > 0) chain.add(i, i - 1, -1);
    }
    // A force on the far end stretches every spring alike.
    std::vector<double> x(static_cast<std::size_t>(n), 0.0);
    x.back() = 1;
    BandFactor(chain).solve(x.data());
    for (int i = 0; i < n; ++i) EXPECT_NEAR(x[static_cast<std::size_t>(i)], i + 1, 1e-9 * n) << n;
  }
}

/// Two buildings, the second of which feels the first one's top floor and not the other way round.
Eigen::Matrix<double, -1, -1, Eigen::RowMajor> one_way(int n, int width, std::mt19937& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  Eigen::Matrix<double, -1, -1, Eigen::RowMajor> matrix = dense(random_matrix(n, width, random));
  const int cut = n / 2;
  for (int i = cut; i < n; ++i) {
    for (int j = 0; j < cut; ++j) {
      matrix(j, i) = 0;
      matrix(i, j) = j + 1 == cut && i - j <= width ? entry(random) : 0;
    }
  }
  return matrix;
}

TEST(BandMatrix, ThatIsNotSymmetric) {
  std::mt19937 random(7);
  for (const int width : {1, 2, 5}) {
    for (int n = 2; n < 30; n += 3) {
      const auto full = one_way(n, width, random);
      const BandMatrix matrix = BandMatrix::from_general(full.data(), n);
      const BandMatrix other = random_matrix(n, 1, random);
      EXPECT_FALSE(matrix.symmetric());
      EXPECT_EQ(dense(matrix), Eigen::MatrixXd(full));
      EXPECT_TRUE(dense(matrix.plus(other, 0.3)).isApprox(full + 0.3 * dense(other), 1e-15));
      EXPECT_TRUE(dense(other.plus(matrix, 0.3)).isApprox(dense(other) + 0.3 * full, 1e-15));
      Eigen::VectorXd x = Eigen::VectorXd::Random(n), y(n);
      matrix.multiply(x.data(), y.data());
      EXPECT_TRUE(y.isApprox(full * x, 1e-14));
      EXPECT_NEAR(matrix.quadratic_form(x.data()), x.dot(full * x), 1e-12);
      const Eigen::VectorXd expected = full.partialPivLu().solve(x);
      const BandFactor factor(matrix);
      ASSERT_TRUE(factor.ok());
      factor.solve(x.data());
      EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << n << " wide " << width;
      BandMatrix more = matrix;
      more.add(n - 1, n - 2, 0.25);
      EXPECT_EQ(more(n - 1, n - 2), matrix(n - 1, n - 2) + 0.25);
      EXPECT_EQ(more(n - 2, n - 1), matrix(n - 2, n - 1) + 0.25);
    }
  }
  const BandMatrix chain = random_matrix(9, 2, random);
  const Eigen::Matrix<double, -1, -1, Eigen::RowMajor> same = dense(chain);
  EXPECT_TRUE(BandMatrix::from_general(same.data(), 9).symmetric());
}

TEST(BandFactor, SaysWhereThereIsNoFactor) {
  BandMatrix matrix(3, 1);
  for (int i = 0; i < 3; ++i) matrix.add(i, i, 1);
  matrix.add(1, 0, 2);
  EXPECT_FALSE(BandFactor(matrix).ok());
}

}  // namespace
}  // namespace gusset

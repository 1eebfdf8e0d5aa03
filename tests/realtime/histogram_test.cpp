#include "realtime/histogram.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace gusset {
namespace {

TEST(Histogram, BinsFollowEachOtherWithoutGapAndStayNarrow) {
  for (std::size_t bin = 0; bin < Histogram::bins; ++bin) {
    const std::int64_t from = Histogram::lower_edge(bin);
    const std::int64_t to = Histogram::lower_edge(bin + 1);
    ASSERT_EQ(Histogram::bin_of(from), bin);
    ASSERT_EQ(Histogram::bin_of(to - 1), bin);
    ASSERT_LT(from, to);
    if (from >= 64) {
      ASSERT_LE(64 * (to - from), from);
    }
  }
  EXPECT_EQ(Histogram::lower_edge(Histogram::bins), std::int64_t{1} << 30);
  EXPECT_EQ(Histogram::bin_of(std::int64_t{1} << 30), Histogram::bins);
  EXPECT_EQ(Histogram::bin_of(-5), 0u);
}

TEST(Histogram, PercentilesAreThoseOfTheSortedValuesToABin) {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> latency(10, 1.5);
  Histogram histogram;
  std::vector<std::int64_t> values;
  for (int i = 0; i < 20000; ++i) {
    values.push_back(static_cast<std::int64_t>(latency(random)));
    histogram.add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.0, 0.001, 0.5, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(share * 20000.0)));
    const std::int64_t exact = values[rank - 1];
    EXPECT_GE(histogram.percentile(share), exact);
    EXPECT_LE(histogram.percentile(share), exact + exact / 64 + 1);
  }
  EXPECT_EQ(histogram.maximum(), values.back());
  EXPECT_EQ(histogram.count(), values.size());
}

TEST(Histogram, CountsWhatIsBeyondItsBins) {
  Histogram histogram;
  for (int i = 0; i < 9; ++i) histogram.add(1000);
  histogram.add(5'000'000'000);
  EXPECT_EQ(histogram.overflow(), 1u);
  EXPECT_EQ(histogram.count(), 10u);
  EXPECT_EQ(histogram.percentile(0.9), Histogram::lower_edge(Histogram::bin_of(1000) + 1) - 1);
  EXPECT_EQ(histogram.percentile(0.99), 5'000'000'000);
  Histogram sum = histogram;
  sum.add(histogram);
  EXPECT_EQ(sum.count(), 20u);
  EXPECT_EQ(sum.overflow(), 2u);
  EXPECT_EQ(Histogram().percentile(0.5), 0);
}

TEST(Histogram, GoesIntoTheRunFileInSeconds) {
  Histogram histogram;
  histogram.add(10);
  histogram.add(12);
  histogram.add(2'000'000'000);
  const RunHistogram run = to_run(histogram, "wake-up");
  ASSERT_EQ(run.counts, (std::vector<double>{1, 0, 1}));
  ASSERT_EQ(run.edges.size(), 4u);
  EXPECT_DOUBLE_EQ(run.edges[0], 10e-9);
  EXPECT_DOUBLE_EQ(run.edges[3], 13e-9);
  EXPECT_EQ(run.overflow, 1);
  EXPECT_DOUBLE_EQ(run.maximum, 2);
  EXPECT_TRUE(to_run(Histogram(), "x").edges.empty());
}

}  // namespace
}  // namespace gusset

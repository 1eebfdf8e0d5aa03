#include "analysis/identify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/simulation.hpp"
#include "base/noise.hpp"
#include "compensate/bench.hpp"
#include "excitation/trajectory.hpp"

namespace gusset {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

constexpr double dt = 1e-3;

std::vector<double> sweep(double to, double length) {
  std::vector<double> x;
  for (int k = 0; k * dt < length; ++k) {
    const double t = k * dt;
    x.push_back(0.01 * std::sin(pi * to / length * t * t));
  }
  return x;
}

/// White noise of the given power below the signal's, a function of (seed, k).
std::vector<double> with_noise(std::vector<double> y, double decibel) {
  double power = 0;
  for (const double value : y) power += value * value / static_cast<double>(y.size());
  const double sigma = std::sqrt(power) * std::pow(10, -decibel / 20);
  for (std::size_t k = 0; k < y.size(); ++k) {
    y[k] += sigma * normal(7, k);
  }
  return y;
}

const ContinuousTransferFunction third_order{{1.730e7}, multiply({1, 182.7}, {1, 225.3, 9.499e4})};

TEST(Identify, PolesOfAThirdOrderPlantInNoiseWhateverTheHold) {
  const std::vector<double> u = sweep(50, 60);
  for (const Hold hold : {Hold::zero_order, Hold::first_order}) {
    const std::vector<double> y = with_noise(third_order.discretize(hold, dt).run(u), 40);
    const Identification found = identify(u, y, dt, {.order = 3});
    EXPECT_FALSE(found.too_narrow);
    EXPECT_TRUE(found.remarks.empty());
    ASSERT_EQ(found.poles.size(), 3U);
    for (const Complex& pole : third_order.poles()) {
      double nearest = 1e9;
      for (const Complex& own : found.poles) nearest = std::min(nearest, std::abs(own - pole));
      EXPECT_LT(nearest, 0.02 * std::abs(pole)) << pole;
    }
    EXPECT_EQ(found.hold, hold);
    EXPECT_NEAR(found.gain, 1.730e7 / (182.7 * 9.499e4), 2e-3);
    EXPECT_GT(found.fit, 0.999);
    EXPECT_NEAR(found.measured.high, 50, 3);
  }
}

TEST(Identify, SaysThatASweepIsTooNarrow) {
  const std::vector<double> u = sweep(5, 60);
  const std::vector<double> y = with_noise(third_order.discretize(Hold::first_order, dt).run(u), 40);
  const Identification found = identify(u, y, dt, {.order = 3});
  EXPECT_TRUE(found.too_narrow);
  ASSERT_FALSE(found.remarks.empty());
  EXPECT_NE(found.remarks[0].find("too narrow"), std::string::npos) << found.remarks[0];
}

TEST(Identify, DelayOfAPureDelayRig) {
  for (const char* delay : {"7.3 ms", "20 ms"}) {
    Document document = tracking_test("kind = \"none\"\n", "1 ms",
                                      std::string("kind = \"delay\"\ndelay = \"") + delay + "\"\n", "1 ms");
    document.set("trajectory.to=20 Hz");
    const Simulation run = simulate(make_test(document));
    const auto channel = [&](const std::string& name) -> const std::vector<double>& {
      for (const Trace& c : run.tables[0].channels) {
        if (c.name == name) return c.values;
      }
      throw std::runtime_error(name);
    };
    const Identification found =
        identify(channel("specimen.command"), with_noise(channel("specimen.measured"), 40), dt, {});
    const double seconds = std::atof(delay) * 1e-3;
    EXPECT_NEAR(found.delay, seconds, 0.01 * seconds);
  }
}

TEST(Identify, CoherenceIsLowWhereThereIsNoise) {
  const std::vector<double> u = sweep(20, 60);
  const std::vector<double> y = with_noise(third_order.discretize(Hold::first_order, dt).run(u), 40);
  const MeasuredResponse measured = measured_response(u, y, dt);
  for (std::size_t i = 0; i < measured.frequency.size(); ++i) {
    const double f = measured.frequency[i];
    if (f > 1 && f < 19) {
      EXPECT_GT(measured.coherence[i], 0.99);
      EXPECT_LT(std::abs(measured.response[i] / third_order.response(f) - 1.0), 0.05) << f;
    }
    if (f > 100) {
      EXPECT_LT(measured.coherence[i], 0.9);
    }
  }
}

TEST(Identify, ProposesWhatCanBePasted) {
  const std::vector<double> u = sweep(50, 20);
  const Identification found =
      identify(u, third_order.discretize(Hold::first_order, dt).run(u), dt, {.order = 3});
  const std::string fragment = proposed_compensators(found, dt, 10 * dt);
  const Document document = Document::parse(fragment, "fragment.toml");
  EXPECT_EQ(document.section("compensator").text("kind"), "inverse");
  // Every commented proposal is one, too.
  std::size_t at = 0;
  int proposals = 0;
  while ((at = fragment.find("# [compensator]\n", at)) != std::string::npos) {
    const std::size_t end = fragment.find("\n\n", at);
    std::string block = fragment.substr(at, end == std::string::npos ? end : end - at);
    std::string keys;
    for (std::size_t i = 0; i < block.size(); i = block.find('\n', i) + 1) {
      const std::size_t stop = std::min(block.find('\n', i), block.size());
      keys += block.substr(i + 2, stop - i - 2) + "\n";
      if (stop == block.size()) break;
    }
    keys.erase(0, keys.find('\n') + 1);
    EXPECT_NO_THROW(Bench(keys, dt, 10 * dt)) << keys;
    ++proposals;
    at += 4;
  }
  EXPECT_EQ(proposals, 13);
  // The lag at low frequency: 1/182.7 + 225.3/9.499e4.
  EXPECT_NEAR(found.lag, 1 / 182.7 + 225.3 / 9.499e4, 1e-5);
}

}  // namespace
}  // namespace gusset

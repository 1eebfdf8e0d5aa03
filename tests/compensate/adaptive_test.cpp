#include "compensate/adaptive.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "analysis/linearize.hpp"
#include "analysis/simulation.hpp"
#include "analysis/spectrum.hpp"
#include "compensate/bench.hpp"

namespace gusset {
namespace {

struct Case {
  const char* keys;
  std::vector<std::pair<double, double>> bounds;
};

const Case cases[] = {
    {"kind = \"adaptive-inverse\"\nalpha = 5\nkp = \"1e4 1/m^2\"\nki = \"1e4 "
     "1/(m^2*s)\"\nalpha_max = 9\n",
     {{1, 9}}},
    {"kind = \"ats\"\ndelay = \"10 ms\"\nwindow = \"20 ms\"\nevery = 2\nrate = 0.5\n",
     {{0.7, 1.3}, {0, 0.08}, {0, 0.0032}}},
    {"kind = \"amb\"\ndelay = \"10 ms\"\ngain = \"100 1/s\"\na0_max = 1.5\n",
     {{0, 1.5}, {0, 0.2}, {0, 0.02}, {0, 1e-3}}},
    {"kind = \"rls-fir\"\ndelay = \"2 ms\"\ntheta1_min = -3\ntheta1_max = 4\nrate = 1\n", {{-3, 4}}},
};

double number(int code) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  switch (code) {
    case 0: return std::nan("");
    case 1: return inf;
    case 2: return -inf;
    case 3: return 1e308;
    case 4: return -1e200;
    case 5: return 1e-310;
    default: return 1e-4 * (code - 500);
  }
}

TEST(AdaptiveCompensators, StayWithinTheirBoundsForAnyInput) {
  for (const Case& c : cases) {
    EXPECT_TRUE(rc::check(c.keys, [&] {
      Bench bench(c.keys);
      unsigned bad = 0;
      const auto inputs = *rc::gen::container<std::vector<std::pair<int, int>>>(
          200, rc::gen::pair(rc::gen::inRange(0, 1000), rc::gen::inRange(0, 1000)));
      for (const auto& [a, b] : inputs) {
        const double x = number(a);
        const double y = number(b);
        bad += (std::isfinite(x) ? 0U : 1U) + (std::isfinite(y) ? 0U : 1U);
        const Command u = bench.command({x, 0, 0});
        RC_ASSERT(std::isfinite(u.value));
        bench.observe(y);
        for (std::size_t i = 0; i < c.bounds.size(); ++i) {
          RC_ASSERT(bench.results[i] >= c.bounds[i].first);
          RC_ASSERT(bench.results[i] <= c.bounds[i].second);
        }
      }
      RC_ASSERT(bench.refused() >= bad);
    }));
  }
}

TEST(AdaptiveCompensators, HoldTheLastGoodCommandAndSaySo) {
  for (const Case& c : cases) {
    Bench bench(c.keys);
    for (int k = 0; k < 50; ++k) {
      bench.command({0.01, 0, 0});
      bench.observe(0.01);
    }
    EXPECT_EQ(bench.refused(), 0U) << c.keys;
    // What was learnt comes into use.
    for (int k = 0; k < 600; ++k) bench.command({0.01, 0, 0});
    const double good = bench.command({0.01, 0, 0}).value;
    const Command held = bench.command({std::nan(""), 0, 0});
    EXPECT_EQ(held.value, good) << c.keys;
    EXPECT_EQ(held.rate, 0);
    EXPECT_EQ(bench.refused(), 1U) << c.keys;
    EXPECT_NEAR(bench.command({0.01, 0, 0}).value, good, 1e-9) << c.keys;
  }
}

TEST(AdaptiveCompensators, MoveNoFasterThanTheirRateAndNotWhenFrozen) {
  for (const bool frozen : {false, true}) {
    Bench bench(std::string("kind = \"adaptive-inverse\"\nalpha = 5\nkp = \"1e9 1/m^2\"\nalpha_max = 11\n"
                            "rate = 0.02\n") +
                (frozen ? "freeze = true\n" : ""));
    double last = 5;
    for (int k = 0; k < 500; ++k) {
      bench.command({0.01 * std::sin(0.1 * k), 0, 0});
      bench.observe(0.01 * std::sin(0.1 * k - 0.3));
      EXPECT_LE(std::abs(bench.results[0] - last), 0.02 * 10 + 1e-12);
      last = bench.results[0];
    }
    EXPECT_EQ(last, frozen ? 5 : 11);
  }
}

TEST(AdaptiveTimeSeries, FindsTheActuatorsInverse) {
  // 16.36 Hz, ζ = 1.807: u = y + (2ζ/ω)·y' + y''/ω², with a1 = 35.16 ms and a2 = 9.46e-5 s².
  const Document document =
      tracking_test("kind = \"ats\"\ndelay = \"20 ms\"\n", "0.9765625 ms",
                    "kind = \"second-order\"\nfrequency = \"16.36 Hz\"\ndamping_ratio = 1.807\n");
  const Simulation result = simulate(make_test(document));
  const auto last = [&](const char* name) {
    for (const Trace& channel : result.tables[0].channels) {
      if (channel.name == std::string("specimen.compensator.") + name) return channel.values.back();
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  // Backward differences are half a step late, which a1 takes on.
  EXPECT_NEAR(last("a0"), 1, 2e-3);
  EXPECT_NEAR(last("a1"), 2 * 1.807 / (2 * M_PI * 16.36), 5e-4);
  EXPECT_NEAR(last("a2"), 1 / std::pow(2 * M_PI * 16.36, 2), 2e-5);
}

TEST(AdaptiveCompensators, AnalysisFreezesThem) {
  const std::string rig = "kind = \"second-order\"\nfrequency = \"16.36 Hz\"\ndamping_ratio = 1.807\n";
  const Experiment adaptive = Experiment::build(
      tracking_test("kind = \"adaptive-inverse\"\nalpha = 20\nkp = \"1e6 1/m^2\"\n", "0.9765625 ms", rig));
  const Experiment fixed =
      Experiment::build(tracking_test("kind = \"inverse\"\nalpha = 20\n", "0.9765625 ms", rig));
  Linearizer one;
  Linearizer other;
  EXPECT_NEAR(spectrum(one.matrix(adaptive)).radius, spectrum(other.matrix(fixed)).radius, 1e-12);
}

}  // namespace
}  // namespace gusset

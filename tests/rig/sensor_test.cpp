// Sensors: what each does to a signal, that runs repeat, and that the analysis does not see chance.

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/analysis.hpp"
#include "analysis/simulation.hpp"
#include "base/noise.hpp"
#include "rig/benches.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using test::Bench;

const std::string ideal = "kind = \"ideal\"\ndt = \"1 ms\"";
const std::string spring = "kind = \"spring\"\nstiffness = \"1 kN/mm\"";

TEST(Noise, IsNormalAndUncorrelated) {
  constexpr int n = 200000;
  double sum = 0, squares = 0, fourth = 0, neighbours = 0, streams = 0, last = 0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = normal(7, i);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    neighbours += x * last;
    streams += x * normal(8, i);
    last = x;
  }
  // Five standard deviations of each estimate.
  const double root = 5 / std::sqrt(static_cast<double>(n));
  EXPECT_LT(std::abs(sum / n), root);
  EXPECT_LT(std::abs(squares / n - 1), root * std::sqrt(2.0));
  EXPECT_LT(std::abs(fourth / n - 3), root * std::sqrt(96.0));
  EXPECT_LT(std::abs(neighbours / n), root);
  EXPECT_LT(std::abs(streams / n), root);
}

TEST(Sensors, EachQuantityHasItsOwnDelay) {
  Bench bench(ideal, spring, "[sensor]\ndelay = \"2 ms\"\nforce_delay = \"0.5 ms\"");
  for (int i = 1; i <= 10; ++i) {
    bench.follow(1e-3 * i, 1, 0);
    EXPECT_EQ(bench.value("measured_true"), 1e-3 * i);
    if (i > 2) {
      EXPECT_DOUBLE_EQ(bench.value("measured"), 1e-3 * (i - 2));
      EXPECT_DOUBLE_EQ(bench.value("force"), 1e6 * 1e-3 * (i - 0.5));
    }
  }
}

TEST(Sensors, NoiseAndBias) {
  Bench bench(ideal, spring,
              "[sensor]\ndisplacement_noise = \"2 um\"\nforce_noise = \"30 N\"\nforce_bias = \"12 N\"");
  double square = 0, force = 0, force_square = 0, product = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double x = 1e-3 * std::sin(0.01 * i);
    bench.follow(x, 0, 0);
    ASSERT_EQ(bench.value("measured_true"), x);
    ASSERT_EQ(bench.value("force_true"), 1e6 * x);
    const double e = bench.value("measured") - x;
    const double g = bench.value("force") - 1e6 * x;
    square += e * e;
    force += g;
    force_square += (g - 12) * (g - 12);
    product += e * (g - 12);
  }
  EXPECT_NEAR(std::sqrt(square / n), 2e-6, 0.03 * 2e-6);
  EXPECT_NEAR(force / n, 12, 5 * 30 / std::sqrt(static_cast<double>(n)));
  EXPECT_NEAR(std::sqrt(force_square / n), 30, 1);
  EXPECT_LT(std::abs(product / n), 5 * 2e-6 * 30 / std::sqrt(static_cast<double>(n)));
}

TEST(Sensors, Quantisation) {
  Bench bench(ideal, spring, "[sensor]\ndisplacement_resolution = \"10 um\"\nforce_resolution = \"50 N\"");
  for (int i = 0; i < 500; ++i) {
    const double x = 1e-3 * std::sin(0.1 * i);
    bench.follow(x, 0, 0);
    EXPECT_LE(std::abs(bench.value("measured") - x), 5e-6 * (1 + 1e-9));
    const double steps = bench.value("force") / 50;
    EXPECT_NEAR(steps, std::round(steps), 1e-9);
  }
}

TEST(Sensors, DelayOfAFraction) {
  Bench bench(ideal, spring, "[sensor]\ndelay = \"1.6 ms\"");
  std::vector<double> x(3, 0.0);
  for (int i = 0; i < 200; ++i) {
    x.push_back(1e-3 * std::sin(0.2 * i));
    bench.follow(x.back(), 0, 0);
    const std::size_t k = x.size() - 1;
    ASSERT_NEAR(bench.value("measured"), 0.4 * x[k - 1] + 0.6 * x[k - 2], 1e-15);
  }
}

TEST(Sensors, LowPass) {
  Bench bench(ideal, spring, "[sensor]\ncutoff = \"50 Hz\"");
  // At the cut-off frequency a Butterworth filter passes 1/sqrt 2, here with Tustin's warping undone.
  double peak = 0;
  for (int i = 0; i < 3000; ++i) {
    bench.follow(1e-3 * std::sin(2 * std::numbers::pi * 50 * i * 1e-3), 0, 0);
    if (i > 1000) peak = std::max(peak, std::abs(bench.value("measured")));
  }
  EXPECT_NEAR(peak, 1e-3 / std::sqrt(2.0), 1e-5);
}

TEST(Sensors, Dropout) {
  Bench bench(ideal, spring, "[sensor]\ndropout = 0.2");
  int lost = 0;
  double last = 0;
  constexpr int n = 20000;
  for (int i = 1; i <= n; ++i) {
    const double x = 1e-6 * i;
    bench.follow(x, 0, 0);
    const double y = bench.value("measured");
    if (y != x) {
      ASSERT_EQ(y, last);
      ++lost;
    }
    last = y;
  }
  EXPECT_NEAR(lost, 0.2 * n, 5 * std::sqrt(0.16 * n));
}

Document noisy(const std::vector<std::string>& assignments = {}) {
  Document document = test::shipped(
      "wu-shake-table-mass", {"duration=3 s", "sensor.force_noise=5 N", "sensor.displacement_noise=1 um",
                              "sensor.force_resolution=1 N", "sensor.dropout=0.01"});
  for (const std::string& assignment : assignments) document.set(assignment);
  return document;
}

std::vector<double> storey(const Document& document) {
  return simulate(make_test(document, test::shipped_records()), {.reference = false, .progress = {}})
      .tables.front()
      .channels[0]
      .values;
}

TEST(Sensors, RunsRepeatAndSeedsDiffer) {
  const std::vector<double> first = storey(noisy());
  EXPECT_EQ(first, storey(noisy()));
  EXPECT_NE(first, storey(noisy({"sensor.seed=2"})));
  EXPECT_NE(first, storey(test::shipped("wu-shake-table-mass", {"duration=3 s"})));
  const auto loop = [] {
    return test::loop_of(
        make_test(noisy({"sensor.delay=0.3 ms", "sensor.cutoff=200 Hz"}), test::shipped_records()));
  };
  EXPECT_FALSE(test::has_hidden_state(loop, 30));
  EXPECT_FALSE(test::allocates(loop(), 30));
}

TEST(Sensors, ChanceIsNoPartOfTheAnalysis) {
  const Document quiet = test::shipped("wu-shake-table-mass");
  EXPECT_NEAR(test::spectral_radius(noisy()), test::spectral_radius(quiet), 1e-9);
  // But a delay of the measurement is: one sample moves the threshold from 0.9997 to 1.044.
  EXPECT_LT(test::spectral_radius(
                test::shipped("wu-shake-table-mass", {"specimen.mass_ratio=1.03", "sensor.delay=1 ms"})),
            1);
  EXPECT_GT(test::spectral_radius(test::shipped("wu-shake-table-mass", {"specimen.mass_ratio=1.03"})), 1);
}

TEST(Sensors, OneForEachChannel) {
  Document document = test::document(R"(
duration = "1 s"
[structure]
mass = ["1 t", "1 t"]
stiffness = ["100 kN/m", "100 kN/m"]
[integrator]
dt = "5 ms"
[[specimen]]
name = "low"
storey = 1
kind = "spring"
stiffness = "1 kN/m"
[[specimen]]
name = "high"
storey = 2
kind = "spring"
stiffness = "1 kN/m"
[[sensor]]
force_bias = "3 N"
[[sensor]]
force_bias = "7 N"
)");
  const Experiment experiment = Experiment::build(document);
  const Experiment::Start start = experiment.start();
  EXPECT_EQ(start.row[experiment.loop().row().bind("low.force", "N").port], 3);
  EXPECT_EQ(start.row[experiment.loop().row().bind("high.force", "N").port], 7);
}

}  // namespace
}  // namespace gusset

#include "analysis/tracking.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/simulation.hpp"
#include "compensate/bench.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

constexpr double dt = 1.0 / 1024;

/// A sweep of 40 s to 5 Hz that starts and ends at rest, and itself `late` and scaled.
std::vector<double> sweep(double late, double scale) {
  std::vector<double> x;
  for (int k = 0; k < 40 * 1024; ++k) {
    const double t = k * dt - late;
    const double window = std::sin(pi * t / 40);
    x.push_back(t > 0 && t < 40 ? scale * window * window * std::sin(2 * pi * (0.5 + 0.05 * t) * t) : 0);
  }
  return x;
}

TEST(TrackingIndicator, OfASineFallsWithLagByTheAreaOfItsEllipse) {
  // ∫y dx − ∫x dy over one period of x = sin, y = sin(· − φ) is −2π·sin φ.
  std::vector<double> x;
  std::vector<double> y;
  for (int k = 0; k <= 1024; ++k) {
    x.push_back(std::sin(2 * pi * k * dt));
    y.push_back(std::sin(2 * pi * k * dt - 0.3));
  }
  EXPECT_NEAR(tracking_indicator(x, y).back(), -pi * std::sin(0.3), 1e-4);
  EXPECT_NEAR(tracking_indicator(y, x).back(), pi * std::sin(0.3), 1e-4);
  EXPECT_EQ(tracking_indicator(x, x).back(), 0);
}

TEST(FrequencyIndex, FindsAmplitudeAndDelay) {
  const FrequencyIndex index = frequency_index(sweep(0, 0.025), sweep(0.0123, 0.025 * 0.93), dt);
  EXPECT_NEAR(index.delay, 0.0123, 1e-4);
  EXPECT_NEAR(index.amplitude, 0.93, 0.01);  // the delay spreads the phases a little
  EXPECT_NEAR(index.frequency, 2.5, 0.1);
  EXPECT_NEAR(frequency_index(sweep(0, 1), sweep(0, 1), dt).amplitude, 1, 1e-12);
}

TEST(CorrelationDelay, FindsFractionsOfASample) {
  for (const double late : {0.0, 0.0123, -0.0057, 0.1}) {
    EXPECT_NEAR(correlation_delay(sweep(0.2, 1), sweep(0.2 + late, 0.8), dt, 0.5), late, 2e-5);
  }
}

TEST(EnergyError, OfALaggingSpringIsItsNegativeDamping) {
  const std::vector<double> x = sweep(0, 0.025);
  const std::vector<double> y = sweep(0.01, 0.025);
  std::vector<double> force;
  for (const double value : y) force.push_back(1e5 * value);
  // f = k·y with y = x(t − τ): ∫f dy = 0, while ∫f dx = −k·τ·∫x'² dt to first order. The numerical
  // part sees a negative damper, and the specimen takes up what it does not know of.
  double squared = 0;
  double work = 0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    squared += (x[i] - x[i - 1]) * (x[i] - x[i - 1]) / dt;
    work += std::abs(0.5 * (force[i] + force[i - 1]) * (x[i] - x[i - 1]));
  }
  EXPECT_NEAR(energy_error(x, y, force), 1e5 * 0.01 * squared / work, 0.02 * 1e5 * 0.01 * squared / work);
  EXPECT_EQ(energy_error(x, x, force), 0);
}

TEST(Synchronisation, OfPerfectTrackingIsALineOfSlopeOne) {
  const std::vector<double> x = sweep(0, 0.025);
  EXPECT_NEAR(synchronisation(x, x).slope, 1, 1e-12);
  EXPECT_NEAR(synchronisation(x, x).width, 0, 1e-6);
  EXPECT_NEAR(synchronisation(x, sweep(0, 0.02)).slope, 0.8, 1e-12);
  EXPECT_GT(synchronisation(x, sweep(0.02, 0.025)).width, 0.05);
}

TEST(OnlineIndicators, AgreeWithTheRigAndWithThoseAfterTheTest) {
  Document document = tracking_test("kind = \"none\"\n", "0.9765625 ms",
                                    "kind = \"delay\"\ndelay = \"12 ms\"\n[indicators]\nto = \"8 Hz\"\n");
  document.set("trajectory.from=2 Hz");
  document.set("trajectory.to=2.001 Hz");
  const Simulation result = simulate(make_test(document));
  const auto last = [&](const std::string& name) {
    for (const Trace& channel : result.tables[0].channels) {
      if (channel.name == name) return channel.values.back();
    }
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_NEAR(last("specimen.indicator.delay"), 0.012, 0.0005);
  EXPECT_NEAR(last("specimen.indicator.amplitude"), 1, 0.01);
  for (const auto& [name, value] : result.summary) {
    const double expected = name == "tracking.specimen.indicator" ? last("specimen.indicator.ti") : 0.012;
    if (name == "tracking.specimen.indicator" || name == "tracking.specimen.fei.delay" ||
        name == "tracking.specimen.correlation_delay") {
      EXPECT_NEAR(value, expected, name.ends_with("delay") ? 1e-4 : 1e-12) << name;
    }
  }
}

}  // namespace
}  // namespace gusset

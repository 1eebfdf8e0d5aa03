#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <numbers>

#include "analysis/analysis.hpp"
#include "analysis/simulation.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

Document delayed_spring(double delay, double duration, const std::string& compensator = {}) {
  std::ifstream file(std::string(GUSSET_SOURCE_DIR) + "/experiments/delayed-spring.toml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Document document = Document::parse(text + compensator, "delayed-spring.toml");
  document.set_number("rig.delay", delay, dim::time);
  document.set("duration=" + std::to_string(duration) + " s");
  document.set("limits.displacement=100 m");
  return document;
}

/// Damping ratio from the decay of the simulated peaks: ln of their ratio over 2π and the cycles.
double simulated_damping(const Document& document) {
  const Simulation result = simulate(make_test(document), {.reference = false, .progress = {}});
  const std::vector<double>& d = result.tables[0].channels[0].values;
  std::vector<double> peaks;
  for (std::size_t i = 2; i + 1 < d.size(); ++i) {
    if (d[i] > 0 && d[i] >= d[i - 1] && d[i] > d[i + 1]) {
      // The vertex of the parabola through three samples.
      const double b = 0.5 * (d[i + 1] - d[i - 1]);
      const double a = 0.5 * (d[i + 1] + d[i - 1]) - d[i];
      peaks.push_back(d[i] - b * b / (4 * a));
    }
  }
  // The first cycle still has the transient of the start in it.
  const std::size_t first = 2;
  return std::log(peaks[first] / peaks.back()) / (2 * pi * static_cast<double>(peaks.size() - 1 - first));
}

TEST(DelayedSpring, SmallDelayIsNegativeDamping) {
  // C − K_E·τ with K_E = ½·M·ω²: ζ = 0.02 − ω·τ/4.
  for (const double tau : {0.7e-3, 3.3e-3, 5e-3, 15.1e-3}) {
    const double theory = 0.02 - 2 * pi * tau / 4;
    EXPECT_NEAR(simulated_damping(delayed_spring(tau, 40)), theory, 0.01 * 2 * pi * tau / 4 + 2e-6) << tau;
  }
}

TEST(DelayedSpring, MarginIsWhereTheSimulationTurnsUnstable) {
  const Document document = delayed_spring(0, 1);
  const Experiment experiment = Experiment::build(document, {.any_step = true});
  const Crossing margin = delay_margin(document, experiment);
  ASSERT_EQ(margin.kind, Crossing::Kind::found);
  EXPECT_GT(simulated_damping(delayed_spring(0.99 * margin.value, 60)), 0);
  EXPECT_LT(simulated_damping(delayed_spring(1.01 * margin.value, 60)), 0);
}

TEST(DelayedSpring, MarginWithACompensatorIsWhereTheSimulationTurnsUnstable) {
  for (const char* keys :
       {"kind = \"inverse\"\ndelay = \"10 ms\"\n", "kind = \"linear-acceleration\"\ndelay = \"10 ms\"\n",
        "kind = \"polynomial\"\ndelay = \"10 ms\"\n", "kind = \"model-based\"\na1 = \"10 ms\"\n"}) {
    const std::string compensator = std::string("[compensator]\n") + keys;
    const Document document = delayed_spring(10e-3, 1, compensator);
    const Experiment experiment = Experiment::build(document, {.any_step = true});
    const Crossing margin = delay_margin(document, experiment);
    ASSERT_EQ(margin.kind, Crossing::Kind::found) << keys;
    const double limit = 10e-3 + margin.value;
    EXPECT_GT(limit, 20e-3) << keys;
    EXPECT_GT(simulated_damping(delayed_spring(0.99 * limit, 60, compensator)), 0) << keys;
    EXPECT_LT(simulated_damping(delayed_spring(1.01 * limit, 60, compensator)), 0) << keys;
  }
}

}  // namespace
}  // namespace gusset

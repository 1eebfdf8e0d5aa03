// Wu 2009, section V: free vibration of a 116 kg mass on an actuator with a lag of 22 ms.

#include <gtest/gtest.h>

#include <cmath>

#include "analysis/simulation.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

using test::assign;

struct Motion10 {
  std::vector<double> d;
  double dt = 0;

  double peak(double from, double to) const {
    double peak = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
      const double t = static_cast<double>(i) * dt;
      if (t >= from && t <= to) peak = std::max(peak, std::abs(d[i]));
    }
    return peak;
  }
};

Motion10 run(double mass_ratio, std::vector<std::string> assignments = {}) {
  assignments.push_back(assign("structure.mass", 116 / mass_ratio, "kg"));
  const Test tested = make_test(test::shipped("wu-validation", assignments));
  const Simulation simulation = simulate(tested, {.reference = false, .progress = {}});
  return {simulation.tables.front().channels.front().values, tested.experiment->dt()};
}

TEST(WuValidation, StartsAsMeasured) {
  const Motion10 light = run(0.1);
  EXPECT_EQ(light.d.front(), 0);
  // The start counts friction at its slope at rest, which changes the first step by 2 %.
  EXPECT_NEAR((light.d[1] - light.d[0]) / light.dt, 0.0314, 0.03 * 0.0314);
  // The mass in the laboratory is at rest until then: it takes its share of the momentum.
  EXPECT_NEAR(light.peak(0, 1), 0.0314 / (2 * M_PI) / 1.1, 0.03 * 0.0314 / (2 * M_PI));
}

TEST(WuValidation, SmallMassRatioDecays) {
  const Motion10 light = run(0.1);
  EXPECT_LT(light.peak(9, 10), 0.9 * light.peak(0, 1));
}

TEST(WuValidation, MassRatioJustAboveOneDecaysToo) { EXPECT_LT(run(1.01).peak(3, 10), 1e-4); }

TEST(WuValidation, LargerMassRatioGrows) { EXPECT_GT(run(1.3).peak(0, 2), 0.05); }

TEST(WuValidation, PureDelayCannotExplainIt) {
  for (const char* friction : {"0.1 N", "5 N", "20 N"}) {
    const Motion10 late = run(1.01, {"rig.kind=delay", "rig.delay=22 ms", "duration=40 s",
                                     std::string("specimen.parts.2.force=") + friction});
    EXPECT_GT(late.peak(30, 40), 2 * late.peak(5, 15)) << friction;
    EXPECT_GT(late.peak(0, 40), 0.05) << friction;
  }
}

TEST(WuValidation, RollOffNotFrictionKeepsItBounded) {
  // Hardly any friction: still no growth at 1.01 with the actuator of second order.
  const Motion10 smooth = run(1.01, {"specimen.parts.2.force=0.001 N"});
  EXPECT_LT(smooth.peak(8, 10), smooth.peak(0, 1));
}

}  // namespace
}  // namespace gusset

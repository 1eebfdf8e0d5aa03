// What a report shows of a nonlinear loop's stability.

#include "report/stability_panels.hpp"

#include <gtest/gtest.h>

namespace gusset {
namespace {

StabilityReport swinging() {
  StabilityReport report;
  report.affine = false;
  report.rehearsed = true;
  report.amplitude.device = "damper";
  report.amplitude.points = {{1e-6, 1e-6, 5.0, 700}, {1e-3, 1e-3, 0.9, 9}, {1, 1, 0.8, 9}};
  report.amplitude.edges = {{1e-4, 1e-4, 0.02, 700, false}, {2, 0.3, 2.0, 9, true}};
  report.twins.judged = true;
  report.twins.growth = 0.25;
  report.tail.kind = QuietTail::Kind::flat;
  report.tail.share = 0.11;
  report.tail.periods = 60;
  return report;
}

TEST(StabilityPanels, RadiusAgainstAmplitude) {
  const std::vector<Panel> panels = amplitude_panels(swinging());
  ASSERT_EQ(panels.size(), 1U);
  const plot::Figure& figure = panels[0].figures.at(0);
  EXPECT_TRUE(figure.x.logarithmic);
  EXPECT_TRUE(figure.y.logarithmic);  // a radius of 5 would flatten the rest
  ASSERT_EQ(figure.series.size(), 3U);
  EXPECT_DOUBLE_EQ(figure.series[0].x[1], 1.0);  // mm
  EXPECT_DOUBLE_EQ(figure.series[0].y[0], 5.0);
  EXPECT_EQ(figure.series[2].x.size(), 2U);
  StabilityReport mild = swinging();
  mild.amplitude.points[0].radius = 1.0005;
  EXPECT_FALSE(amplitude_panels(mild)[0].figures[0].y.logarithmic);
  EXPECT_TRUE(amplitude_panels({}).empty());
}

TEST(StabilityPanels, Facts) {
  const auto facts = stability_facts(swinging());
  ASSERT_EQ(facts.size(), 4U);
  EXPECT_EQ(facts[0].first, "predicted limit cycle");
  EXPECT_EQ(facts[0].second, "0.1 mm at damper, 20 mm/s");
  EXPECT_EQ(facts[1].first, "predicted edge of run-away");
  EXPECT_EQ(facts[2].second, "0.25 times as far at the end");
  EXPECT_EQ(facts[3].second, "flat at 11 % of the test's motion after 60 periods");
  EXPECT_TRUE(stability_facts({}).empty());  // linear
}

}  // namespace
}  // namespace gusset

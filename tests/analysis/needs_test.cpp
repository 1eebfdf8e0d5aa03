// What a test needs against what the rig has.

#include "analysis/needs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/documents.hpp"

namespace gusset {
namespace {

Need need(const Review& review, const std::string& quantity) {
  for (const Need& one : review.channels.front().needs) {
    if (one.quantity == quantity) return one;
  }
  ADD_FAILURE() << "no " << quantity;
  return {};
}

Review review_of(const std::string& name, const std::vector<std::string>& assignments) {
  return review(make_test(test::shipped(name, assignments), test::shipped_records()));
}

TEST(Needs, OfAShakeTable) {
  const Review found =
      review_of("wu-shake-table-mass", {"duration=15 s", "rig.stroke=250 mm", "limits.displacement=300 mm",
                                        "rig.max_force=5 kN", "rig.max_flow=400 L/min"});
  const Need stroke = need(found, "displacement");
  EXPECT_NEAR(*stroke.limit, 0.3, 1e-12);
  EXPECT_NEAR(*stroke.rig, 0.25, 1e-12);
  EXPECT_EQ(*stroke.available(), *stroke.rig);
  EXPECT_NEAR(*stroke.margin(), 0.25 / stroke.needed - 1, 1e-12);
  EXPECT_TRUE(stroke.enough());
  // The piston moves 400 kg of platen and 270 kg of specimen, without friction; the force of the
  // specimen is taken at the integrator's steps only.
  const Need force = need(found, "force");
  const Need actuator = need(found, "actuator force");
  EXPECT_FALSE(force.rig);
  EXPECT_NEAR(actuator.needed / force.needed, 670.0 / 270, 0.05);
  EXPECT_EQ(*actuator.available(), 5000);
  EXPECT_GT(actuator.needed, 5000);
  EXPECT_FALSE(actuator.enough());
  const Need flow = need(found, "flow");
  EXPECT_NEAR(flow.needed, 51e-4 * need(found, "velocity").needed, 1e-12);
  EXPECT_NEAR(*flow.rig, 0.4 / 60, 1e-12);
  EXPECT_FALSE(need(found, "acceleration").available());
}

TEST(Needs, NotEnoughIsNotOk) {
  EXPECT_TRUE(review_of("quickstart", {}).ok());
  const Review small = review_of("quickstart", {"rig.stroke=0.1 mm"});
  EXPECT_FALSE(need(small, "displacement").enough());
  EXPECT_LT(*need(small, "displacement").margin(), 0);
  EXPECT_FALSE(small.ok());
}

/// An undamped oscillator let go at d_0 needs ω²·d_0, whatever the command does between the steps; the
/// central difference method has exactly that acceleration at its points.
TEST(Needs, AccelerationOfARampIsThatOfItsPoints) {
  for (const char* profile : {"ramp", "b-spline"}) {
    const Document document = test::document(R"(
duration = "2 s"
[structure]
mass = "1 t"
frequency = "1 Hz"
[initial]
displacement = "10 mm"
[integrator]
kind = "central-difference"
dt = "1 ms"
[specimen]
kind = "dashpot"
damping = "1e-6 N*s/m"
)",
                                             {std::string("method.profile=") + profile});
    const double needed = need(review(make_test(document)), "acceleration").needed;
    EXPECT_NEAR(needed, 4 * M_PI * M_PI * 0.01, 1e-4) << profile;
  }
}

TEST(Needs, ANonlinearActuatorKnowsWhatItCan) {
  const Review found = review_of("large-actuator", {"duration=5 s"});
  EXPECT_NEAR(*need(found, "displacement").rig, 0.508, 1e-9);
  EXPECT_NEAR(*need(found, "velocity").rig, 0.556, 1e-3);
  EXPECT_NEAR(*need(found, "actuator force").rig, 990.7e3, 100);
  EXPECT_TRUE(found.ok());
}

/// The lag of a b-spline command matters for springs in the laboratory. A storey that yields in the computer is none.
TEST(Needs, OnlySpringsInTheLaboratoryLag) {
  const auto warns = [](const std::string& specimen) {
    const std::string text = R"(
duration = "1 s"
[structure]
mass = "20 t"
stiffness = "0 N/m"
damping = "10 kN*s/m"
[[structure.restoring]]
storey = 1
kind = "bilinear"
stiffness = "2 MN/m"
yield_force = "30 kN"
[initial]
displacement = "1 mm"
[method]
profile = "b-spline"
[integrator]
dt = "5 ms"
[specimen]
)" + specimen;
    const Document document = Document::parse(text, "test.toml");
    const Review reviewed = review(make_test(document, {}));
    for (const std::string& warning : reviewed.warnings) {
      if (warning.find("lags half a step") != std::string::npos) return warning;
    }
    return std::string();
  };
  EXPECT_EQ(warns("kind = \"dashpot\"\ndamping = \"5 kN*s/m\"\n"), "");
  // −K·Δt/2 = 400 kN/m · 2.5 ms = 1 kN·s/m of 10.
  EXPECT_NE(warns("kind = \"spring\"\nstiffness = \"400 kN/m\"\n").find("negative damping of 10"),
            std::string::npos);
}

}  // namespace
}  // namespace gusset

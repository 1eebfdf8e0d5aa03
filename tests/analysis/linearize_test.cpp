#include <gtest/gtest.h>

#include "support/documents.hpp"

// A nonlinear loop is judged by its tangent at rest, however large the perturbations that its entries
// declare.

namespace gusset {
namespace {

using test::shipped;
using test::spectral_radius;

TEST(Linearize, FrictionAtRestIsADashpotOfItsSlope) {
  // F·v/v_0 for v << v_0: 5 N at 1 mm/s. The entries' scales are a thousand times v_0 away.
  const std::string head = "specimen.parts=[{kind=\"mass\",mass=\"116 kg\"},";
  for (const char* mass : {"1160 kg", "114.85 kg", "89.23 kg"}) {
    const std::string structure = std::string("structure.mass=") + mass;
    const double friction = spectral_radius(shipped("wu-validation", {structure}));
    const double dashpot = spectral_radius(shipped(
        "wu-validation", {structure, head + "{kind=\"dashpot\",damping=\"5 kN*s/m\"}]"}));
    EXPECT_NEAR(friction, dashpot, 1e-6) << mass;
  }
}

TEST(Linearize, OverlapOfTheValveIsLeftOut) {
  const double with = spectral_radius(shipped("large-actuator", {"rig.overlap=0.02"}));
  const double without = spectral_radius(shipped("large-actuator", {"rig.overlap=0"}));
  EXPECT_DOUBLE_EQ(with, without);
  EXPECT_LT(without, 1);
}

}  // namespace
}  // namespace gusset

#include <gtest/gtest.h>

#include "analysis/analysis.hpp"
#include "analysis/frequency_response.hpp"
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
    const double dashpot = spectral_radius(
        shipped("wu-validation", {structure, head + "{kind=\"dashpot\",damping=\"5 kN*s/m\"}]"}));
    EXPECT_NEAR(friction, dashpot, 1e-6) << mass;
  }
}

TEST(Linearize, FrequencyResponseTakesTheTangentToo) {
  const auto measured = [](const char* specimen) {
    const Document document = test::document(std::string(R"(
[structure]
mass = "300 kg"
frequency = "1 Hz"
[integrator]
dt = "10 ms"
[rig]
kind = "shake-table"
dt = "1 ms"
[specimen]
)") + specimen);
    const Experiment experiment = test::build_for_analysis(document);
    return frequency_response(channel_systems(experiment, 0), 5.0).plant;
  };
  const std::complex<double> friction =
      measured("kind = \"friction\"\nforce = \"500 N\"\nvelocity = \"1 mm/s\"\n");
  const std::complex<double> dashpot = measured("kind = \"dashpot\"\ndamping = \"500 kN*s/m\"\n");
  // The dashpot is in the plant, exactly. Friction is solved for at the end of each piece of 0.1 ms, and acts all
  // through it: half a piece at 5 Hz. A loop that is blind to the tangent would be off by the whole of it.
  const double half_a_piece = 2 * M_PI * 5.0 * 0.5e-4;
  EXPECT_LT(std::abs(friction - dashpot), half_a_piece * std::abs(dashpot));
  const std::complex<double> nothing = measured("kind = \"dashpot\"\ndamping = \"1 N*s/m\"\n");
  EXPECT_GT(std::abs(nothing - dashpot), 0.1 * std::abs(dashpot));
}

TEST(Linearize, InterfaceGainIsThatOfTheMassWhereverTheTestStarts) {
  // H = −m/M of the pure mass, ratio 0.5; the spring, within its yield force, adds nothing as Δt → 0.
  for (const char* start : {"0 m", "1 cm", "-1 cm"}) {
    const Document document = test::document(R"(
[structure]
mass = "300 kg"
frequency = "1 Hz"
damping_ratio = 0.05
[integrator]
dt = "10 ms"
[specimen]
kind = "sum"
[[specimen.parts]]
kind = "mass"
mass_ratio = 0.5
[[specimen.parts]]
kind = "bilinear"
stiffness = "2 kN/m"
yield_force = "1 kN"
)",
                                             {std::string("initial.displacement=") + start});
    EXPECT_NEAR(interface_radius(document, test::build_for_analysis(document)), 0.5, 1e-6) << start;
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

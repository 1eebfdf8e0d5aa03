#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/simulation.hpp"
#include "support/simulations.hpp"

namespace gusset {
namespace {

using test::simulated;
using test::split;
using test::values_of;

TEST(ShakeTableChannels, IdealFeedbackSaysHowFarTheTableGoes) {
  // An ideal rig in open loop is told the same accelerations and has the high-pass in its own plant.
  const std::vector<std::string> table = {"table.highpass=0.8 Hz", "duration=8 s", "method.between=ramp"};
  std::vector<std::string> open = table;
  open.push_back("method.feedback=open-loop");
  const Simulation ideal = simulated(split("shao-three-storey", 0.5, 0.2, 0.4, table));
  const Simulation other = simulated(split("shao-three-storey", 0.5, 0.2, 0.4, open));
  for (const char* name : {"table.displacement", "table.velocity", "table.measured"}) {
    const std::vector<double>&a = values_of(ideal, name), &b = values_of(other, name);
    ASSERT_EQ(a.size(), b.size());
    double peak = 0, difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      peak = std::max(peak, std::abs(b[i]));
      difference = std::max(difference, std::abs(a[i] - b[i]));
    }
    EXPECT_GT(peak, 0);
    EXPECT_LT(difference, 1e-9 * peak) << name;
  }
}

TEST(ShakeTableChannels, EveryChannelHasSensorsOfItsOwn) {
  Document document = test::document(R"(
    duration = "4 s"
    [structure]
    mass = { values = [20, 10], unit = "t" }
    stiffness = { values = [30, 12], unit = "MN/m" }
    damping = { values = [150, 60], unit = "kN*s/m" }
    [partition]
    experimental = [2]
    [excitation]
    record = "el-centro-1940-ns"
    scale = 0.2
    [method]
    kind = "shake-table"
    alpha_l = 0.5
    [integrator]
    dt = "2 ms"
    [[sensor]]
    acceleration_bias = "0.1 m/s^2"
    displacement_bias = "2 mm"
    [[sensor]]
    displacement_bias = "1 mm")");
  const Simulation run = simulated(document);
  const auto offset = [&](const std::string& name) {
    return values_of(run, name)[700] - values_of(run, name + "_true")[700];
  };
  EXPECT_NEAR(offset("table.measured"), 0.1, 1e-12);
  EXPECT_NEAR(offset("table.displacement"), 2e-3, 1e-12);
  EXPECT_NEAR(offset("table.velocity"), 0, 1e-12);
  EXPECT_NEAR(offset("actuator.measured"), 1e-3, 1e-12);
  EXPECT_NEAR(offset("actuator.acceleration"), 0, 1e-12);
}

TEST(ShakeTableChannels, EveryChannelHasLimitsOfItsOwn) {
  const auto stopped_by = [](std::vector<std::string> limits) {
    limits.push_back("method.feedback=sampled");
    const Simulation run = simulated(split("shao-three-storey", 0.5, 0, 0.5, limits));
    return run.stop ? run.stop->channel : std::string();
  };
  // The table needs 48 mm, the actuator 31 mm.
  EXPECT_EQ(stopped_by({"limits.displacement=35 mm"}), "table.displacement");
  EXPECT_EQ(stopped_by({"limits.displacement=35 mm", "limits.table.displacement=1 m"}), "");
  EXPECT_EQ(stopped_by({"limits.table.displacement=1 m", "limits.actuator.displacement=20 mm"}),
            "actuator.measured");
  EXPECT_EQ(stopped_by({"limits.table.acceleration=1 m/s^2", "limits.actuator.force=1 MN"}), "table.command");
  EXPECT_THROW(stopped_by({"limits.actuator.acceleration=1 m/s^2"}), InputError);
  EXPECT_THROW(stopped_by({"limits.table.force=1 kN"}), InputError);
  EXPECT_THROW(simulated(test::shipped("shao-case-3", {"limits.acceleration=1 m/s^2"})), InputError);
}

TEST(ShakeTableChannels, ActuatorsMayDiffer) {
  // One rig a floor: a list of equal values is one value, and each actuator follows its own numbers.
  const std::vector<std::string> rig = {
      "method.feedback=open-loop",   "method.alpha_m=0",           "method.alpha_l=0",
      "rig.kind=force-actuator",     "rig.volume=5e-3 m^3",        "rig.bulk_modulus=700 MPa",
      "rig.velocity_compensation=1", "rig.supply_pressure=21 MPa", "rig.no_load_flow=600 l/min"};
  const auto build = [&](const char* area, const char* bandwidth) {
    std::vector<std::string> more = rig;
    more.push_back(std::string("rig.area=") + area);
    more.push_back(std::string("rig.bandwidth=") + bandwidth);
    return test::shipped("shao-five-storey", more);
  };
  const double one = test::spectral_radius(build("100 cm^2", "20 Hz"));
  EXPECT_EQ(one, test::spectral_radius(
                     build(R"(["100 cm^2", "100 cm^2", "100 cm^2"])", R"(["20 Hz", "20 Hz", "20 Hz"])")));
  const Experiment experiment = test::build_for_analysis(
      build(R"(["100 cm^2", "200 cm^2", "50 cm^2"])", R"(["20 Hz", "25 Hz", "30 Hz"])"));
  EXPECT_NEAR(*experiment.channels()[1].capacity.force, 420e3, 1);
  EXPECT_NEAR(*experiment.channels()[2].capacity.velocity, 600 / 6e4 / 50e-4, 1e-9);
  EXPECT_THROW(test::build_for_analysis(build(R"(["100 cm^2", "200 cm^2"])", "20 Hz")), InputError);
}

}  // namespace
}  // namespace gusset

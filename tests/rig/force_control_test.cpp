#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "analysis/frequency_response.hpp"
#include "support/documents.hpp"
#include "support/recorded.hpp"

namespace gusset {
namespace {

using Complex = std::complex<double>;

/// Shao's second storey alone under force control at 1024 Hz.
Document specimen(std::vector<std::string> rig) {
  rig.insert(rig.begin(),
             {"integrator.dt=0.9765625 ms", "method.virtual_mass_ratio=0", "structure.mass=4.4e-4 kip*s^2/in",
              "structure.stiffness=0.126 kip/in", "structure.damping=1.19e-3 kip*s/in"});
  Document document = test::document(R"(
    [structure]
    [excitation]
    record = "el-centro-1940-ns"
    [method]
    kind = "effective-force"
    [integrator]
    kind = "newmark")",
                                     rig);
  return document;
}

double force_at(const Document& document, double frequency) {
  const Experiment experiment = test::build_for_analysis(document);
  return std::abs(frequency_response(channel_systems(experiment, 0), frequency).plant);
}

const char* const delay = "rig.delay=6.8359375 ms";  // 7 samples

TEST(AddedCompliance, ForceDropsOutAtTheSpecimensFrequency) {
  EXPECT_NEAR(force_at(specimen({"rig.kind=added-compliance", "rig.stiffness=0.5 kip/in", delay,
                                 "rig.predictor=none"}),
                       2.69),
              0.25, 0.01);
}

TEST(AddedCompliance, SmithPredictorAndHalfASampleBringItBack) {
  const std::vector<std::string> rig = {"rig.kind=added-compliance", "rig.stiffness=0.5 kip/in", delay};
  EXPECT_NEAR(force_at(specimen(rig), 2.69), 1.00, 0.01);
  std::vector<std::string> plain = rig;
  plain.push_back("rig.half_sample=false");
  EXPECT_NEAR(force_at(specimen(plain), 2.69), 0.83, 0.01);
  for (const double f : {0.5, 1.5, 5.0}) EXPECT_NEAR(force_at(specimen(rig), f), 1, 0.02) << f;
}

TEST(AddedCompliance, ContinuousClosedFormWithoutPredictor) {
  // F = C·F_d/(1 + K·(1 − C)·P), C the delay and half a sample of hold.
  const double k_lc = 0.5 * 175126.835, m = 4.4e-4 * 175126.835, c = 1.19e-3 * 175126.835,
               k = 0.126 * 175126.835;
  for (const double f : {1.0, 2.0, 2.69, 4.0}) {
    const Complex s(0, 2 * M_PI * f);
    const Complex lag = std::exp(-s * (7.5 / 1024)), p = 1.0 / (m * s * s + c * s + k);
    const double wanted = std::abs(1.0 / (1.0 + k_lc * (1.0 - lag) * p));
    EXPECT_NEAR(force_at(specimen({"rig.kind=added-compliance", "rig.stiffness=0.5 kip/in", delay,
                                   "rig.predictor=none"}),
                         f),
                wanted, 0.01)
        << f;
  }
}

TEST(AddedCompliance, ToleratesAWrongModel) {
  for (const char* wrong : {"rig.model_stiffness=0.5", "rig.model_stiffness=2", "rig.model_mass=0.8",
                            "rig.model_mass=2", "rig.model_delay=8.7890625 ms"}) {
    EXPECT_LT(test::spectral_radius(
                  specimen({"rig.kind=added-compliance", "rig.stiffness=0.5 kip/in", delay, wrong})),
              1)
        << wrong;
  }
}

TEST(AddedCompliance, PredictsEachActuatorWithItsOwnDelay) {
  const auto radius = [](const char* delays) {
    return test::spectral_radius(test::document(std::string(R"(
[structure]
mass = { values = [154.1, 77.06, 38.53], unit = "kg" }
stiffness = { values = [110855, 22066, 5604], unit = "N/m" }
damping = { values = [208.4, 208.4, 208.4], unit = "N*s/m" }
[partition]
experimental = [2, 3]
[method]
kind = "shake-table"
feedback = "open-loop"
[integrator]
dt = "0.9765625 ms"
[rig]
kind = "added-compliance"
stiffness = "87.56 kN/m"
)") + delays));
  };
  for (const char* delays : {"delay = { values = [6.8359375, 6.8359375], unit = \"ms\" }\n",
                             "delay = { values = [0.9765625, 6.8359375], unit = \"ms\" }\n",
                             "delay = { values = [6.8359375, 0.9765625], unit = \"ms\" }\n"}) {
    EXPECT_LT(radius(delays), 1) << delays;
  }
  EXPECT_THROW(radius("delay = \"-5 ms\"\n"), InputError);
}

TEST(ForceActuator, StarvesAtTheSpecimensFrequencyUnlessItsFlowIsCompensated) {
  // Ḟ = k·(u − ẋ), u = (ω_b/k)(F_d − F) + c·ẋ:  F/F_d = ω_b/(s + ω_b + (1 − c)·k·s·P)
  const double m = 4.4e-4 * 175126.835, c = 1.19e-3 * 175126.835, k = 0.126 * 175126.835;
  const double oil = 4 * 7e8 * 1e-3 * 1e-3 / 1e-2, band = 2 * M_PI * 20;
  const std::vector<std::string> rig = {"rig.kind=force-actuator", "rig.area=10 cm^2",
                                        "rig.volume=1e-2 m^3",     "rig.bulk_modulus=7e8 Pa",
                                        "rig.bandwidth=20 Hz",     "integrator.dt=0.05 ms"};
  for (const double share : {0.0, 1.0}) {
    std::vector<std::string> own = rig;
    own.push_back(test::assign("rig.velocity_compensation", share));
    for (const double f : {1.0, 2.69, 5.0}) {
      const Complex s(0, 2 * M_PI * f), p = 1.0 / (m * s * s + c * s + k);
      const double wanted = std::abs(band / (s + band + (1 - share) * oil * s * p));
      EXPECT_NEAR(force_at(specimen(own), f), wanted, 0.02 * std::max(wanted, 0.1)) << share << ' ' << f;
    }
  }
}

const std::vector<std::string> hydraulic = {"rig.kind=force-actuator", "rig.area=10 cm^2",
                                            "rig.volume=1e-3 m^3",     "rig.bulk_modulus=7e8 Pa",
                                            "rig.bandwidth=20 Hz",     "rig.velocity_compensation=1"};

/// Greatest force and speed of a test on the valve given.
std::pair<double, double> extremes(const std::vector<std::string>& valve, const char* peak) {
  std::vector<std::string> sets = hydraulic;
  sets.insert(sets.end(), valve.begin(), valve.end());
  sets.push_back(std::string("excitation.peak=") + peak);
  const Test tested = make_test(specimen(sets), test::shipped_records());
  const Experiment& experiment = *tested.experiment;
  State state = tested.start().state;
  test::Recorded output(experiment);
  double force = 0, speed = 0;
  for (std::int64_t i = 0; i < 8000; ++i) {
    output.step(state, tested.input(i));
    force = std::max(force, std::abs(output.at(0, "actuator.force")));
    speed = std::max(speed, std::abs(output.at(0, "actuator.velocity")));
  }
  return {force, speed};
}

TEST(ForceActuator, ValveLimitsForceToSupplyPressureTimesArea) {
  // 210 N at most; the effective force would be 2·m·g = 1511 N.
  const std::vector<std::string> valve = {"rig.supply_pressure=210 kPa", "rig.no_load_flow=60 l/min"};
  const auto [limited, speed] = extremes(valve, "2 g");
  EXPECT_LE(limited, 210 * (1 + 1e-9));
  EXPECT_GT(limited, 0.9 * 210);
  EXPECT_GT(extremes({}, "2 g").first, 1000);
  EXPECT_GT(speed, 0);
}

TEST(ForceActuator, SmallMotionOfTheValveIsTheLinearOne) {
  const std::vector<std::string> valve = {"rig.supply_pressure=21 MPa", "rig.no_load_flow=60 l/min"};
  const auto linear = extremes({}, "0.001 g"), orifice = extremes(valve, "0.001 g");
  EXPECT_NEAR(orifice.first, linear.first, 0.02 * linear.first);
  EXPECT_NEAR(orifice.second, linear.second, 0.02 * linear.second);
}

}  // namespace
}  // namespace gusset

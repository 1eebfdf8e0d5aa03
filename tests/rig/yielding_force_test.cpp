// Specimens that yield under forces made by rigs.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/simulations.hpp"

namespace gusset {
namespace {

using test::peak_of;
using test::values_of;

Simulation run(const Document& document) { return test::simulated(document, false); }

/// A force that is held from sample to sample on a bilinear oscillator, in steps two hundred times finer:
/// r = h·k·x + (1 − h)·k·z, z following x within ±x_y. Not a line of it is the product's.
struct Fine {
  double mass, damping, stiffness, yield, hardening;
  double x = 0, v = 0, z = 0, dissipated = 0;

  void hold(double force, double dt) {
    constexpr int parts = 200;
    const double h = dt / parts;
    for (int i = 0; i < parts; ++i) {
      // Velocity Verlet: second order, and the kinks are found to a part of a step.
      v += 0.5 * h * acceleration(force);
      x += h * v;
      const double free = z + h * v;
      z = std::clamp(free, -yield, yield);
      dissipated += (1 - hardening) * stiffness * z * (free - z);
      v += 0.5 * h * acceleration(force);
    }
  }
  double acceleration(double force) const {
    const double r = hardening * stiffness * x + (1 - hardening) * stiffness * z;
    return (force - damping * v - r) / mass;
  }
};

TEST(YieldingUnderForce, AsAFinerSolutionOfTheSameSpecimen) {
  const double k = 197392.0880217872;
  const Simulation own = run(test::shipped(
      "chen-2007-bilinear-direct", {"method.virtual_mass_ratio=0", "rig.kind=delay", "rig.delay=0 s"}));
  const std::vector<double>& commands = values_of(own, "actuator.command");
  const std::vector<double>& found = values_of(own, "storey1.displacement");
  const double size = peak_of(found);
  EXPECT_GT(size, 5 * 0.01) << "far beyond yielding";
  Fine fine{5000, 1256.637061435917, k, 0.01, 0.2};
  double worst = 0;
  for (std::size_t i = 1; i < found.size(); ++i) {
    // The command recorded at the end of a sample is the one that was held over it.
    fine.hold(commands[i], 2e-3);
    worst = std::max(worst, std::abs(fine.x - found[i]));
  }
  EXPECT_LT(worst, 1e-3 * size);
  EXPECT_NEAR(values_of(own, "restoring1.dissipated").back(), fine.dissipated, 1e-3 * fine.dissipated);
}

TEST(YieldingUnderForce, OfAHydraulicActuatorToo) {
  // What the actuator made of its command, the mean of each sample, on the finer specimen: 3750 kg of the
  // 5000 are in the laboratory.
  const Simulation own = run(test::shipped("chen-2007-bilinear-hydraulic"));
  const std::vector<double>& forces = values_of(own, "actuator.force");
  const std::vector<double>& found = values_of(own, "storey1.displacement");
  Fine fine{3750, 1256.637061435917, 197392.0880217872, 0.01, 0.2};
  double worst = 0;
  for (std::size_t i = 1; i < found.size(); ++i) {
    fine.hold(forces[i], 1e-3);
    worst = std::max(worst, std::abs(fine.x - found[i]));
  }
  EXPECT_GT(peak_of(found), 5 * 0.01) << "far beyond yielding";
  EXPECT_LT(worst, 1e-3 * peak_of(found));
  EXPECT_NEAR(values_of(own, "restoring1.dissipated").back(), fine.dissipated, 1e-3 * fine.dissipated);
}

TEST(YieldingUnderForce, BeforeItYieldsItIsTheLinearRig) {
  const std::vector<std::vector<std::string>> rigs = {
      {"rig.kind=delay", "rig.delay=1.3 ms"},
      {"rig.kind=added-compliance", "rig.stiffness=100 kN/m", "rig.delay=3 ms"},
      {"rig.kind=force-actuator", "rig.area=30 cm^2", "rig.volume=1.5e-3 m^3", "rig.bulk_modulus=700 MPa",
       "rig.bandwidth=25 Hz", "rig.velocity_compensation=1"}};
  for (std::vector<std::string> rig : rigs) {
    rig.insert(rig.end(), {"method.virtual_mass_ratio=0.25", "integrator.dt=1 ms", "duration=6 s"});
    const auto with = [&](const std::string& stiffness) {
      return run(
          test::document("[structure]\nmass = \"5000 kg\"\ndamping = \"1256 N*s/m\"\n" + stiffness + R"(
        [excitation]
        record = "el-centro-1940-ns"
        [method]
        kind = "effective-force"
        [integrator]
        kind = "newmark")",
                         rig));
    };
    const Simulation linear = with("stiffness = \"200 kN/m\"\n");
    const Simulation never = with(
        "stiffness = \"0 N/m\"\n[[structure.restoring]]\nstorey = 1\n"
        "kind = \"bilinear\"\nstiffness = \"200 kN/m\"\nyield_force = \"1e6 kN\"\n"
        "hardening = 0.2\n");
    for (const char* name :
         {"storey1.displacement", "storey1.acceleration", "actuator.force", "actuator.command"}) {
      const std::vector<double>&a = values_of(linear, name), &b = values_of(never, name);
      ASSERT_EQ(a.size(), b.size());
      double worst = 0;
      for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
      EXPECT_GT(peak_of(a), 0) << name;
      EXPECT_LT(worst, 1e-9 * peak_of(a)) << rig.front() << ' ' << name;
    }
  }
}

/// Two storeys, the lower one yielding: at every sample M·a is what acts, the restoring force followed anew
/// from the recorded displacements.
TEST(YieldingUnderForce, AccelerationsAreInEquilibrium) {
  const Simulation own = run(test::document(R"(
    duration = "8 s"
    [structure]
    mass = { values = [2, 1], unit = "t" }
    stiffness = { values = [0, 400], unit = "kN/m" }
    damping = { values = [2, 1], unit = "kN*s/m" }
    [[structure.restoring]]
    storey = 1
    kind = "bilinear"
    stiffness = "600 kN/m"
    yield_force = "3 kN"
    hardening = 0.1
    [excitation]
    record = "el-centro-1940-ns"
    [method]
    kind = "effective-force"
    virtual_mass_ratio = 0
    [integrator]
    kind = "newmark"
    dt = "1 ms"
    [rig]
    kind = "delay"
    delay = "0 s")"));
  const auto channel = [&](const std::string& name) -> const std::vector<double>& {
    return values_of(own, name);
  };
  Fine storey{1, 0, 600e3, 0.005, 0.1};  // for its hysteresis only
  double worst = 0, largest = 0;
  for (std::size_t i = 1; i < channel("storey1.displacement").size(); ++i) {
    const double x1 = channel("storey1.displacement")[i], x2 = channel("storey2.displacement")[i];
    const double v1 = channel("actuator1.velocity")[i], v2 = channel("actuator2.velocity")[i];
    storey.z =
        std::clamp(storey.z + x1 - channel("storey1.displacement")[i - 1], -storey.yield, storey.yield);
    const double r = 0.1 * 600e3 * x1 + 0.9 * 600e3 * storey.z;
    const double upper = 400e3 * (x2 - x1) + 1e3 * (v2 - v1);
    const double f1 = channel("actuator1.command")[i] - r - 2e3 * v1 + upper;
    const double f2 = channel("actuator2.command")[i] - upper;
    worst = std::max({worst, std::abs(f1 - 2e3 * channel("actuator1.acceleration")[i]),
                      std::abs(f2 - 1e3 * channel("actuator2.acceleration")[i])});
    largest = std::max(largest, std::abs(r));
  }
  EXPECT_GT(largest, 4e3) << "beyond yielding";
  EXPECT_LT(worst, 1e-6 * largest);
}

}  // namespace
}  // namespace gusset

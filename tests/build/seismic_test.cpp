// The loop against the exact response of the whole structure, as the step shrinks.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "analysis/exact.hpp"
#include "analysis/simulation.hpp"
#include "base/linear_system.hpp"
#include "support/documents.hpp"
#include "support/recorded.hpp"

namespace gusset {
namespace {

using test::assign;

/// A motion with corners every 20 ms only, so that steps that divide 20 ms see it without error.
Record shaking() {
  Record record{"shaking", 0.02, {}};
  for (int i = 0; i <= 150; ++i) {
    const double t = 0.02 * i;
    record.acceleration.push_back(2 * std::sin(6 * t) * std::sin(M_PI * t / 3) +
                                  std::sin(17 * t) * std::sin(M_PI * t / 3));
  }
  return record;
}

Test build(const std::string& text, double dt, std::vector<std::string> assignments = {}) {
  assignments.push_back(assign("integrator.dt", dt, "s"));
  return make_test(test::document(text, assignments), test::only(shaking()));
}

/// Displacement of one floor at every 20 ms.
std::vector<double> response(const Test& tested, int dof) {
  const Experiment& experiment = *tested.experiment;
  const auto stride = static_cast<std::int64_t>(std::lround(0.02 / experiment.dt()));
  std::vector<double> floor;
  State state = tested.start().state;
  test::Recorded output(experiment);
  for (std::int64_t i = 0; i <= tested.steps; ++i) {
    output.step(state, tested.input(i));
    // What a step leaves on the structure's wires is the response it started from.
    if (i % stride == 0) floor.push_back(output.structure[static_cast<std::size_t>(dof)]);
  }
  return floor;
}

std::vector<double> exact(const Test& tested, int dof) {
  const Experiment& experiment = *tested.experiment;
  const auto stride = static_cast<std::int64_t>(std::lround(0.02 / experiment.dt()));
  const auto [d, v, a0] = experiment.whole_start();
  ExactResponse response(experiment.whole(), d, v, 0.02);
  std::vector<double> floor;
  for (std::int64_t i = 0; i <= tested.steps; i += stride) {
    floor.push_back(response.displacement(dof));
    response.advance(tested.input(i).acceleration, tested.input(i + stride).acceleration);
  }
  return floor;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += (a[i] - b[i]) * (a[i] - b[i]);
    size += a[i] * a[i];
  }
  return std::sqrt(error / size);
}

/// log2 of what halving the step gains, and the error at the finer one.
struct Convergence {
  double order, error;
};
Convergence convergence(const std::string& text, int dof, double dt,
                        const std::vector<std::string>& assignments = {}) {
  double errors[2] = {};
  for (int k = 0; k < 2; ++k) {
    const auto experiment = build(text, dt / (1 << k), assignments);
    errors[k] = difference(exact(experiment, dof), response(experiment, dof));
  }
  return {std::log2(errors[0] / errors[1]), errors[1]};
}

const std::string building = R"(
duration = "3 s"
[structure]
mass = { values = [2.0, 2.0, 1.5], unit = "t" }
stiffness = { values = [1800, 1500, 1200], unit = "kN/m" }
damping = { values = [6, 5, 4], unit = "kN*s/m" }
[excitation]
record = "shaking"
)";

TEST(Seismic, ShearBuildingAloneConvergesWithTheSquareOfTheStep) {
  for (int dof = 0; dof < 3; ++dof) {
    const Convergence found = convergence(building, dof, 0.002);
    EXPECT_NEAR(found.order, 2, 0.05) << dof;
    EXPECT_LT(found.error, 1e-3);
  }
}

TEST(Seismic, InitialVelocityAndDisplacementToo) {
  const Convergence found = convergence(building, 2, 0.002,
                                        {"initial.displacement={values=[1,3,-2],unit=\"mm\"}",
                                         "initial.velocity={values=[10,0,-20],unit=\"mm/s\"}"});
  EXPECT_NEAR(found.order, 2, 0.05);
}

TEST(Seismic, SpringsOnTwoFloorsAndAcrossAStorey) {
  // A ramp ends on the target itself: the force is that of t_{i+1}, and nothing is lost.
  const std::string text = building + R"(
[method]
profile = "ramp"
[[specimen]]
name = "a"
kind = "spring"
storey = 1
stiffness = "400 kN/m"
[[specimen]]
name = "b"
kind = "spring"
storey = 3
acts = "drift"
stiffness = "300 kN/m"
)";
  for (int dof = 0; dof < 3; ++dof) EXPECT_NEAR(convergence(text, dof, 0.002).order, 2, 0.05) << dof;
  // And it is the building with stiffer storeys, to rounding.
  const auto joined = build(text, 0.001);
  const auto stiffer =
      build(building, 0.001, {"structure.stiffness={values=[2200,1500,1500],unit=\"kN/m\"}"});
  for (int dof = 0; dof < 3; ++dof) {
    EXPECT_LT(difference(response(joined, dof), response(stiffer, dof)), 1e-11) << dof;
  }
}

TEST(Seismic, DashpotAcrossAStoreyApproachesTheExactResponse) {
  const std::string text = building + R"(
[method]
profile = "ramp"
[specimen]
kind = "dashpot"
storey = 2
acts = "drift"
damping = "20 kN*s/m"
)";
  const Convergence found = convergence(text, 2, 0.001);
  EXPECT_NEAR(found.order, 1, 0.15);  // the command's velocity is half a step old
  EXPECT_LT(found.error, 0.02);
}

TEST(Seismic, OscillatorOnTheRoofFeelsTheGround) {
  const std::string text = building + R"(
[specimen]
kind = "oscillator"
storey = 3
mass = "100 kg"
frequency = "2 Hz"
damping_ratio = 0.05
)";
  const Convergence found = convergence(text, 2, 0.001);
  EXPECT_NEAR(found.order, 1, 0.3);
  EXPECT_LT(found.error, 0.02);
}

const std::string single = R"(
duration = "3 s"
[structure]
mass = "300 kg"
frequency = "1.2 Hz"
damping_ratio = 0.05
[excitation]
record = "shaking"
[specimen]
kind = "mass"
mass_ratio = 0.5
)";

TEST(Seismic, MassMovedWithTheGroundOrAgainstIt) {
  // Absolute: the rig moves the mass with the ground. Relative: the ground's load on it is computed.
  double last = 0;
  for (const double dt : {0.002, 0.001}) {
    const auto absolute = build(single, dt, {"method.reference=absolute"});
    const auto relative = build(single, dt, {"method.reference=relative"});
    EXPECT_EQ(absolute.experiment->channels()[0].ground, 1);
    EXPECT_EQ(relative.experiment->channels()[0].ground, 0);
    const double apart = difference(response(absolute, 0), response(relative, 0));
    EXPECT_LT(apart, 10 * dt);
    if (last > 0) {
      EXPECT_NEAR(last / apart, 2, 0.2);  // they differ by the age of the force
    }
    last = apart;
    EXPECT_LT(difference(exact(absolute, 0), response(absolute, 0)), 20 * dt);
    EXPECT_LT(difference(exact(relative, 0), response(relative, 0)), 20 * dt);
  }
}

TEST(Seismic, MassTestApproachesTheExactResponse) {
  const Convergence found = convergence(single, 0, 0.001);
  EXPECT_NEAR(found.order, 1, 0.1);
  EXPECT_LT(found.error, 0.01);
}

TEST(Seismic, SimulationRecordsTheExactResponseBesideIt) {
  const auto experiment = build(single, 0.001);
  const Simulation simulation = simulate(experiment);
  ASSERT_FALSE(simulation.stop);
  const std::vector<double> expected = exact(experiment, 0);
  bool found = false;
  for (const Table& table : simulation.tables) {
    if (table.name != "reference") continue;
    found = true;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(table.channels[0].values[20 * i], expected[i], 1e-12);
    }
  }
  EXPECT_TRUE(found);
}

TEST(Seismic, GroundedSpecimensRefuseToMoveWithTheGround) {
  const std::string text = building + R"(
[method]
reference = "absolute"
[specimen]
kind = "spring"
storey = 1
stiffness = "1 kN/m"
)";
  EXPECT_THROW(build(text, 0.001), InputError);
}

}  // namespace
}  // namespace gusset

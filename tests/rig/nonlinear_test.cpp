// The nonlinear actuator: what it can do at most, its bounds, its energy, and its agreement with the
// linear one for small motion.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "analysis/frequency_response.hpp"
#include "rig/benches.hpp"
#include "rig/nonlinear.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using std::numbers::pi;
using test::Bench;

const std::string large = "kind = \"nonlinear-actuator\"\nparameters = \"large\"\ndt = \"1 ms\"";
constexpr double psi = 6894.757293168;
constexpr double area = 75.5 * 0.0254 * 0.0254;
constexpr double supply = 3000 * psi;
constexpr double drop = 2950 * psi;
const double rated_flow = 250 * 3.785411784e-3 / 60;
const double no_load = rated_flow / area * std::sqrt(drop / (1000 * psi));
constexpr double stall = area * drop;

std::string dashpot(double damping) {
  return "kind = \"dashpot\"\ndamping = \"" + std::to_string(damping) + " N*s/m\"";
}

/// Commands so far ahead that the valve stays fully open, until the piston nears the stroke's end.
double full_speed(Bench& bench) {
  double before = 0;
  for (int i = 0; i < 3000 && bench.value("measured") < 0.4; ++i) {
    before = bench.value("measured_velocity");
    bench.follow(100, 0, 0);
  }
  return before;
}

TEST(NonlinearActuator, AsQuoted) {
  EXPECT_NEAR(no_load, 0.56, 0.005);
  EXPECT_NEAR(stall / 1000, 991, 1);
  const Bench bench(large, dashpot(1));
  const RigCapacity capacity = bench.rig().capacity(0);
  EXPECT_NEAR(*capacity.velocity, no_load, 1e-9);
  EXPECT_NEAR(*capacity.force, stall, 1e-3);
  EXPECT_NEAR(*capacity.stroke, 0.508, 1e-12);
  // Oil column in the middle of the stroke, behind a closed valve: 40 Hz.
  const Bench uncontrolled(large, dashpot(1), "", {"rig.kp=0 V/m", "rig.damping=0 N*s/m"});
  const auto values =
      Eigen::EigenSolver<Eigen::MatrixXd>(channel_systems(uncontrolled.experiment(), 0).plant.a)
          .eigenvalues();
  double nearest = 0;
  for (const std::complex<double>& value : values) {
    if (std::abs(value) < 1e-9) continue;
    const double hertz = std::abs(std::log(value)) / uncontrolled.dt() / (2 * pi);
    if (std::abs(hertz - 40) < std::abs(nearest - 40)) nearest = hertz;
  }
  EXPECT_NEAR(nearest, 40, 0.05);
}

TEST(NonlinearActuator, NoLoadVelocity) {
  Bench bench(large, dashpot(0.001), "", {"rig.damping=0 N*s/m"});
  EXPECT_NEAR(full_speed(bench), no_load, 0.002 * no_load);
}

TEST(NonlinearActuator, StallForce) {
  Bench bench(large, "kind = \"spring\"\nstiffness = \"1000 kN/mm\"");
  for (int i = 0; i < 2000; ++i) bench.follow(1, 0, 0);
  EXPECT_NEAR(bench.value("force"), stall, 1e-3 * stall);
  for (int i = 0; i < 4000; ++i) bench.follow(-1, 0, 0);
  EXPECT_NEAR(bench.value("force"), -stall, 1e-3 * stall);
}

TEST(NonlinearActuator, PowerCurve) {
  // Against a dashpot F = c·v and v = v_0·sqrt(1 − F/F_s): the most power at F = ⅔·F_s.
  double most = 0;
  for (const double share : {0.2, 0.4, 2.0 / 3, 0.8, 0.9}) {
    const double v = no_load * std::sqrt(1 - share);
    Bench bench(large, dashpot(share * stall / v), "", {"rig.damping=0 N*s/m"});
    const double reached = full_speed(bench);
    EXPECT_NEAR(reached, v, 0.005 * v) << share;
    const double power = bench.value("force") * reached;
    most = std::max(most, power);
    if (share == 2.0 / 3) {
      EXPECT_EQ(most, power);
    }
  }
  EXPECT_NEAR(most, 2 / (3 * std::sqrt(3.0)) * stall * no_load, 0.01 * stall * no_load);
}

TEST(NonlinearActuator, SmallMotionIsTheLinearOne) {
  const std::string specimen = "kind = \"spring\"\nstiffness = \"10 kN/mm\"";
  Bench nonlinear(large, specimen, "", {"rig.overlap=0"});
  const double gain = 375.0 / 250 * rated_flow / std::sqrt(500 * psi) * std::sqrt(0.5 * drop) / 10;
  const double half = 22 * 0.0254;
  const double column = 2 * 1e5 * psi * area / half;
  const double mass = 4200 * 0.45359237;
  using test::assign;
  Bench linear(
      "kind = \"actuator\"\ndt = \"1 ms\"", specimen, "",
      {assign("rig.area", area, "m^2"), assign("rig.flow_gain", gain, "m^3/s/V"),
       assign("rig.volume", 2 * area * half, "m^3"), assign("rig.bulk_modulus", 1e5 * psi, "Pa"),
       assign("rig.mass", mass, "kg"), assign("rig.damping", 0.12 * std::sqrt(column * mass), "N*s/m"),
       "rig.delay=5 ms", "rig.kp=120 V/m", "rig.kff=10 V*s/m"});
  for (const double f : {0.5, 2.0, 8.0}) {
    const double w = 2 * pi * f;
    double difference = 0;
    double size = 0;
    double force_difference = 0;
    double force_size = 0;
    for (int i = 1; i < 4000; ++i) {
      const double t = i * 1e-3;
      for (Bench* bench : {&nonlinear, &linear}) {
        bench->follow(1e-4 * std::sin(w * t), 1e-4 * w * std::cos(w * t), -1e-4 * w * w * std::sin(w * t));
      }
      const double x = linear.value("measured");
      const double force = linear.value("force");
      difference += std::pow(nonlinear.value("measured") - x, 2);
      size += x * x;
      force_difference += std::pow(nonlinear.value("force") - force, 2);
      force_size += force * force;
    }
    EXPECT_LT(std::sqrt(difference / size), 0.02) << f;
    EXPECT_LT(std::sqrt(force_difference / force_size), 0.02) << f;
  }
}

TEST(NonlinearActuator, NeverBeyondItsBounds) {
  // Driven wildly against a heavy mass and a stiff spring.
  double highest = 0;
  for (const std::string& specimen : {std::string("kind = \"mass\"\nmass = \"20 t\""),
                                      std::string("kind = \"spring\"\nstiffness = \"1 kN/mm\"")}) {
    Bench bench(large, specimen);
    double furthest = 0;
    for (int i = 0; i < 8000; ++i) {
      bench.follow(3 * std::sin(2 * pi * 0.7 * i * 1e-3), 0, 0);
      furthest = std::max(furthest, std::abs(bench.value("measured")));
      for (const char* chamber : {"pressure1", "pressure2"}) {
        highest = std::max(highest, bench.value(chamber));
        ASSERT_GE(bench.value(chamber), 0);
      }
    }
    EXPECT_LE(furthest, 20 * 0.0254);
    EXPECT_GT(furthest, 0.3);
  }
  EXPECT_LE(highest, supply);
  EXPECT_GT(highest, 0.9 * supply);
}

TEST(NonlinearActuator, EnergyCloses) {
  Bench bench(large, "kind = \"spring\"\nstiffness = \"1 kN/mm\"", "",
              {"rig.leakage=1e-11 m^3/s/Pa", "rig.dt=0.2 ms"});
  const double half = 22 * 0.0254;
  const double beta = 1e5 * psi;
  const double mass = 4200 * 0.45359237;
  const double damping = 0.12 * std::sqrt(2 * beta * area / half * mass);
  double x = 0;
  double v = 0;
  double p1 = 0.5 * (supply + 50 * psi);
  double p2 = p1;
  double f = 0;
  double compression = 0;
  double work = 0;
  double rubbed = 0;
  for (int i = 0; i < 10000; ++i) {
    const double t = i * 0.2e-3;
    bench.follow(0.1 * std::sin(2 * pi * 0.8 * t), 0, 0);
    // The same integrals, from the measured signals by the trapezoidal rule.
    const double now[] = {bench.value("measured"), bench.value("measured_velocity"), bench.value("pressure1"),
                          bench.value("pressure2"), bench.value("force")};
    const double middle = 0.5 * (x + now[0]);
    compression += area / beta *
                   ((half + middle) * 0.5 * (p1 + now[2]) * (now[2] - p1) +
                    (half - middle) * 0.5 * (p2 + now[3]) * (now[3] - p2));
    work += 0.5 * area * (p1 - p2 + now[2] - now[3]) * (now[0] - x);
    rubbed += damping * 0.5 * (v + now[1]) * (now[0] - x);
    x = now[0];
    v = now[1];
    p1 = now[2];
    p2 = now[3];
    f = now[4];
  }
  const double supplied = bench.value("energy.supplied");
  EXPECT_GT(supplied, 1000);
  const double parts = bench.value("energy.valve") + bench.value("energy.leak") +
                       bench.value("energy.relief") + bench.value("energy.compression") +
                       bench.value("energy.work");
  EXPECT_NEAR(parts, supplied, 1e-9 * supplied);
  EXPECT_EQ(bench.value("energy.relief"), 0);
  EXPECT_NEAR(bench.value("energy.compression"), compression, 2e-3 * supplied);
  EXPECT_NEAR(bench.value("energy.work"), work, 2e-3 * supplied);
  // The piston's work is in the spring, in the moving mass, or gone.
  EXPECT_NEAR(work, 0.5 * f * x + 0.5 * mass * v * v + rubbed, 2e-3 * supplied);
  EXPECT_GT(bench.value("energy.valve"), 0);
}

TEST(NonlinearActuator, HalvingTheInnerStepChangesNothing) {
  // The shipped choice of inner steps against twice as many, at 1 and at 4 kHz.
  for (const char* dt : {"1 ms", "0.25 ms"}) {
    const std::string specimen = "kind = \"spring\"\nstiffness = \"10 kN/mm\"";
    const std::string step = std::string("rig.dt=") + dt;
    Bench own(large, specimen, "", {step});
    Bench fine(large, specimen, "", {step, "rig.inner_steps=200"});
    double difference = 0;
    double size = 0;
    const int steps = static_cast<int>(2 / own.dt());
    for (int i = 1; i < steps; ++i) {
      const double t = i * own.dt();
      for (Bench* bench : {&own, &fine}) bench->follow(0.05 * std::sin(2 * pi * t), 0, 0);
      difference = std::max(difference, std::abs(own.value("force") - fine.value("force")));
      size = std::max(size, std::abs(fine.value("force")));
    }
    EXPECT_LT(difference, 1e-3 * size) << dt;
  }
}

TEST(NonlinearActuator, StepKeepsItsPromises) {
  const auto loop = [] {
    return test::loop_of(
        make_test(test::shipped("large-actuator", {"duration=2 s"}), test::shipped_records()));
  };
  EXPECT_FALSE(test::has_hidden_state(loop, 40));
  EXPECT_FALSE(test::allocates(loop(), 40));
}

}  // namespace
}  // namespace gusset

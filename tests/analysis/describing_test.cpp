// Describing functions of single devices against closed forms, and what ρ(A) predicts against simulation.

#include "analysis/describing.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "stability_loops.hpp"
#include "support/simulations.hpp"

namespace gusset {
namespace {

using namespace test;

/// The only nonlinear device of a loop, alone.
struct Alone {
  explicit Alone(const std::string& text) : loop(document(text)) {
    for (const Device& one : loop.devices()) {
      if (one.displacement.size == 1) device = &one;
    }
    rest = frozen_state(build_for_analysis(document(text)));
  }
  DescribedDevice at(double amplitude, double omega, double dt) const {
    return describe_device(*device, rest, amplitude, omega, dt);
  }
  DescribedLoop loop;
  const Device* device = nullptr;
  State rest;
};

TEST(Describing, AFluidDamperUnderASine) {
  // c = C·V^(a−1)·2^(2+a)·Γ(1+a/2)²/(π·Γ(2+a)): 1.140 for a = 0.4 (Constantinou & Symans 1992).
  const double a = 0.4, factor = std::pow(2, 2 + a) * std::pow(std::tgamma(1 + a / 2), 2) /
                                 (M_PI * std::tgamma(2 + a));
  EXPECT_NEAR(factor, 1.140, 1e-3);
  const Alone damper(three_storeys(fluid_damper));
  for (const double v : {0.05, 0.2, 1.0}) {
    const DescribedDevice line = damper.at(v / 9.4, 9.4, 0.004);
    EXPECT_NEAR(line.damping, 12e3 * std::pow(v, a - 1) * factor, 2e-3 * line.damping) << v;
    EXPECT_LT(std::abs(line.stiffness) * v / 9.4, 1e-2 * line.damping * v) << v;
  }
}

TEST(Describing, AFluidDamperAtTheNyquistFrequency) {
  // Velocity ±V from step to step: c = f(V)/V, without the sine's factor.
  const Alone damper(three_storeys(fluid_damper));
  const double dt = 0.004, v = 0.01, amplitude = v * dt / 2;
  const DescribedDevice line = damper.at(amplitude, M_PI / dt, dt);
  EXPECT_NEAR(line.damping, 12e3 * v * std::pow(v * v + 1e-8, -0.3) / v, 1e-6 * line.damping);
  EXPECT_NEAR(line.stiffness * amplitude, 0, 1e-6 * line.damping * v);
}

TEST(Describing, AnElasticPlasticSpring) {
  // E = 4·f_y·(A − x_y) a cycle; k = (k_0/π)·(β − sin β·cos β), cos β = 1 − 2·x_y/A (Caughey 1960).
  const Alone spring(delayed_and_yielding());
  const double k = 71064, x = 0.01, omega = 9;
  for (const double amplitude : {0.005, 0.012, 0.03, 0.2}) {
    const DescribedDevice line = spring.at(amplitude, omega, 0.004);
    if (amplitude < x) {
      EXPECT_NEAR(line.stiffness, k, 1e-6 * k);
      EXPECT_NEAR(line.damping * omega, 0, 1e-6 * k);
      continue;
    }
    const double cosine = 1 - 2 * x / amplitude, angle = std::acos(cosine);
    EXPECT_NEAR(line.stiffness, k / M_PI * (angle - std::sin(angle) * cosine), 2e-3 * k) << amplitude;
    EXPECT_NEAR(line.damping * omega, 4 * k * x * (amplitude - x) / (M_PI * amplitude * amplitude), 2e-3 * k)
        << amplitude;
  }
}

/// c of the storey, the yielding spring and the delayed one together [N·s/m], with ω from the springs: m·ω² =
/// 0.1 k + k_y(A) + 0.5 k·cos ωτ, c = c_0 + c_y(A, ω) − 0.5 k·sin(ωτ)/ω.
double net_damping(double amplitude) {
  const double m = 2000, k = 177664, yield = 0.01, delay = 0.008;
  double omega = 9, c = 0;
  for (int i = 0; i < 200; ++i) {
    const double cosine = 1 - 2 * yield / amplitude, angle = std::acos(cosine);
    const double spring = 0.4 * k / M_PI * (angle - std::sin(angle) * cosine);
    c = 188.5 + 4 * 0.4 * k * yield * (amplitude - yield) / (M_PI * amplitude * amplitude * omega) -
        0.5 * k * std::sin(omega * delay) / omega;
    omega = std::sqrt((0.1 * k + spring + 0.5 * k * std::cos(omega * delay)) / m);
  }
  return c;
}

TEST(Describing, ALimitCycleAndAnEdgeOfRunAway) {
  const StabilityReport found = judged(delayed_and_yielding());
  ASSERT_EQ(found.amplitude.edges.size(), 2U);
  const AmplitudeEdge& cycle = found.amplitude.edges[0];
  const AmplitudeEdge& edge = found.amplitude.edges[1];
  EXPECT_FALSE(cycle.runs_away_above);
  EXPECT_NEAR(cycle.amplitude, 10.6e-3, 0.1e-3);
  EXPECT_TRUE(edge.runs_away_above);
  // Harmonic balance in continuous time, by hand.
  EXPECT_NEAR(net_damping(cycle.amplitude), 0, 2);
  EXPECT_NEAR(net_damping(edge.amplitude), 0, 2);
  EXPECT_GT(net_damping(0.05), 100);  // between them motion decays
  // Simulated: after the record the loop swings with what is predicted.
  EXPECT_NEAR(found.tail.amplitude.motion, 10.6e-3, 0.1e-3);
}

/// Free vibration from `start` for 150 s: the largest displacement of the last second.
double left_after(double start) {
  const Simulation run = simulated(document(delayed_and_yielding("0.71064 kN", false),
                                            {assign("initial.displacement", start, "m"), "duration=150 s"}),
                                   false);
  const std::vector<double>& x = values_of(run, "storey1.displacement");
  double low = 1e300, high = -1e300;
  for (std::size_t i = x.size() > 250 ? x.size() - 250 : 0; i < x.size(); ++i) {
    low = std::min(low, x[i]);
    high = std::max(high, x[i]);
  }
  return 0.5 * (high - low);
}

TEST(Describing, TheLimitCycleIsReachedFromBelowAndAbove) {
  EXPECT_NEAR(left_after(0.001), 10.6e-3, 0.1e-3);
  EXPECT_NEAR(left_after(0.2), 10.6e-3, 0.1e-3);
  EXPECT_GT(left_after(0.4), 1.0);  // beyond the edge
}

TEST(Describing, ChatterOfAFluidDamper) {
  const StabilityReport found = judged(three_storeys(fluid_damper));
  ASSERT_EQ(found.amplitude.edges.size(), 1U);
  EXPECT_FALSE(found.amplitude.edges[0].runs_away_above);
  EXPECT_NEAR(found.amplitude.edges[0].frequency * 0.004, M_PI, 1e-6);
  EXPECT_NEAR(found.amplitude.edges[0].rate, 0.629e-3, 0.03e-3);
  EXPECT_NEAR(found.tail.amplitude.rate, 0.621e-3, 0.03e-3);
}

TEST(Describing, LinesStandInWithoutMovingTheLoop) {
  // The loop that is built for lines is the loop of the test while no line acts.
  const Document text = document(three_storeys(fluid_damper));
  Devices devices;
  const Experiment listed = Experiment::build(text, {.devices = &devices});
  ASSERT_EQ(devices.size(), 1U);
  EXPECT_EQ(devices[0].name, "device");
  const Experiment plain = Experiment::build(text);
  Linearizer one, two;
  EXPECT_EQ(one.matrix(listed), two.matrix(plain));
  // A line that is a dashpot's gives the loop of a dashpot.
  devices[0].damping = 20e3;
  devices[0].replaced = true;
  const Experiment dashpot = build_for_analysis(document(three_storeys(linear_dashpot)));
  EXPECT_NEAR(std::abs(spectrum(one.matrix(listed)).values.front()), spectrum(two.matrix(dashpot)).radius,
              1e-6);
}

}  // namespace
}  // namespace gusset

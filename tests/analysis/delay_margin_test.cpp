// How much delay makes a loop unstable, against theory and against simulation.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/analysis.hpp"
#include "support/documents.hpp"
#include "support/recorded.hpp"

namespace gusset {
namespace {

using test::assign;
using test::build_for_analysis;

/// One storey of 100 kg, K_N = K_E, so that the whole has ω = sqrt(2K_N/M).
Document spring_test(double damping_ratio, double dt, double delay = 0) {
  return test::document(R"(
duration = "1 s"
[structure]
mass = "100 kg"
stiffness = "80 kN/m"
[initial]
displacement = "1 cm"
[method]
profile = "ramp"
[specimen]
kind = "spring"
stiffness_ratio = 1
[rig]
kind = "delay"
)",
                        {assign("structure.damping_ratio", damping_ratio), assign("integrator.dt", dt, "s"),
                         assign("rig.delay", delay, "s")});
}

constexpr double mass = 100, stiffness = 80e3;

double damping_of(double ratio) { return 2 * ratio * std::sqrt(stiffness * mass); }

double margin_of(const Document& document) {
  const Crossing margin = delay_margin(document, build_for_analysis(document));
  EXPECT_EQ(margin.kind, Crossing::Kind::found);
  return margin.value;
}

/// Log of the energy's growth over the last of many steps, from the motion itself.
double simulated_growth(const Document& document, int steps) {
  const Experiment experiment = build_for_analysis(document);
  State state = experiment.start().state;
  test::Recorded output(experiment);
  const auto envelope = [&](int count) {
    double largest = 0;
    for (int i = 0; i < count; ++i) {
      output.step(state, {});
      largest = std::max(largest, std::abs(output.structure[0]));
    }
    return largest;
  };
  (void)envelope(steps / 4);  // what the start leaves behind
  const double early = envelope(steps / 8);
  (void)envelope(steps / 2);
  return std::log(envelope(steps / 8) / early);
}

RC_GTEST_PROP(DelayMargin, WithinAStepItIsDampingOverStiffness, ()) {
  // A delay τ < Δt of a ramp gives x = d_i − τ·(d_i − d_{i−1})/Δt, and
  //   (M + ½K_E·τ·Δt)·a + (C − K_E·τ)·v + (K_N + K_E)·d = 0
  // holds exactly for the central differences: the margin is τ = C/K_E.
  const double ratio = 0.001 * *rc::gen::inRange(1, 60);
  const double expected = damping_of(ratio) / stiffness;
  const double dt = expected * (1.1 + 0.01 * *rc::gen::inRange(0, 200));
  RC_ASSERT(std::abs(margin_of(spring_test(ratio, dt)) / expected - 1) < 1e-6);
}

TEST(DelayMargin, LongDelaysAgreeWithTheContinuousLoop) {
  // −Mω² + iCω + K_N + K_E·e^{−iωτ} = 0:  K_E·sin ωτ = Cω  and  K_N + K_E·cos ωτ = Mω².
  for (const double ratio : {0.05, 0.1, 0.2}) {
    const double c = damping_of(ratio);
    // One unknown: bisect on ω, τ following from the second equation.
    const auto excess = [&](double omega) {
      const double cosine = (mass * omega * omega - stiffness) / stiffness;
      return std::sqrt(1 - cosine * cosine) - c * omega / stiffness;
    };
    double low = std::sqrt(stiffness / mass) * 1.2, high = std::sqrt(2 * stiffness / mass);
    ASSERT_GT(excess(low), 0);
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      (excess(middle) > 0 ? low : high) = middle;
    }
    const double cosine = (mass * low * low - stiffness) / stiffness;
    const double expected = std::acos(cosine) / low;
    // A tenth of the delay a step: the remaining difference is that of the central differences.
    EXPECT_NEAR(margin_of(spring_test(ratio, expected / 10)) / expected, 1, 2e-3) << ratio;
    EXPECT_NEAR(expected, c / stiffness, 0.1 * expected) << "small-delay theory";
  }
}

TEST(DelayMargin, SimulationTurnsUnstableThere) {
  for (const double ratio : {0.01, 0.05}) {
    for (const double dt : {0.002, 0.0005}) {
      const double margin = margin_of(spring_test(ratio, dt));
      EXPECT_LT(simulated_growth(spring_test(ratio, dt, 0.99 * margin), 400000), 0) << ratio;
      EXPECT_GT(simulated_growth(spring_test(ratio, dt, 1.01 * margin), 400000), 0) << ratio;
    }
  }
}

TEST(DelayMargin, CountsBeyondTheDelayThereIs) {
  const double whole = margin_of(spring_test(0.05, 0.001));
  const double rest = margin_of(spring_test(0.05, 0.001, 0.4 * whole));
  EXPECT_NEAR(rest, 0.6 * whole, 1e-6 * whole);
}

TEST(DelayMargin, NoneLeftWhereTheLoopIsUnstable) {
  const Document document = spring_test(0.01, 0.002, 0.01);
  EXPECT_EQ(delay_margin(document, build_for_analysis(document)).kind, Crossing::Kind::always);
}

TEST(DelayMargin, DampedMassesTolerateWhatTheyTolerate) {
  // For a mass specimen the analysis itself is the yardstick on either side.
  const Document document = test::wu_pure_inertia(0.4, 0.1, 0.1);
  const double margin = margin_of(document);
  for (const double factor : {0.999, 1.001}) {
    Document delayed = document;
    delayed.set("rig.kind=delay");
    delayed.set(assign("rig.delay", factor * margin, "s"));
    EXPECT_EQ(test::spectral_radius(delayed) > 1, factor > 1);
  }
}

}  // namespace
}  // namespace gusset

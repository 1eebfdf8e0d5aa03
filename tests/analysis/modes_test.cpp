// Frequency, damping and period error of the modes, against closed forms of the central difference
// method.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <numbers>

#include "analysis/analysis.hpp"
#include "base/linear_system.hpp"
#include "structure/structure.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

constexpr const char* alone = R"(
duration = "1 s"
[structure]
mass = "100 kg"
frequency = "2 Hz"
damping_ratio = 0.0
[integrator]
dt = "10 ms"
)";

TEST(Modes, CentralDifferencesShortenThePeriod) {
  for (const double omega_dt : {0.05, 0.3, 1.0, 1.9}) {
    const double dt = omega_dt / (4 * pi);
    const Analysis analysis = analyze(test::document(alone, {test::assign("integrator.dt", dt, "s")}));
    ASSERT_EQ(analysis.modes.size(), 1U);
    const Mode& mode = analysis.modes.front();
    EXPECT_NEAR(mode.exact_frequency, 2, 1e-12);
    EXPECT_NEAR(mode.exact_damping, 0, 1e-12);
    if (omega_dt > 1.5) continue;  // farther than half a circle's radius from the exact one
    // cos(ω̄Δt) = 1 − Ω²/2.
    const double expected = std::acos(1 - omega_dt * omega_dt / 2) / omega_dt - 1;
    EXPECT_NEAR(mode.period_error.value(), expected, 1e-9);
    EXPECT_NEAR(mode.frequency.value(), 2 * (1 + expected), 1e-9);
    EXPECT_NEAR(mode.damping.value(), 0, 1e-9);
    EXPECT_TRUE(analysis.stable);
    EXPECT_FALSE(analysis.delay_margin);
    EXPECT_NEAR(analysis.limit.value * 4 * pi, 2, 1e-6);
  }
}

TEST(Modes, ASpringAndADashpotInSeriesHaveAStateOfTheirOwn) {
  const double m = 300, k0 = m * 4 * pi * pi, c0 = 2 * 0.02 * m * 2 * pi, k = 1000, c = 2000;
  // (ms² + c0·s + k0)(k + cs) + kc·s = 0.
  const double a3 = m * c, a2 = m * k + c0 * c, a1 = c0 * k + k0 * c + k * c, a0 = k0 * k;
  std::complex<double> s(-0.1, 6.5);
  for (int i = 0; i < 50; ++i) s -= (((a3 * s + a2) * s + a1) * s + a0) / ((3 * a3 * s + 2 * a2) * s + a1);
  const Analysis analysis = analyze(test::document(R"(
[structure]
mass = "300 kg"
frequency = "1 Hz"
damping_ratio = 0.02
[method]
profile = "ramp"
[integrator]
dt = "1 ms"
[specimen]
kind = "maxwell"
stiffness = "1 kN/m"
damping = "2 kN*s/m"
)"));
  ASSERT_EQ(analysis.modes.size(), 1U);
  EXPECT_NEAR(analysis.modes[0].exact_frequency, s.imag() / (2 * pi), 1e-9);
  EXPECT_NEAR(analysis.modes[0].exact_damping, -s.real() / std::abs(s), 1e-9);
  EXPECT_NEAR(analysis.modes[0].period_error.value(), 0, 1e-3) << "the test does what the structure would";
}

// analyze searches for the stability limit on a thread of its own.
TEST(ModesThread, DampedOscillator) {
  const double zeta = 0.08, omega = 4 * pi, dt = 0.02, o = omega * dt;
  const Analysis analysis =
      analyze(test::document(alone, {"structure.damping_ratio=0.08", "integrator.dt=20 ms"}));
  // (1 + ζΩ)λ² − (2 − Ω²)λ + (1 − ζΩ) = 0.
  const std::complex<double> discriminant = (2 - o * o) * (2 - o * o) - 4 * (1 - zeta * zeta * o * o);
  const std::complex<double> root = ((2 - o * o) + std::sqrt(discriminant)) / (2 * (1 + zeta * o));
  const std::complex<double> s = std::log(root) / dt;
  const Mode& mode = analysis.modes.at(0);
  EXPECT_NEAR(mode.exact_frequency, 2 * std::sqrt(1 - zeta * zeta), 1e-12);
  EXPECT_NEAR(mode.exact_damping, zeta, 1e-12);
  EXPECT_NEAR(mode.frequency.value(), std::abs(s.imag()) / (2 * pi), 1e-9);
  EXPECT_NEAR(mode.damping.value(), -s.real() / std::abs(s), 1e-9);
  EXPECT_NEAR(analysis.spectral_radius, std::abs(root), 1e-12);
}

TEST(Modes, SpecimenBelongsToTheExactStructure) {
  // Spring specimen: sqrt((K_N + K_E)/M). Oscillator of the same mass and frequency on top: the
  // golden ratio.
  const Analysis spring = analyze(test::document(
      alone, {"specimen.kind=spring", "specimen.stiffness_ratio=0.44", "method.profile=ramp"}));
  EXPECT_NEAR(spring.modes.at(0).exact_frequency, 2 * 1.2, 1e-10);
  // The measured force is that of the target itself, so the test is one big central difference.
  const double o = 2 * pi * 2.4 * 0.01;
  EXPECT_NEAR(spring.modes.at(0).period_error.value(), std::acos(1 - o * o / 2) / o - 1, 1e-9);

  const Analysis oscillator =
      analyze(test::document(alone, {"specimen.kind=oscillator", "specimen.mass_ratio=1",
                                     "specimen.frequency_ratio=1", "integrator.dt=0.1 ms"}));
  ASSERT_EQ(oscillator.modes.size(), 2U);
  const double golden = (1 + std::sqrt(5)) / 2;
  EXPECT_NEAR(oscillator.modes[0].exact_frequency, 2 / golden, 1e-9);
  EXPECT_NEAR(oscillator.modes[1].exact_frequency, 2 * golden, 1e-9);
  for (const Mode& mode : oscillator.modes) EXPECT_NEAR(mode.period_error.value(), 0, 1e-3);
}

TEST(Modes, ShearBuildingWithEqualStoreys) {
  // ω_j = 2·sqrt(k/m)·sin((2j − 1)π/(4n + 2)).
  constexpr int n = 5;
  const Document document = test::document(R"(
duration = "1 s"
[structure]
mass = { values = [2, 2, 2, 2, 2], unit = "t" }
stiffness = { values = [500, 500, 500, 500, 500], unit = "kN/m" }
[integrator]
dt = "5 ms"
)");
  const Analysis analysis = analyze(document);
  ASSERT_EQ(analysis.modes.size(), static_cast<std::size_t>(n));
  double highest = 0;
  for (int j = 1; j <= n; ++j) {
    const double omega = 2 * std::sqrt(250.0) * std::sin((2 * j - 1) * pi / (4 * n + 2));
    highest = omega;
    const Mode& mode = analysis.modes[static_cast<std::size_t>(j - 1)];
    EXPECT_NEAR(mode.exact_frequency, omega / (2 * pi), 1e-9);
    const double o = omega * 0.005;
    EXPECT_NEAR(mode.period_error.value(), std::acos(1 - o * o / 2) / o - 1, 1e-8);
  }
  // The highest mode limits the step, the lowest is the reference.
  EXPECT_NEAR(analysis.limit.value, 2 / highest, 1e-6 * analysis.limit.value);
  EXPECT_NEAR(analysis.reference_frequency, 2 * std::sqrt(250.0) * std::sin(pi / (4 * n + 2)), 1e-9);
}

TEST(Modes, TooCoarseAStepHoldsNoMode) {
  // 2 Hz at a step of 0.3 s: beyond the Nyquist frequency.
  const Analysis analysis = analyze(test::document(alone, {"integrator.dt=0.3 s"}));
  EXPECT_FALSE(analysis.modes.at(0).frequency);
  EXPECT_FALSE(analysis.modes.at(0).period_error);
  EXPECT_FALSE(analysis.stable);
}

}  // namespace
}  // namespace gusset

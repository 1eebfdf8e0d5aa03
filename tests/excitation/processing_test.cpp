// Ground motions against closed forms.

#include "excitation/processing.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "excitation/fourier.hpp"
#include "excitation/intensity.hpp"
#include "excitation/response_spectrum.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

std::vector<double> sampled(const std::function<double(double)>& x, double dt, double duration) {
  std::vector<double> values;
  for (double i = 0; i * dt <= duration * (1 + 1e-12); ++i) values.push_back(x(i * dt));
  return values;
}

/// Largest difference in the middle half, where neither end is felt.
double worst(const std::vector<double>& values, const std::function<double(double)>& x, double dt) {
  double largest = 0;
  for (std::size_t i = values.size() / 4; i < 3 * values.size() / 4; ++i) {
    largest = std::max(largest, std::abs(values[i] - x(dt * static_cast<double>(i))));
  }
  return largest;
}

TEST(Filter, HasTheGainOfItsFormulaAndNoDelay) {
  const double dt = 0.005;
  for (const double f : {0.3, 1.0, 4.0, 12.0}) {
    for (const Band& band : {Band{1.0, std::nullopt, 4}, Band{std::nullopt, 4.0, 2}, Band{0.5, 8.0, 3}}) {
      const auto sine = [&](double t) { return std::sin(2 * pi * f * t); };
      double gain = 1;
      if (band.highpass) gain /= 1 + std::pow(*band.highpass / f, 2 * band.order);
      if (band.lowpass) gain /= 1 + std::pow(f / *band.lowpass, 2 * band.order);
      const std::vector<double> out = filtered(sampled(sine, dt, 80), dt, band);
      EXPECT_LT(worst(
                    out, [&](double t) { return gain * sine(t); }, dt),
                2e-4)
          << f;
    }
  }
  EXPECT_DOUBLE_EQ((Band{2.0, std::nullopt, 4}.gain(2.0)), 0.5);
}

TEST(Integration, OfASineInTheFrequencyDomain) {
  const double dt = 0.01;
  const double f = 2;
  const double w = 2 * pi * f;
  const auto a = [&](double t) { return 3 * std::sin(w * t); };
  const IntegratedMotion motion = integrate_twice(sampled(a, dt, 60), dt, 0.5);
  const double gain = 1 / (1 + std::pow(0.5 / f, 8));
  EXPECT_LT(worst(
                motion.displacement, [&](double t) { return -gain * a(t) / (w * w); }, dt),
            1e-4 * 3 / (w * w));
  EXPECT_LT(worst(
                motion.velocity, [&](double t) { return -gain * 3 / w * std::cos(w * t); }, dt),
            1e-4 * 3 / w);
  EXPECT_LT(worst(
                motion.acceleration, [&](double t) { return gain * a(t); }, dt),
            1e-3);
}

TEST(Integration, KeepsDriftOutOfTheStroke) {
  // A tenth of a per cent of g as an offset is 18 m after 60 s; the high-pass leaves nothing of it in
  // the middle of the record.
  const double dt = 0.01;
  const auto a = [](double) { return 0.01; };
  const std::vector<double> d = integrate_twice(sampled(a, dt, 60), dt, 0.5).displacement;
  EXPECT_LT(worst(
                d, [](double) { return 0.0; }, dt),
            1e-5);
  EXPECT_NEAR(integrate_plainly(sampled(a, dt, 60), dt).displacement.back(), 18, 1e-9);
}

TEST(Integration, PlainIsExactForStraightLines) {
  const IntegratedMotion motion = integrate_plainly({0, 1, 2, 3, 4}, 0.5);  // a = 2t
  EXPECT_NEAR(motion.velocity.back(), 4, 1e-14);
  EXPECT_NEAR(motion.displacement.back(), 8.0 / 3, 1e-14);
}

TEST(Baseline, RemovesPolynomialDriftOfTheVelocity) {
  const double dt = 0.01;
  // Whole periods of a cosine of high frequency: hardly any polynomial in its velocity.
  const auto shake = [](double t) { return std::cos(2 * pi * 5 * t); };
  const auto drift = [](double t) { return 0.02 - 0.003 * t + 1e-4 * t * t; };
  const std::vector<double> clean = baseline_corrected(sampled(shake, dt, 20), dt);
  const std::vector<double> corrected =
      baseline_corrected(sampled([&](double t) { return shake(t) + drift(t); }, dt, 20), dt);
  for (std::size_t i = 0; i < clean.size(); ++i) ASSERT_NEAR(corrected[i], clean[i], 1e-5) << i;
  EXPECT_LT(worst(clean, shake, dt), 1e-3);
}

TEST(Resampling, ReproducesASine) {
  const auto sine = [](double t) { return std::sin(2 * pi * 3 * t); };
  for (const double to : {0.0025, 0.003, 0.0071, 0.01, 0.025}) {
    const std::vector<double> out = resampled(sampled(sine, 0.01, 20), 0.01, to);
    EXPECT_EQ(out.size(), static_cast<std::size_t>(std::floor(20 / to + 1e-9)) + 1);
    EXPECT_LT(worst(out, sine, to), 1e-3) << to;
  }
}

TEST(Resampling, RemovesWhatTheNewStepCannotHold) {
  const auto sine = [](double t) { return std::sin(2 * pi * 40 * t); };
  const std::vector<double> out = resampled(sampled(sine, 0.005, 20), 0.005, 0.02);
  EXPECT_LT(worst(
                out, [](double) { return 0.0; }, 0.02),
            1e-2);
}

TEST(Fourier, OfASineOverWholePeriods) {
  // 4096 samples, a line exactly on the grid: amplitude A·T/2.
  const double dt = 1.0 / 64;
  std::vector<double> signal;
  for (int i = 0; i < 4096; ++i) signal.push_back(2 * std::sin(2 * pi * 5 * i * dt));
  const FourierSpectrum spectrum = fourier_spectrum(signal, dt);
  EXPECT_EQ(spectrum.frequency.size(), 2049u);
  EXPECT_DOUBLE_EQ(spectrum.frequency.back(), 32);
  EXPECT_DOUBLE_EQ(spectrum.frequency[320], 5);
  EXPECT_NEAR(spectrum.amplitude[320], 2 * 64 / 2.0, 1e-9);
  EXPECT_NEAR(spectrum.amplitude[321], 0, 1e-9);
}

TEST(Intensity, OfAConstantAcceleration) {
  const Intensity i = intensity(std::vector<double>(101, -2.0), 0.1);
  EXPECT_DOUBLE_EQ(i.pga, 2);
  EXPECT_NEAR(i.pgv, 20, 1e-12);
  EXPECT_NEAR(i.pgd, 100, 1e-10);
  EXPECT_NEAR(i.arias, pi / (2 * 9.80665) * 40, 1e-12);
  EXPECT_NEAR(i.start, 0.5, 1e-12);
  EXPECT_NEAR(i.duration_95, 9, 1e-12);
  EXPECT_NEAR(i.duration_75, 7, 1e-12);
  EXPECT_NEAR(i.cumulative_velocity, 20, 1e-12);
}

TEST(Intensity, OfASine) {
  const auto a = [](double t) { return 3 * std::sin(2 * pi * t); };
  const Intensity i = intensity(sampled(a, 0.001, 10), 0.001);
  EXPECT_NEAR(i.arias, pi / (2 * 9.80665) * 45, 1e-4);  // ∫9·sin² = 45
  EXPECT_NEAR(i.pgv, 2 * 3 / (2 * pi), 1e-5);           // v = 3/2π·(1 − cos)
  EXPECT_NEAR(i.cumulative_velocity, 3 * 10 * 2 / pi, 1e-4);
}

/// Undamped under a sudden constant acceleration: x = −a/ω²·(1 − cos ωt), twice the static value.
TEST(ResponseSpectrum, OfAStep) {
  const ResponseSpectrum s =
      response_spectrum(std::vector<double>(2001, 1.0), 0.01, {20.0 / 423, 20.0 / 37, 20.0 / 9}, 0);
  // Whole periods, so that the end finds the oscillators at rest; peaks lie between the samples.
  for (std::size_t k = 0; k < 3; ++k) {
    const double omega = 2 * pi / s.period[k];
    EXPECT_NEAR(s.displacement[k] * omega * omega, 2, 0.001) << s.period[k];
    EXPECT_NEAR(s.velocity[k] * omega, 1, 0.001);
    EXPECT_NEAR(s.pseudo_acceleration[k], s.acceleration[k], 1e-9);
  }
}

TEST(ResponseSpectrum, OfALongSineAtResonance) {
  // The steady state has 1/(2ζ) times the static displacement.
  const double period = 0.8;
  const auto a = [&](double t) { return std::sin(2 * pi * t / period); };
  const ResponseSpectrum s = response_spectrum(sampled(a, 0.002, 80), 0.002, {period}, 0.05);
  EXPECT_NEAR(s.pseudo_acceleration[0], 10, 0.01);
}

TEST(ResponseSpectrum, EndsAreThoseOfTheGround) {
  const auto a = [](double t) { return t < 1 ? std::sin(2 * pi * t) : 0.0; };
  const std::vector<double> motion = sampled(a, 0.01, 4);
  const Intensity i = intensity(motion, 0.01);
  const ResponseSpectrum s = response_spectrum(motion, 0.01, {0.005, 2000}, 0.05);
  EXPECT_NEAR(s.acceleration[0], i.pga, 0.01 * i.pga);  // stiff: moves with the ground
  EXPECT_NEAR(s.displacement[1], i.pgd, 0.02 * i.pgd);  // soft: stays where it was
}

}  // namespace
}  // namespace gusset

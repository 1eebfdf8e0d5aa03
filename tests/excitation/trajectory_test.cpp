#include "excitation/trajectory.hpp"
#include "excitation/noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/noise.hpp"
#include "build/experiment.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

std::vector<double> trajectory(const std::string& keys, double dt, std::int64_t steps) {
  const Document document = Document::parse("[trajectory]\n" + keys, "t.toml");
  const RecordLoader loader = [](const std::string&, const Where&) {
    return std::make_shared<const Record>(Record{"r", 0.5, {0, 2, -4, 1}});
  };
  std::vector<double> x = read_trajectory(document.section("trajectory"), loader, dt, steps).displacement;
  (void)trajectory_duration(document.section("trajectory"), loader);
  document.reject_unknown();
  return x;
}

TEST(Trajectory, SweepOfThePaper) {
  const double dt = 1.0 / 1024;
  const std::vector<double> x = trajectory(
      "kind = \"sweep\"\nfrom = \"0 Hz\"\nto = \"5 Hz\"\namplitude = \"25 mm\"\nduration = \"50 "
      "s\"\n",
      dt, 51200);
  // f(t) = t/10: 3.5 Hz at 35 s and 4.5 Hz at 45 s, as in Fig. 6; φ = 2π·t²/20.
  for (const double t : {0.0, 10.0, 35.25, 45.5}) {
    EXPECT_NEAR(x[static_cast<std::size_t>(t * 1024)], 0.025 * std::sin(2 * pi * t * t / 20), 1e-12);
  }
}

TEST(Trajectory, LogarithmicSweepEndsAtItsFrequency) {
  const std::vector<double> x = trajectory(
      "kind = \"sweep\"\ngrowth = \"logarithmic\"\nfrom = \"1 Hz\"\nto = \"10 Hz\"\namplitude = "
      "\"1 m\"\n"
      "duration = \"10 s\"\n",
      1e-3, 10000);
  // The last two upward zero crossings are a period of nearly 10 Hz apart.
  std::vector<double> crossings;
  for (std::size_t i = 1; i <= 10000; ++i) {
    if (x[i - 1] < 0 && x[i] >= 0) {
      crossings.push_back(static_cast<double>(i) - x[i] / (x[i] - x[i - 1]));
    }
  }
  EXPECT_NEAR(1e3 / (crossings.back() - crossings[crossings.size() - 2]), 9.8, 0.2);
}

TEST(Trajectory, StepsHoldTheirLevels) {
  const std::vector<double> x = trajectory(
      "kind = \"steps\"\nlevels = { values = [5, -5, 2], unit = \"mm\" }\nhold = \"1 s\"\nrise = "
      "\"0.1 s\"\n",
      0.01, 300);
  EXPECT_EQ(x[0], 0);
  EXPECT_NEAR(x[5], 0.0025, 1e-12);
  EXPECT_NEAR(x[50], 0.005, 1e-15);
  EXPECT_NEAR(x[105], 0, 1e-12);
  EXPECT_NEAR(x[150], -0.005, 1e-15);
  EXPECT_NEAR(x[299], 0.002, 1e-15);
}

TEST(Trajectory, NoiseHasItsRmsItsBandAndItsSeed) {
  const std::string keys =
      "kind = \"noise\"\nfrom = \"1 Hz\"\nto = \"4 Hz\"\nrms = \"5 mm\"\nduration = \"20 s\"\n";
  const std::vector<double> x = trajectory(keys, 0.01, 2000);
  double power = 0;
  for (std::size_t i = 0; i < 2000; ++i) power += x[i] * x[i] / 2000;
  EXPECT_NEAR(std::sqrt(power), 0.005, 1e-6);  // whole periods of every line
  // Nothing outside the band: at 0.5 Hz and 6 Hz the Fourier sums vanish.
  for (const double f : {0.5, 6.0}) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < 2000; ++i)
      sum += x[i] * std::polar(1.0, -2 * pi * f * 0.01 * static_cast<double>(i));
    EXPECT_LT(std::abs(sum), 1e-9);
  }
  EXPECT_EQ(trajectory(keys, 0.01, 2000), x);
  EXPECT_NE(trajectory(keys + "seed = 2\n", 0.01, 2000), x);
}

TEST(Trajectory, RecordIsScaledToItsPeak) {
  const std::vector<double> x =
      trajectory("kind = \"record\"\nrecord = \"r\"\namplitude = \"20 mm\"\n", 0.5, 3);
  EXPECT_NEAR(x[1], 0.01, 1e-15);
  EXPECT_NEAR(x[2], -0.02, 1e-15);
}

TEST(Noise, IsUniformAndDependsOnEverything) {
  double mean = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) mean += uniform(1, i) / 10000;
  EXPECT_NEAR(mean, 0.5, 0.02);
  EXPECT_NE(uniform(1, 2), uniform(2, 1));
  EXPECT_NE(uniform(1, 2), uniform(1, 3));
  EXPECT_NE(uniform(1, 2), uniform(2, 2));
}

TEST(Predefined, RefusesANumericalPart) {
  const Document document = Document::parse(
      "[method]\nkind = \"predefined\"\n[structure]\nmass = \"1 kg\"\n[rig]\ndt = \"1 ms\"\n"
      "[trajectory]\nkind = \"sweep\"\nto = \"5 Hz\"\namplitude = \"1 mm\"\nduration = \"1 s\"\n"
      "[specimen]\nkind = \"spring\"\nstiffness = \"1 N/m\"\n",
      "p.toml");
  try {
    (void)Experiment::build(document);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.cause().find("[structure]"), std::string::npos);
    EXPECT_EQ(error.where().line, 3);
  }
}

}  // namespace
}  // namespace gusset

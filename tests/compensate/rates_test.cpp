// The rate that a compensator announces is the rate of its command, while its parameters move too.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compensate/bench.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

constexpr double dt = 1.0 / 1024;

/// A smooth motion with its derivatives: of x'' at most, as an integrator gives them.
Command target_at(double t) {
  Command x;
  const double terms[][3] = {{0.02, 2 * pi, 0}, {4e-3, 2 * pi * 3.1, 0.7}};
  for (const auto& [a, w, p] : terms) {
    x.value += a * (std::sin(w * t + p) - std::sin(p));
    x.rate += a * w * std::cos(w * t + p);
    x.curvature -= a * w * w * std::sin(w * t + p);
  }
  return x;
}

struct Kind {
  const char* keys;
  bool differences = false;  ///< the command is known at its samples only
  bool adaptive = false;     ///< its rate jumps where something was learnt
};

const Kind kinds[] = {
    {"kind = \"inverse\"\nalpha = 12\n"},
    {"kind = \"polynomial\"\ndelay = \"12.3 ms\"\n"},
    {"kind = \"lagrange\"\ndelay = \"12 ms\"\norder = 3\n"},
    {"kind = \"dual\"\nalpha = 10\n"},
    {"kind = \"phase-lead\"\ndelay = \"12 ms\"\n"},
    {"kind = \"model-based\"\na1 = \"12 ms\"\na2 = \"60 ms^2\"\n"},
    {"kind = \"model-based\"\na1 = \"12 ms\"\na2 = \"60 ms^2\"\nderivatives = \"difference\"\n", true},
    {"kind = \"model-based\"\na1 = \"12 ms\"\nkp = 0.1\n", true},
    {"kind = \"adaptive-inverse\"\nalpha = 8\nkp = \"1e6 1/m^2\"\nki = \"1e6 1/(m^2*s)\"\n", false, true},
    {"kind = \"ats\"\ndelay = \"6 ms\"\nwindow = \"0.3 s\"\n", false, true},
    {"kind = \"ats\"\ndelay = \"6 ms\"\nwindow = \"0.3 s\"\nderivatives = \"difference\"\n", true, true},
    {"kind = \"amb\"\ndelay = \"6 ms\"\ngain = \"50 1/s\"\n", true, true},
    {"kind = \"rls-fir\"\ndelay = \"6 ms\"\n", false, true},
};

/// The commands for two seconds; the measured motion is 12 ms late, so there is much to learn.
std::vector<Command> commands_of(const std::string& keys) {
  Bench bench(keys, dt);
  std::vector<Command> commands;
  for (int k = 1; k < 2048; ++k) {
    commands.push_back(bench.command(target_at(k * dt)));
    bench.observe(target_at(std::max(0.0, k * dt - 12e-3)).value);
  }
  return commands;
}

/// Over each sub-step the command moves by what its rate and curvature say: also where parameters were just learnt.
TEST(CompensatorRates, AddUpToTheCommand) {
  for (const Kind& kind : kinds) {
    const std::vector<Command> u = commands_of(kind.keys);
    double fastest = 0, worst = 0, central = 0;
    // The first samples are those of a motion that begins with a jump of its velocity.
    for (std::size_t k = 60; k + 1 < u.size(); ++k) {
      fastest = std::max(fastest, std::abs(u[k].rate));
      const double mean = kind.differences ? u[k].rate : u[k].rate - 0.5 * dt * u[k].curvature;
      worst = std::max(worst, std::abs((u[k].value - u[k - 1].value) / dt - mean));
      central = std::max(central, std::abs((u[k + 1].value - u[k - 1].value) / (2 * dt) - u[k].rate));
    }
    // A third derivative by backward differences is half a sample late.
    EXPECT_LT(worst, 5e-3 * fastest) << kind.keys;
    // About a sample at which the parameters begin to move the mean of both sides is no derivative.
    if (!kind.adaptive) {
      EXPECT_LT(central, 0.02 * fastest) << kind.keys;
    }
  }
}

/// What was wrong: a rate that knows nothing of the parameters' motion.
TEST(CompensatorRates, WithoutTheParametersMotionTheyDoNot) {
  Bench bench("kind = \"ats\"\ndelay = \"6 ms\"\nwindow = \"0.3 s\"\n", dt);
  double last = 0, fastest = 0, worst = 0, curvature = 0;
  for (int k = 1; k < 2048; ++k) {
    const Command x = target_at(k * dt);
    const double before = curvature;
    curvature = x.curvature;
    const Command u = bench.command(x);
    bench.observe(target_at(std::max(0.0, k * dt - 12e-3)).value);
    const double* a = bench.results.data();
    const double frozen = a[0] * x.rate + a[1] * x.curvature + a[2] * (x.curvature - before) / dt;
    if (k > 20) {
      fastest = std::max(fastest, std::abs(u.rate));
      worst = std::max(worst, std::abs((u.value - last) / dt - frozen + 0.5 * dt * u.curvature));
    }
    last = u.value;
  }
  EXPECT_GT(worst, 0.02 * fastest);
}

/// ATS learns every 16 samples. Its command must not jump then; without slewing it does.
TEST(CompensatorRates, LearningDoesNotMakeTheCommandJump) {
  const auto largest_step = [](const std::string& keys) {
    const std::vector<Command> u = commands_of("kind = \"ats\"\nwindow = \"0.3 s\"\nrate = 0.05\n" + keys);
    double largest = 0;
    for (std::size_t k = 20; k < u.size(); ++k)
      largest = std::max(largest, std::abs(u[k].value - u[k - 1].value) / dt);
    return largest;
  };
  const double calm = largest_step("delay = \"12 ms\"\nfreeze = true\n");
  const double slewed = largest_step("delay = \"6 ms\"\n");
  const double jumping = largest_step("delay = \"6 ms\"\nslew = \"1 us\"\n");
  EXPECT_LT(slewed, 1.6 * calm);
  EXPECT_GT(jumping, 2 * calm);
}

}  // namespace
}  // namespace gusset

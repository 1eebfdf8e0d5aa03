#include "compensate/linear.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <complex>
#include <numbers>

#include "analysis/frequency_response.hpp"
#include "compensate/bench.hpp"

namespace gusset {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

std::string linear_acceleration(double tau, double beta, double gamma) {
  return "kind = \"linear-acceleration\"\ndelay = \"" + text(tau) + " s\"\nbeta = " + text(beta) +
         "\ngamma = " + text(gamma) + "\n";
}

/// Eq. 3.1 and 3.2 with v and a of Newmark's method, in the z domain, without Table 3.1:
///   V = Δt·A·(1 − γ + γz)/(z − 1),  (z − 1)X = Δt²·A·[(1 − γ + γz)/(z − 1) + ½ − β + βz]
Complex newmark_response(double tau, double beta, double gamma, double dt, Complex z) {
  const Complex rate = (1 - gamma + gamma * z) / (z - 1.0);
  const Complex a = (z - 1.0) / (dt * dt * (rate + 0.5 - beta + beta * z));
  const Complex v = dt * a * rate;
  const double h = dt + tau;
  const Complex predicted = a + h / dt * (a - a / z);
  return (1.0 + h * v + (0.5 - beta) * h * h * a + beta * h * h * predicted) / z;
}

TEST(LinearAcceleration, BlockHasTheCoefficientsOfThePaper) {
  const Experiment experiment = Experiment::build(
      tracking_test("kind = \"linear-acceleration\"\ndelay = \"35.15625 ms\"\n", "9.765625 ms"));
  const TransferFunction g = compensator_transfer_function(experiment, 0);
  ASSERT_EQ(g.order(), 2);
  EXPECT_NEAR(g.numerator()[0], 25.76 / 2, 1e-12);
  EXPECT_NEAR(g.numerator()[1], -40.32 / 2, 1e-12);
  EXPECT_NEAR(g.numerator()[2], 16.56 / 2, 1e-12);
  EXPECT_NEAR(g.denominator()[1], 0, 1e-12);
  EXPECT_NEAR(g.denominator()[2], 0, 1e-12);
}

TEST(LinearAcceleration, BlockHasTheCoefficientsOfTable31) {
  for (const auto& [tau, beta, gamma, dt] :
       {std::array{0.02, 0.25, 0.5, 0.01}, {0.03, 1.0 / 6, 0.5, 0.005}, {0.01, 0.3, 0.6, 0.01}}) {
    const Experiment experiment = Experiment::build(tracking_test(
        linear_acceleration(tau, beta, gamma), text(dt) + " s", "kind = \"ideal\"\n", text(dt) + " s"));
    const TransferFunction g = compensator_transfer_function(experiment, 0);
    const double d4 = 2 * beta * dt * dt * dt;
    ASSERT_EQ(g.order(), 4);
    EXPECT_NEAR(g.denominator()[1], (1 + 2 * gamma - 4 * beta) * dt * dt * dt / d4, 1e-10);
    EXPECT_NEAR(g.denominator()[2], (1 - 2 * gamma + 2 * beta) * dt * dt * dt / d4, 1e-10);
    const double n3 = (1 + 2 * gamma + 4 * beta) * dt * dt * dt + (1 + 6 * beta) * tau * tau * dt +
                      2 * (1 + gamma + 3 * beta) * tau * dt * dt + 2 * beta * tau * tau * tau;
    EXPECT_NEAR(g.numerator()[1], n3 / d4, 1e-9 * std::abs(n3 / d4));
    // And they are those of eq. 3.1 and 3.2, derived here without the table.
    for (const double angle : {0.1, 0.7, 1.9}) {
      const Complex z = std::polar(1.0, angle);
      EXPECT_LT(std::abs(g.at(z) - newmark_response(tau, beta, gamma, dt, z)), 1e-9 * std::abs(g.at(z)));
    }
  }
}

TEST(LinearAcceleration, ResponseIsThatOfItsEquationsForAnyParameters) {
  EXPECT_TRUE(rc::check("bode = eq. 3.1, 3.2", [] {
    const double tau = *rc::gen::inRange(0, 50) * 1e-3;
    const double beta = *rc::gen::inRange(0, 10) / 20.0;
    const double gamma = *rc::gen::inRange(8, 20) / 20.0;
    const double f = *rc::gen::inRange(1, 200) / 10.0;
    const double dt = 10.0 / 1024;
    const Experiment experiment =
        Experiment::build(tracking_test(linear_acceleration(tau, beta, gamma), "9.765625 ms"));
    const Complex own = frequency_response(channel_systems(experiment, 0), f).compensator;
    const Complex theory = newmark_response(tau, beta, gamma, dt, std::polar(1.0, 2 * pi * f * dt));
    RC_ASSERT(std::abs(own - theory) < 1e-9 * std::abs(theory));
  }));
}

struct Number {
  const char* keys;
  const char* dt;
  double magnitude, phase;
};

TEST(Chen2008, FrequencyResponsesAtFiveHertz) {
  for (const Number& n :
       {Number{"kind = \"linear-acceleration\"\ndelay = \"35.15625 ms\"\n", "9.765625 ms", 1.389, 71.9},
        Number{"kind = \"derivative-feedforward\"\nkp = 20\nti = \"5 s\"\nkff = \"0.71 s\"\n", "0.9765625 ms",
               1.504, 47.8},
        Number{"kind = \"inverse\"\nalpha = 36\n", "0.9765625 ms", 1.478, 46.6}}) {
    const Experiment experiment = Experiment::build(tracking_test(n.keys, n.dt));
    const Complex g = frequency_response(channel_systems(experiment, 0), 5).compensator;
    EXPECT_NEAR(std::abs(g), n.magnitude, 1e-3) << n.keys;
    EXPECT_NEAR(std::arg(g) * 180 / pi, n.phase, 0.05) << n.keys;
  }
}

TEST(Chen2008, Figure5OnTheSecondOrderActuator) {
  const std::string rig = "kind = \"second-order\"\nfrequency = \"16.36 Hz\"\ndamping_ratio = 1.807\n";
  const auto combined = [&](const char* keys, const char* dt, double f) {
    const Experiment experiment = Experiment::build(tracking_test(keys, dt, rig));
    return frequency_response(channel_systems(experiment, 0), f);
  };
  const auto decibel = [](Complex g) { return 20 * std::log10(std::abs(g)); };
  const auto degrees = [](Complex g) { return std::arg(g) * 180 / pi; };

  const char* linear = "kind = \"linear-acceleration\"\ndelay = \"35.15625 ms\"\n";
  const auto five = combined(linear, "9.765625 ms", 5);
  EXPECT_NEAR(decibel(five.plant), -3.1, 0.01);
  EXPECT_NEAR(degrees(five.plant), -50.6, 0.05);
  EXPECT_NEAR(decibel(five.combined), -0.24, 0.01);
  EXPECT_NEAR(degrees(five.combined), 21.3, 0.05);
  EXPECT_NEAR(decibel(combined(linear, "9.765625 ms", 3.5).combined), -0.9, 0.01);

  const auto forward = combined(
      "kind = \"derivative-feedforward\"\nkp = 20\nti = \"5 s\"\nkff = \"0.71 s\"\n", "0.9765625 ms", 5);
  EXPECT_NEAR(decibel(forward.combined), 0.45, 0.01);
  EXPECT_NEAR(degrees(forward.combined), -2.8, 0.05);
  const auto inverse = combined("kind = \"inverse\"\nalpha = 36\n", "0.9765625 ms", 5);
  EXPECT_NEAR(decibel(inverse.combined), 0.30, 0.01);
  EXPECT_NEAR(degrees(inverse.combined), -4.1, 0.05);
}

TEST(Chen2008, DifferenceEquationsStepByStep) {
  const double dt = 1.0 / 1024;
  // 3.3 with beta = 1/4, a few steps: its recursion is not stable, so rounding grows from there on.
  Bench linear(linear_acceleration(0.03, 0.25, 0.5), dt, 0.01);
  const double t = 0.03;
  const double h = 0.01;
  const double beta = 0.25;
  const double d[] = {2 * beta * h * h * h, (2 - 4 * beta) * h * h * h, 2 * beta * h * h * h};
  const double n[] = {
      0,
      (2 + 4 * beta) * h * h * h + (1 + 6 * beta) * t * t * h + 2 * (1.5 + 3 * beta) * t * h * h +
          2 * beta * t * t * t,
      -10 * beta * h * h * h - 2 * (1 + 9 * beta) * t * t * h - 2 * (2 + 9 * beta) * t * h * h -
          6 * beta * t * t * t,
      8 * beta * h * h * h + 2 * (0.5 + 9 * beta) * t * h * h + (1 + 18 * beta) * t * t * h +
          6 * beta * t * t * t,
      -2 * beta * h * h * h - 6 * beta * t * h * h - 6 * beta * t * t * h - 2 * beta * t * t * t};
  std::vector<double> x(4, 0.0);
  std::vector<double> p(4, 0.0);
  for (int k = 0; k < 40; ++k) {
    x.push_back(0.025 * std::sin(0.3 * k));
    const std::size_t i = x.size() - 1;
    double next = 0;
    for (std::size_t j = 0; j < 5; ++j) next += n[j] / d[0] * x[i - j];
    next -= d[1] / d[0] * p[i - 1] + d[2] / d[0] * p[i - 2];
    p.push_back(next);
    EXPECT_NEAR(linear.follow(x.back()), next, 1e-9 * (1 + std::abs(next)));
  }
  // 3.7 (with the δt that print lost) and 3.11.
  Bench forward("kind = \"derivative-feedforward\"\nkp = 20\nti = \"5 s\"\nkff = \"0.71 s\"\n");
  Bench inverse("kind = \"inverse\"\nalpha = 36\n");
  const double kp = 20;
  const double ti = 5;
  const double kff = 0.71;
  double x1 = 0;
  double x2 = 0;
  double p1 = 0;
  for (int k = 0; k < 2000; ++k) {
    const double now = 0.025 * std::sin(0.02 * k + 1e-5 * k * k);
    const double predicted =
        ((kp * dt + kp * dt * dt / ti + kff) * now - (2 * kff + kp * dt) * x1 + kff * x2 + kp * dt * p1) /
        (kp * dt * (1 + dt / ti));
    EXPECT_NEAR(forward.follow(now), predicted, 1e-12);
    EXPECT_NEAR(inverse.follow(now), 36 * now - 35 * x1, 1e-14);
    x2 = x1;
    x1 = now;
    p1 = predicted;
  }
}

const char* const delay_free[] = {
    "kind = \"linear-acceleration\"\ndelay = \"0 s\"\n",
    "kind = \"derivative-feedforward\"\nkp = 20\nti = \"5 s\"\nkff = \"0 s\"\n",
    "kind = \"inverse\"\nalpha = 1\n",
    "kind = \"polynomial\"\ndelay = \"0 s\"\norder = 2\n",
    "kind = \"polynomial\"\ndelay = \"0 s\"\n",
    "kind = \"lagrange\"\ndelay = \"0 s\"\norder = 3\n",
    "kind = \"phase-lead\"\ndelay = \"0 s\"\n",
    "kind = \"dual\"\nalpha = 1\n",
    "kind = \"model-based\"\n",
    "kind = \"adaptive-inverse\"\nalpha = 1\nfreeze = true\n",
    "kind = \"ats\"\ndelay = \"0 s\"\nfreeze = true\n",
    "kind = \"amb\"\ndelay = \"0 s\"\nfreeze = true\n",
    "kind = \"rls-fir\"\ndelay = \"0 s\"\nfreeze = true\n",
};

TEST(Compensators, PassTheTargetThroughAtZeroDelay) {
  for (const char* keys : delay_free) {
    EXPECT_TRUE(rc::check(keys, [&] {
      Bench bench(keys);
      for (const int value : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1000, 1000))) {
        const double x = 1e-4 * value;
        RC_ASSERT(std::abs(bench.follow(x) - x) <= 1e-11);
        bench.observe(0.9 * x);
      }
    }));
  }
}

const char* const linear_ones[] = {
    "kind = \"linear-acceleration\"\ndelay = \"20 ms\"\n",
    "kind = \"derivative-feedforward\"\nkp = 20\nti = \"5 s\"\nkff = \"0.5 s\"\n",
    "kind = \"inverse\"\nalpha = 12\n",
    "kind = \"polynomial\"\ndelay = \"3.7 ms\"\n",
    "kind = \"lagrange\"\ndelay = \"12 ms\"\n",
    "kind = \"phase-lead\"\ndelay = \"12 ms\"\nlag = \"3 ms\"\n",
    "kind = \"dual\"\nalpha = 12\nalpha_force = 3\n",
    "kind = \"pi-lead\"\nkp = 1\nki = \"10 1/s\"\nb0 = \"100 1/s\"\nb1 = 2\n",
    "kind = \"model-based\"\na1 = \"10 ms\"\na2 = \"5e-5 s^2\"\na3 = \"1e-7 s^3\"\nki = \"2 "
    "1/s\"\n",
    "kind = \"smith\"\nfrequency = \"16 Hz\"\ndamping_ratio = 0.7\ndelay = \"5.5 ms\"\nkp = 1\n",
};

TEST(Compensators, LinearOnesSuperpose) {
  for (const char* keys : linear_ones) {
    EXPECT_TRUE(rc::check(keys, [&] {
      Bench one(keys);
      Bench other(keys);
      Bench both(keys);
      const auto values = *rc::gen::container<std::vector<std::pair<int, int>>>(
          rc::gen::pair(rc::gen::inRange(-1000, 1000), rc::gen::inRange(-1000, 1000)));
      for (const auto& [a, b] : values) {
        const double x = 1e-4 * a;
        const double y = 1e-4 * b;
        const double sum = one.follow(x) - 2 * other.follow(y);
        RC_ASSERT(std::abs(both.follow(x - 2 * y) - sum) < 1e-9 * (1 + std::abs(sum)));
        one.observe(y, x);
        other.observe(x, y);
        both.observe(y - 2 * x, x - 2 * y);
        if (one.get()->signals().size() == 1) {
          RC_ASSERT(std::abs(both.results[0] - one.results[0] + 2 * other.results[0]) < 1e-9);
        }
      }
    }));
  }
}

TEST(Compensators, SineThroughTheBlockHasTheAnalyticResponse) {
  const double f = 3.5;
  for (const char* keys :
       {"kind = \"inverse\"\nalpha = 36\n", "kind = \"phase-lead\"\ndelay = \"20 ms\"\nlag = \"5 ms\"\n",
        "kind = \"derivative-feedforward\"\nkp = 20\nti = \"0.1 s\"\nkff = \"0.5 s\"\n",
        "kind = \"linear-acceleration\"\ndelay = \"35.15625 ms\"\n",
        "kind = \"lagrange\"\ndelay = \"20 ms\"\n"}) {
    const Experiment experiment = Experiment::build(tracking_test(keys, "9.765625 ms"));
    const Complex g = frequency_response(channel_systems(experiment, 0), f).compensator;
    Bench bench(keys);
    const double dt = bench.get()->per_step() ? 10.0 / 1024 : 1.0 / 1024;
    for (int k = 0; k < 6000; ++k) {
      const Complex sine = std::polar(1.0, 2 * pi * f * dt * k);
      const double u = bench.follow(sine.imag());
      if (k > 4000) {
        EXPECT_NEAR(u, (g * sine).imag(), 1e-9) << keys;
      }
    }
  }
}

TEST(Compensators, VelocityIsTheDerivativeOfTheCommand) {
  // A target of constant acceleration: every linear compensator keeps it one, once its history is.
  for (const char* keys : {"kind = \"inverse\"\nalpha = 5\n", "kind = \"polynomial\"\ndelay = \"2.3 ms\"\n",
                           "kind = \"model-based\"\na1 = \"10 ms\"\na2 = \"5e-5 s^2\"\n"}) {
    Bench bench(keys);
    const double dt = 1.0 / 1024;
    Command last;
    for (int k = 0; k < 100; ++k) {
      const double t = k * dt;
      const Command u = bench.command({1.5 * t * t, 3 * t, 3});
      if (k > 20) {
        EXPECT_NEAR(u.curvature, 3, 1e-9);
        EXPECT_NEAR(u.value - last.value, 0.5 * dt * (u.rate + last.rate), 1e-12);
      }
      last = u;
    }
  }
}

}  // namespace
}  // namespace gusset

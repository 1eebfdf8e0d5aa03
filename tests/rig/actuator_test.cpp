// Linear actuators and plants given by the user, against closed forms.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <complex>

#include "analysis/frequency_response.hpp"
#include "analysis/transfer_function.hpp"
#include "base/balance.hpp"
#include "rig/benches.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using std::numbers::pi;
using test::Bench;
using Complex = std::complex<double>;

struct OilColumn {
  const char* set;
  double area, volume, bulk_modulus, leakage, mass;
  double specimen;  ///< [kg]
  double quoted;    ///< [Hz]; 0: nowhere
};

class OilColumns : public testing::TestWithParam<OilColumn> {};

TEST_P(OilColumns, FrequencyAndDamping) {
  const OilColumn& p = GetParam();
  // No control at all: what is left is oil, mass and leakage.
  const Bench bench(std::string("kind = \"shake-table\"\nparameters = \"") + p.set + "\"\ndt = \"0.25 ms\"",
                    "kind = \"mass\"\nmass = \"300 kg\"", "",
                    {test::assign("specimen.mass", p.specimen, "kg"), "rig.kp=0 V/m", "rig.kd=0 V*s/m",
                     "rig.kff=0 V*s/m", "rig.kdp=0 V/Pa", "rig.damping=0 N*s/m", "rig.delay=0 s"});
  const double mass = p.mass + p.specimen;
  const double omega = std::sqrt(4 * p.bulk_modulus * p.area * p.area / (p.volume * mass));
  const double zeta = p.leakage / p.area * std::sqrt(p.bulk_modulus * mass / p.volume);
  const StateSpace plant = channel_systems(bench.experiment(), 0).plant;
  Eigen::MatrixXd a = plant.a;
  balance(a);
  const auto values = Eigen::EigenSolver<Eigen::MatrixXd>(a).eigenvalues();
  double nearest = 1e9, hertz = 0;
  for (const Complex& value : values) {
    if (std::abs(value) < 1e-9) continue;
    const Complex s = std::log(value) / bench.dt();
    const Complex wanted = omega * Complex(-zeta, std::sqrt(1 - zeta * zeta));
    if (std::abs(s - wanted) / omega > nearest) continue;
    nearest = std::abs(s - wanted) / omega;
    hertz = std::abs(s) / (2 * pi);
  }
  EXPECT_LT(nearest, 1e-8);
  if (p.quoted > 0) {
    EXPECT_NEAR(hertz, p.quoted, 0.05);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sets, OilColumns,
    testing::Values(OilColumn{"rice-like", 51e-4, 1.38e-3, 6.9e8, 4.09e-11, 400, 1e-3, 57.4},
                    OilColumn{"rice-like", 51e-4, 1.38e-3, 6.9e8, 4.09e-11, 400, 300, 43.4},
                    OilColumn{"lnec", 0.012456, 2.659e-3, 1.937e8, 1.674e-10, 1975.1, 1e-3, 24.1},
                    OilColumn{"tsinghua", 0.011, 2.662e-3, 7e8, 6.06e-11, 6000, 300, 0}));

TEST(ServoRig, VelocityErrorLag) {
  struct Case {
    const char *kp, *kff;
    double lag;
  };
  // (1 − G·Kff)/(G·Kp) with G = 0.8 (m/s)/V.
  for (const Case& c : {Case{"197 V/m", "0 V*s/m", 1 / (0.8 * 197)},
                        Case{"197 V/m", "1.2 V*s/m", (1 - 0.8 * 1.2) / (0.8 * 197)},
                        Case{"80 V/m", "0.5 V*s/m", (1 - 0.8 * 0.5) / (0.8 * 80)}}) {
    const Bench bench("kind = \"shake-table\"\ndt = \"1 ms\"", "kind = \"mass\"\nmass = \"300 kg\"", "",
                      {std::string("rig.kp=") + c.kp, std::string("rig.kff=") + c.kff});
    const ChannelSystems systems = channel_systems(bench.experiment(), 0);
    const double f = 0.02;
    const double lag = -std::arg(frequency_response(systems, f).plant) / (2 * pi * f);
    EXPECT_NEAR(lag, c.lag, 0.005 * c.lag);
  }
}

Complex identified(double f) {
  const Complex s(0, 2 * pi * f);
  return 1.730e7 / ((s + 182.7) * (s * s + 225.3 * s + 9.499e4));
}

TEST(TransferRig, IdentifiedLoops) {
  const Bench bench("kind = \"transfer-function\"\nparameters = \"third-order-a\"\ndt = \"0.244140625 ms\"",
                    "kind = \"spring\"\nstiffness = \"1 kN/m\"");
  const ChannelSystems systems = channel_systems(bench.experiment(), 0);
  for (const double f : {0.1, 1.0, 10.0, 30.0, 60.0}) {
    const Complex plant = frequency_response(systems, f).plant;
    // Linear interpolation between samples costs (ωT)²/12.
    const double w = 2 * pi * f * bench.dt();
    EXPECT_LT(std::abs(plant - identified(f)), w * w / 10 + 1e-9) << f;
  }
}

TEST(ServoRig, CarrionSpencerIsTheIdentifiedLoop) {
  const Bench bench("kind = \"actuator\"\nparameters = \"carrion-spencer\"\ndt = \"0.05 ms\"",
                    "kind = \"spring\"\nstiffness = \"13.4926 kN/m\"");
  const ChannelSystems systems = channel_systems(bench.experiment(), 0);
  for (const double f : {0.1, 1.0, 10.0, 30.0}) {
    // A digital controller 20 000 times a second is nearly an analogue one.
    EXPECT_LT(std::abs(frequency_response(systems, f).plant - identified(f)), 0.01) << f;
  }
}

constexpr const char* small_rig = R"(
kind = "blocks"
gain = 1.0
b0 = 2.1e13
b1 = 430
b2 = 1.0e5
a2 = 4.2e6
a3 = 3.3
dt = "0.244140625 ms"
)";
constexpr const char* small_specimen =
    "kind = \"sum\"\nparts = [{ kind = \"mass\", mass = \"29 kg\" }, { kind = \"dashpot\", damping = "
    "\"115 N*s/m\" }, { kind = \"spring\", stiffness = \"1.2 kN/mm\" }]";

/// (s² + b1 s + b2)((s + a3)(m s² + c s + k) + a2 s) + b0
std::vector<double> small_denominator() {
  std::vector<double> inner = multiply({1, 3.3}, {29, 115, 1.2e6});
  inner[2] += 4.2e6;
  std::vector<double> all = multiply({1, 430, 1e5}, inner);
  all.back() += 2.1e13;
  return all;
}

TEST(BlocksRig, ClosedForm) {
  const Bench bench(small_rig, small_specimen);
  const ChannelSystems systems = channel_systems(bench.experiment(), 0);
  const ContinuousTransferFunction wanted{{2.1e13}, small_denominator()};
  for (const double f : {0.1, 1.0, 10.0, 30.0, 100.0}) {
    const double w = 2 * pi * f * bench.dt();
    EXPECT_LT(std::abs(frequency_response(systems, f).plant - wanted.response(f)), w * w / 10 + 1e-9) << f;
  }
}

TEST(BlocksRig, SameAsItsTransferFunction) {
  Bench blocks(small_rig, small_specimen);
  std::string list;
  for (const double c : small_denominator()) list += (list.empty() ? "" : ", ") + std::to_string(c);
  Bench transfer("kind = \"transfer-function\"\nnumerator = [2.1e13]\ndenominator = [" + list +
                     "]\ndt = \"0.244140625 ms\"",
                 small_specimen);
  double peak = 0;
  double force = 0;
  for (int i = 1; i < 4000; ++i) {
    const double t = i * blocks.dt();
    const double x = 1e-3 * std::sin(2 * pi * 7 * t * t);
    blocks.follow(x, 0, 0);
    transfer.follow(x, 0, 0);
    peak = std::max(peak, std::abs(blocks.value("measured")));
    force = std::max(force, std::abs(blocks.value("force")));
    ASSERT_NEAR(blocks.value("measured"), transfer.value("measured"), 1e-10);
    ASSERT_NEAR(blocks.value("force"), transfer.value("force"), 1e-3);
  }
  EXPECT_GT(peak, 9e-4);
  EXPECT_GT(force, 1000);
}

TEST(BlocksRig, ForceDelay) {
  Bench prompt(small_rig, small_specimen);
  Bench sample(small_rig, small_specimen, "", {"rig.force_delay=1"});
  Bench part(small_rig, small_specimen, "", {"rig.force_delay=0.06103515625 ms"});  // a quarter
  double last = 0;
  for (int i = 1; i < 500; ++i) {
    const double x = 1e-3 * std::sin(2 * pi * 10 * i * prompt.dt());
    for (Bench* bench : {&prompt, &sample, &part}) bench->follow(x, 0, 0);
    const double now = prompt.value("force");
    ASSERT_EQ(sample.value("force"), last);
    ASSERT_NEAR(part.value("force"), 0.75 * now + 0.25 * last, 1e-9);
    last = now;
  }
  EXPECT_NE(last, 0);
}

TEST(TransferRig, DelayOfAFractionOfAStep) {
  // With a delay the command is simply read earlier: sample by sample linear.
  const char* rig = "kind = \"transfer-function\"\nnumerator = [1]\ndenominator = [1]\ndt = \"1 ms\"";
  Bench late(rig, "kind = \"spring\"\nstiffness = \"1 kN/m\"", "", {"rig.delay=2.3 ms"});
  std::vector<double> commands(3, 0.0);
  for (int i = 0; i < 100; ++i) {
    commands.push_back(1e-3 * std::sin(0.3 * i));
    late.follow(commands.back(), 0, 0);
    const std::size_t k = commands.size() - 1;
    ASSERT_NEAR(late.value("measured"), 0.7 * commands[k - 2] + 0.3 * commands[k - 3], 1e-15);
  }
}

/// A specimen that is linear in truth but not by declaration goes the way of nonlinear ones.
TEST(Mechanics, NonlinearWayAgreesWithTheExactOne) {
  for (const char* rig : {"kind = \"shake-table\"\ndt = \"1 ms\"", small_rig,
                          "kind = \"actuator\"\nparameters = \"lnec\"\ndt = \"1 ms\""}) {
    const std::string mass = "{ kind = \"mass\", mass = \"30 kg\" }";
    Bench exact(rig,
                "kind = \"sum\"\nparts = [" + mass + ", { kind = \"viscous\", damping = \"20 kN*s/m\" }]");
    Bench pieces(rig, "kind = \"sum\"\nparts = [" + mass +
                          ", { kind = \"viscous\", damping = \"20 kN*(s/m)^1.0000001\", exponent = "
                          "1.0000001 }]");
    EXPECT_TRUE(exact.experiment().affine());
    EXPECT_FALSE(pieces.experiment().affine());
    double error = 0;
    double peak = 0;
    for (int i = 1; i < 1000; ++i) {
      const double t = i * exact.dt();
      const double w = 2 * pi * 5;
      for (Bench* bench : {&exact, &pieces}) {
        bench->follow(1e-3 * std::sin(w * t), 1e-3 * w * std::cos(w * t), -1e-3 * w * w * std::sin(w * t));
      }
      error = std::max(error, std::abs(exact.value("measured") - pieces.value("measured")));
      peak = std::max(peak, std::abs(exact.value("measured")));
    }
    EXPECT_LT(error, 1e-3 * peak) << rig;
  }
}

TEST(Plants, StepKeepsItsPromises) {
  for (const std::string& rig :
       {std::string(small_rig),
        std::string("kind = \"actuator\"\nparameters = \"tsinghua\"\ndt = \"0.3 ms\""),
        std::string("kind = \"transfer-function\"\nparameters = \"third-order-b\"\ndelay = \"1.1 ms\"\ndt "
                    "= \"0.5 ms\"")}) {
    for (const std::string& specimen :
         {std::string(small_specimen),
          std::string("kind = \"sum\"\nparts = [{ kind = \"mass\", mass = \"29 kg\" }, { kind = "
                      "\"bilinear\", stiffness = \"1 kN/mm\", yield_force = \"100 N\" }]")}) {
      const auto loop = [&] {
        return test::loop_of(
            make_test(test::document("duration = \"1 s\"\n[structure]\nmass = \"20 t\"\nfrequency = \"1 "
                                     "Hz\"\n[initial]\ndisplacement = \"1 cm\"\n[integrator]\ndt = \"9 "
                                     "ms\"\n[specimen]\n" +
                                         specimen + "\n[rig]\n" + rig,
                                     {"rig.force_delay=1", "rig.dt=0.3 ms"}),
                      {}));
      };
      EXPECT_FALSE(test::has_hidden_state(loop, 40));
      EXPECT_FALSE(test::allocates(loop(), 40));
    }
  }
}

}  // namespace
}  // namespace gusset

#include "analysis/transfer_function.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <numbers>

#include "analysis/frequency_response.hpp"
#include "build/test.hpp"
#include "compensate/bench.hpp"
#include "support/recorded.hpp"

namespace gusset {
namespace {

using Complex = std::complex<double>;
using std::numbers::pi;

TEST(TransferFunction, FirstOrderLagByEachHold) {
  const double T = 0.05;
  const double dt = 0.01;
  const ContinuousTransferFunction lag{{1}, {T, 1}};
  const double e = std::exp(-dt / T);
  const TransferFunction held = lag.discretize(Hold::zero_order, dt);
  EXPECT_NEAR(held.numerator()[0], 0, 1e-15);
  EXPECT_NEAR(held.numerator()[1], 1 - e, 1e-14);
  EXPECT_NEAR(held.denominator()[1], -e, 1e-14);
  const TransferFunction linear = lag.discretize(Hold::first_order, dt);
  EXPECT_NEAR(linear.numerator()[0], 1 - T / dt * (1 - e), 1e-14);
  EXPECT_NEAR(linear.numerator()[1], T / dt * (1 - e) - e, 1e-14);
  const TransferFunction tustin = lag.discretize(Hold::tustin, dt);
  EXPECT_NEAR(tustin.numerator()[0], dt / (dt + 2 * T), 1e-14);
  EXPECT_NEAR(tustin.denominator()[1], (dt - 2 * T) / (dt + 2 * T), 1e-14);
  for (const TransferFunction& g : {held, linear, tustin}) EXPECT_NEAR(std::abs(g.at(1.0)), 1, 1e-13);
}

TEST(TransferFunction, PolesOfAHoldAreThoseOfThePlant) {
  // A third-order plant of hydraulics.md.
  const ContinuousTransferFunction plant{{1.730e7}, multiply({1, 182.7}, {1, 225.3, 9.499e4})};
  const double dt = 1e-3;
  for (const Hold hold : {Hold::zero_order, Hold::first_order}) {
    const TransferFunction g = plant.discretize(hold, dt);
    for (const Complex& s : plant.poles()) {
      double nearest = 1;
      for (const Complex& z : g.poles()) nearest = std::min(nearest, std::abs(z - std::exp(s * dt)));
      EXPECT_LT(nearest, 1e-9);
    }
    EXPECT_TRUE(g.stable());
    // Well below the Nyquist frequency the discrete response is the continuous one; the staircase of a
    // zero-order hold is half a step late.
    const double late = hold == Hold::zero_order ? 0.5 * dt : 0;
    const Complex expected = plant.response(5) * std::polar(1.0, -2 * pi * 5 * late);
    EXPECT_LT(std::abs(g.response(5) - expected), 2e-4);
  }
}

TEST(TransferFunction, SeriesAndFeedback) {
  const double dt = 0.01;
  const TransferFunction a({0.2}, {1, -0.8}, dt);
  const TransferFunction b({2, -1}, {1, 0.5}, dt);
  for (const double f : {0.5, 7.0, 31.0}) {
    EXPECT_LT(std::abs(a.series(b).response(f) - a.response(f) * b.response(f)), 1e-13);
    const Complex loop = a.response(f) / (1.0 + a.response(f) * b.response(f));
    EXPECT_LT(std::abs(a.feedback(b).response(f) - loop), 1e-13);
  }
  ASSERT_EQ(b.zeros().size(), 1U);
  EXPECT_NEAR(b.zeros()[0].real(), 0.5, 1e-14);
  EXPECT_NEAR(b.poles()[0].real(), -0.5, 1e-14);
  EXPECT_THROW((void)a.series(TransferFunction::gain(1, 0.02)), std::invalid_argument);
  EXPECT_THROW(TransferFunction({1, 0, 0}, {1, 0}, dt), std::invalid_argument);
}

TEST(TransferFunction, PureDelay) {
  const TransferFunction whole = TransferFunction::delay(0.03, 0.01);
  EXPECT_EQ(whole.order(), 3);
  EXPECT_LT(std::abs(whole.response(11) - std::polar(1.0, -2 * pi * 11 * 0.03)), 1e-12);
  const TransferFunction part = TransferFunction::delay(0.025, 0.01);
  EXPECT_EQ(part.run({0, 1, 2, 3, 4, 5}), (std::vector<double>{0, 0, 0, 0.5, 1.5, 2.5}));
}

TEST(TransferFunction, DifferenceEquationHasTheFrequencyResponse) {
  const TransferFunction g({0.1, 0.3, -0.2}, {1, -1.2, 0.5}, 0.01);
  std::vector<double> input;
  for (int k = 0; k < 2000; ++k) input.push_back(std::sin(2 * pi * 4 * 0.01 * k));
  const std::vector<double> output = g.run(input);
  for (std::size_t k = 1500; k < 2000; ++k) {
    const Complex expected = g.response(4) * std::polar(1.0, 2 * pi * 4 * 0.01 * static_cast<double>(k));
    EXPECT_NEAR(output[k], expected.imag(), 1e-10);
  }
}

TEST(TransferFunction, FromAStateSpaceAndBack) {
  EXPECT_TRUE(rc::check("coefficients survive", [] {
    const auto a = *rc::gen::container<std::vector<int>>(3, rc::gen::inRange(-30, 30));
    const auto b = *rc::gen::container<std::vector<int>>(4, rc::gen::inRange(1, 50));
    StateSpace s;
    s.dt = 0.01;
    s.a = Eigen::MatrixXd::Zero(3, 3);
    s.b = Eigen::MatrixXd::Zero(3, 1);
    s.c = Eigen::MatrixXd::Zero(1, 3);
    s.d = Eigen::MatrixXd::Constant(1, 1, 0.01 * b[0]);
    s.b(0, 0) = 1;
    for (int i = 0; i < 3; ++i) {
      s.a(0, i) = -0.01 * a[static_cast<std::size_t>(i)];
      s.c(0, i) = 0.01 * b[static_cast<std::size_t>(i) + 1];
      if (i > 0) s.a(i, i - 1) = 1;
    }
    const TransferFunction g = TransferFunction::from(s);
    const Complex theory = s.response(13)(0, 0);
    RC_ASSERT(std::abs(g.response(13) - theory) < 1e-9 * (1 + std::abs(theory)));
  }));
}

TEST(SecondOrderRig, IsItsTransferFunctionWithAFirstOrderHold) {
  const double w = 2 * pi * 16.36;
  const double zeta = 1.807;
  const double dt = 1.0 / 1024;
  const TransferFunction theory =
      ContinuousTransferFunction{{w * w}, {1, 2 * zeta * w, w * w}}.discretize(Hold::first_order, dt);
  const Document document =
      tracking_test("kind = \"none\"\n", "0.9765625 ms",
                    "kind = \"second-order\"\nfrequency = \"16.36 Hz\"\ndamping_ratio = 1.807\n");
  const TransferFunction own = TransferFunction::from(channel_systems(Experiment::build(document), 0).plant);
  ASSERT_EQ(own.order(), 2);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(own.numerator()[i], theory.numerator()[i], 1e-13);
    EXPECT_NEAR(own.denominator()[i], theory.denominator()[i], 1e-12);
  }
}

TEST(SecondOrderRig, DelayIsExactForFractionsOfAStep) {
  // 3 ms in steps of 2 ms equals 3 ms in steps of 1 ms for a command that is linear over 2 ms.
  const auto last_of = [](const char* rig_dt, const char* delay) {
    const Document document = Document::parse(
        std::string("[method]\nkind = \"predefined\"\nprofile = \"ramp\"\n[trajectory]\nkind = \"sweep\"\n"
                    "to = \"5 Hz\"\namplitude = \"25 mm\"\nduration = \"1 s\"\n[integrator]\ndt = \"2 "
                    "ms\"\n"
                    "[specimen]\nkind = \"spring\"\nstiffness = \"1 N/mm\"\n[rig]\nkind = "
                    "\"second-order\"\n"
                    "frequency = \"16 Hz\"\ndamping_ratio = 0.5\ndt = \"") +
            rig_dt + "\"\ndelay = \"" + delay + "\"\n",
        "delay.toml");
    const auto tested = make_test(document);
    const Experiment& experiment = *tested.experiment;
    State state = tested.start().state;
    test::Recorded output(experiment);
    for (int i = 0; i < 400; ++i) output.step(state, tested.input(i));
    return output.rows[output.rows.size() - 2];
  };
  EXPECT_NEAR(last_of("2 ms", "3 ms"), last_of("1 ms", "3 ms"), 1e-15);
  EXPECT_NE(last_of("2 ms", "3 ms"), last_of("1 ms", "2 ms"));
}

}  // namespace
}  // namespace gusset

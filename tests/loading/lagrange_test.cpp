// Prediction and correction of the command when the numerical part is slower than the rig.

#include "loading/lagrange.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "analysis/analysis.hpp"
#include "base/error.hpp"
#include "support/documents.hpp"
#include "support/recorded.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using namespace test;

/// The step from t = i to i + 1 of targets given by a function.
LagrangeStep step_of(int order, const std::function<double(double)>& x, double i, double dt = 1) {
  const auto p = [&](double k) { return x((i - k) * dt) - x((i - k - 1) * dt); };
  return LagrangeStep::of(order, x(i * dt), p(-1), p(0), p(1), p(2));
}

TEST(Lagrange, IsExactForPolynomialsOfItsOrder) {
  for (int order = 1; order <= 3; ++order) {
    const auto x = [&](double t) {
      double sum = 0.3 - 1.2 * t;
      if (order > 1) sum += 0.7 * t * t;
      if (order > 2) sum -= 0.4 * t * t * t;
      return sum;
    };
    const LagrangeStep step = step_of(order, x, 5);
    for (double e = 0; e <= 1; e += 0.125) {
      EXPECT_NEAR(step.predicted(e), x(5 + e), 1e-12) << order;
      EXPECT_NEAR(step.corrected(e, 0.5), x(5 + e), 1e-12) << order;
    }
  }
}

/// In Lagrange's form, with s1 the newest target.
TEST(Lagrange, PredictsAsWrittenOutByHand) {
  const auto x = [](double t) { return std::sin(1.3 * t) + 0.1 * t * t * t * t; };
  const double s1 = x(4), s2 = x(3), s3 = x(2), s4 = x(1);
  for (const double e : {0.1, 0.5, 0.9}) {
    EXPECT_NEAR(step_of(1, x, 4).predicted(e), s1 * (1 + e) - s2 * e, 1e-13);
    EXPECT_NEAR(step_of(2, x, 4).predicted(e),
                s1 * (1 + e) * (2 + e) / 2 - s2 * e * (2 + e) + s3 * e * (1 + e) / 2, 1e-13);
    EXPECT_NEAR(step_of(3, x, 4).predicted(e),
                s1 * (1 + e) * (2 + e) * (3 + e) / 6 - s2 * e * (2 + e) * (3 + e) / 2 +
                    s3 * e * (1 + e) * (3 + e) / 2 - s4 * e * (1 + e) * (2 + e) / 6,
                1e-13);
  }
}

TEST(Lagrange, CommandIsContinuousAndEndsOnTheTarget) {
  const auto x = [](double t) { return std::sin(0.9 * t); };
  const int substeps = 8;
  for (int order = 1; order <= 3; ++order) {
    for (int late = 0; late < substeps; ++late) {
      double last = x(3);
      for (int k = 0; k < substeps; ++k) {
        const Piece piece = step_of(order, x, 3).piece(k, late, substeps, 0.02);
        Command start, end;
        const double h = 0.02 / substeps;
        start = evaluate(piece, k * h, h);
        end = evaluate(piece, (k + 1) * h, h);
        EXPECT_NEAR(start.value, last, 1e-14) << order << " " << late << " " << k;
        last = end.value;
      }
      EXPECT_NEAR(last, x(4), 1e-14);
    }
  }
}

/// A sub-step's velocity and acceleration are those of the polynomial, to the order of its length.
TEST(Lagrange, PieceCarriesTheCurvature) {
  const auto x = [](double t) { return 2 * t * t; };
  const double dt = 0.02;
  const Piece piece = step_of(2, x, 3, dt).piece(2, 4, 8, dt);
  Command command;
  command = evaluate(piece, 3 * dt / 8, dt / 8);
  EXPECT_NEAR(command.rate, 4 * (3 * dt + 3 * dt / 8), 1e-11);
  EXPECT_NEAR(command.curvature, 4, 1e-8);
}

TEST(Lagrange, ErrorFallsWithThePowerOfItsOrder) {
  const auto worst = [](int order, double dt, bool correct) {
    const auto x = [](double t) { return std::sin(t); };
    double largest = 0;
    for (int i = 0; i * dt < 7; ++i) {
      const LagrangeStep step = step_of(order, x, i, dt);
      for (double e = 0.125; e < 1; e += 0.125) {
        const double value = correct ? step.corrected(e, 0.5) : step.predicted(e);
        largest = std::max(largest, std::abs(value - x((i + e) * dt)));
      }
    }
    return largest;
  };
  for (int order = 1; order <= 3; ++order) {
    for (const bool correct : {false, true}) {
      const double slope = std::log2(worst(order, 0.04, correct) / worst(order, 0.02, correct));
      EXPECT_NEAR(slope, order + 1, 0.1) << order;
    }
  }
}

/// Two channels, one of them across a storey, on rigs eight times faster than the integrator.
constexpr const char* file = R"(
duration = "2 s"
[structure]
mass = { values = [2, 1.5], unit = "t" }
stiffness = { values = [1800, 1500], unit = "kN/m" }
damping = { values = [6, 5], unit = "kN*s/m" }
[initial]
displacement = { values = [1, 3], unit = "mm" }
velocity = { values = [20, -10], unit = "mm/s" }
[method]
profile = "p3"
[integrator]
dt = "8 ms"
[[specimen]]
name = "brace"
kind = "spring"
storey = 2
acts = "drift"
stiffness = "300 kN/m"
[[specimen]]
name = "base"
kind = "spring"
storey = 1
stiffness = "200 kN/m"
[rig]
dt = "1 ms"
)";

double radius_of(const Document& document) { return spectral_radius(document); }

TEST(LagrangeProfile, SpringsAnswerAsToARamp) {
  // At the end of a step the command is the target itself, whatever way it took there, and a spring
  // remembers nothing of it.
  for (const char* profile : {"p1", "p2", "p3"}) {
    const std::string set = std::string("method.profile=") + profile;
    const Experiment ours = Experiment::build(document(file, {set}));
    const Experiment ramp = Experiment::build(document(file, {"method.profile=ramp"}));
    State a = ours.start().state, b = ramp.start().state;
    test::Recorded out_a(ours), out_b(ramp);
    for (int i = 0; i < 200; ++i) {
      out_a.step(a, {});
      out_b.step(b, {});
      for (int k = 0; k < 2; ++k) {
        ASSERT_NEAR(a.at(ours.method().integrator()->displacement())[k],
                    b.at(ramp.method().integrator()->displacement())[k], 1e-12)
            << profile << " " << i;
      }
    }
    EXPECT_NEAR(radius_of(document(file, {set})), radius_of(document(file, {"method.profile=ramp"})), 1e-9);
  }
}

TEST(LagrangeProfile, LateResultMovesTheRigLate) {
  const Experiment experiment = Experiment::build(document(file, {"method.compute_share=0.6"}));
  const int late = 5;  // ceil(0.6*8)
  State state = experiment.start().state;
  test::Recorded output(experiment), other(experiment);
  for (int i = 0; i < 5; ++i) output.step(state, {});
  State pushed = state;
  pushed.at(experiment.method().forces())[0] += 1000;
  output.step(state, {});
  other.step(pushed, {});
  const auto width = experiment.row().size();
  for (std::size_t k = 0; k < 8; ++k) {
    const bool same = output.rows[k * width] == other.rows[k * width];
    EXPECT_EQ(same, k < static_cast<std::size_t>(late)) << k;
  }
}

TEST(LagrangeProfile, StepIsAMatrixWithoutHiddenStateOrAllocation) {
  const auto make = [] { return loop_of(make_test(document(file))); };
  EXPECT_FALSE(has_hidden_state(make, 50));
  EXPECT_FALSE(allocates(make(), 100));
  EXPECT_TRUE(matrix_predicts(
      free_loop_of(std::make_shared<const Experiment>(Experiment::build(document(file)))), 50));
}

TEST(LagrangeProfile, CompensatorAtTheRigsStepSeesTheCommand) {
  // An inverse compensator with alpha = 1 is the identity: the command stays the target.
  const Experiment experiment =
      Experiment::build(document(file, {"compensator.kind=inverse", "compensator.alpha=1"}));
  State state = experiment.start().state;
  test::Recorded output(experiment);
  for (int i = 0; i < 20; ++i) {
    output.step(state, {});
    for (std::size_t k = 0; k < 8; ++k) {
      const double* row = output.rows.data() + k * experiment.row().size();
      ASSERT_NEAR(row[1], row[0], 1e-15) << i << " " << k;
    }
  }
}

std::string refusal(const std::vector<std::string>& assignments) {
  try {
    Experiment::build(document(file, assignments));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LagrangeProfile, RefusesWhatCannotWork) {
  EXPECT_NE(refusal({"method.compute_share=1.5"}).find("0 to 1"), std::string::npos);
  EXPECT_NE(refusal({"rig.dt=8 ms"}).find("too late"), std::string::npos);
  EXPECT_NE(refusal({"method.profile=ramp", "method.compute_share=0.5"}).find("belongs to"),
            std::string::npos);
  EXPECT_NE(refusal({"integrator.kind=newmark"}).find("straight"), std::string::npos);
  EXPECT_NE(refusal({"compensator.kind=lagrange", "compensator.delay=1 ms", "compensator.order=2"})
                .find("changes on the way"),
            std::string::npos);
}

}  // namespace
}  // namespace gusset

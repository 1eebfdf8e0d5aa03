// What a step is, bit for bit: poisoned wires, snapshots, phases, and the matrix that stands for it.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <memory>

#include "analysis/analysis.hpp"
#include "analysis/linearize.hpp"
#include "support/documents.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using namespace test;

/// Every kind of block at once: three storeys with coupled damping, ground motion, sub-steps, a sum
/// with a fractional delay on the second floor and a damper across the third storey.
constexpr const char* everything = R"(
duration = "4 s"
[structure]
mass = { values = [2.0, 2.0, 1.5], unit = "t" }
stiffness = { values = [1800, 1500, 1200], unit = "kN/m" }
damping = { values = [6, 5, 4], unit = "kN*s/m" }
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[initial]
displacement = { values = [1, -2, 3], unit = "mm" }
specimen_displacement = { values = [1, 0], unit = "mm" }
[method]
profile = "b-spline"
[integrator]
dt = "4 ms"
[[specimen]]
name = "pendulum"
kind = "sum"
storey = 2
parts = [
  { kind = "mass", mass = "50 kg" },
  { kind = "oscillator", mass = "100 kg", frequency = "3 Hz", damping_ratio = 0.04 },
]
[[specimen]]
name = "damper"
kind = "dashpot"
storey = 3
acts = "drift"
damping = "20 kN*s/m"
[[rig]]
kind = "delay"
delay = "1.3 ms"
dt = "1 ms"
[[rig]]
kind = "ideal"
dt = "1 ms"
)";

const std::shared_ptr<const Experiment>& experiment() {
  static const auto built = std::make_shared<const Experiment>(
      Experiment::build(document(everything), {.loader = shipped_records()}));
  return built;
}

TEST(Loop, WiresAreScratch) {
  const auto& e = *experiment();
  State clean = e.start().state, poisoned = clean;
  Output output = e.output(), other = e.output();
  for (int i = 0; i < 1000; ++i) {
    e.step(clean, e.input(i), output);
    other.poison();
    e.step(poisoned, e.input(i), other);
    ASSERT_TRUE(same_bits(clean, poisoned)) << i;
    ASSERT_EQ(output.rows, other.rows) << i;  // and everything recorded was written
  }
}

TEST(Loop, PhasesAreTheStep) {
  const auto& e = *experiment();
  State whole = e.start().state, parts = whole;
  Output output = e.output(), other = e.output();
  for (int i = 0; i < 1000; ++i) {
    e.step(whole, e.input(i), output);
    other.poison();
    e.begin(parts, e.input(i), other);
    for (int substep = 0; substep < e.substeps(); ++substep) {
      e.command(substep, parts, other);
      e.rig(substep, parts, other);
      e.measure(substep, parts, other);
      e.observe(substep, parts, other);
      e.correct(substep, parts, other);
    }
    e.end(parts, other);
    ASSERT_TRUE(same_bits(whole, parts)) << i;
    ASSERT_EQ(output.rows, other.rows) << i;
  }
}

TEST(Loop, ReplayOfASnapshotAndOfAFreshObject) {
  EXPECT_FALSE(has_hidden_state([] { return loop_of(experiment()); }, 400));
  EXPECT_FALSE(has_hidden_state(
      [] {
        return loop_of(std::make_shared<const Experiment>(
            Experiment::build(document(everything), {.loader = shipped_records()})));
      },
      400));
}

TEST(Loop, NeitherAllocatesNorCallsTheSystem) {
  const test::Loop loop = loop_of(experiment());
  EXPECT_FALSE(allocates(loop, 1000));
  State state = loop.start;
  const SystemCalls calls = system_calls_of([&] {
    for (int i = 0; i < 1000; ++i) loop.step(state);
  });
  EXPECT_NE(calls, SystemCalls::some);
}

TEST(Loop, ThousandStepsCountThemselves) {
  State state = experiment()->start().state;
  EXPECT_EQ(state.step, 0);
  Output output = experiment()->output();
  for (int i = 0; i < 1000; ++i) experiment()->step(state, {}, output);
  EXPECT_EQ(state.step, 1000);
}

RC_GTEST_PROP(Loop, MatrixTimesStateIsTheStep, ()) {
  const auto& e = *experiment();
  Linearizer linearizer;
  const Eigen::MatrixXd matrix = linearizer.matrix(e);
  RC_ASSERT(matrix.rows() == e.layout().size());
  State state = e.layout().zero();
  for (int i = 0; i < e.layout().size(); ++i) {
    // Every entry of the size its field is perturbed by, or some thousand times that.
    state.values[static_cast<std::size_t>(i)] =
        e.layout().field_of(i).scale * *rc::gen::inRange(-10000, 10001);
  }
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(state.values.data(), matrix.rows());
  const Eigen::VectorXd predicted = matrix * x;
  const Eigen::VectorXd size = matrix.cwiseAbs() * x.cwiseAbs();
  Output output = e.output();
  e.step(state, {}, output);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    RC_ASSERT(std::abs(state.values[static_cast<std::size_t>(i)] - predicted(i)) <=
              1e-13 * size(i));
  }
}

TEST(Loop, MatrixDoesNotDependOnWhereItIsTaken) {
  const auto& e = *experiment();
  Linearizer linearizer;
  const Eigen::MatrixXd at_zero = linearizer.matrix(e);
  const Eigen::MatrixXd elsewhere = linearizer.matrix(e, e.start().state);
  for (Eigen::Index i = 0; i < at_zero.rows(); ++i) {
    for (Eigen::Index j = 0; j < at_zero.cols(); ++j) {
      EXPECT_NEAR(at_zero(i, j), elsewhere(i, j), 1e-9 * (1 + std::abs(at_zero(i, j))));
    }
  }
}

TEST(Loop, AnalysisLeavesStateAndDocumentAlone) {
  const auto& e = *experiment();
  State state = e.start().state;
  Output output = e.output();
  for (int i = 0; i < 100; ++i) e.step(state, e.input(i), output);
  const State before = state;
  Linearizer linearizer;
  (void)linearizer.matrix(e, state);
  EXPECT_TRUE(same_bits(state, before));

  const Document original = document(everything);
  (void)analyze(original);
  const Experiment rebuilt = Experiment::build(original, {.loader = shipped_records()});
  EXPECT_EQ(rebuilt.dt(), e.dt());
  EXPECT_TRUE(same_bits(rebuilt.start().state, e.start().state));
}

TEST(Loop, LayoutNamesEveryEntryOnce) {
  const Layout& layout = experiment()->layout();
  int next = 0;
  for (const Layout::Field& field : layout.fields()) {
    EXPECT_EQ(field.segment.offset, next);
    EXPECT_GT(field.scale, 0);
    next += field.segment.size;
  }
  EXPECT_EQ(next, layout.size());
  EXPECT_EQ(layout.size(), static_cast<int>(experiment()->start().state.values.size()));
}

TEST(Loop, SubstepsLeadToTheSamePlaceAsOneStep) {
  // With an ideal rig the specimen is solved exactly, so sub-steps only show what lies between.
  const auto build = [](const char* rig_dt) {
    return Experiment::build(shipped("wu-dynamic-specimen", {std::string("rig.dt=") + rig_dt}), {});
  };
  const Experiment one = build("10 ms"), ten = build("1 ms");
  EXPECT_EQ(ten.substeps(), 10);
  State a = one.start().state, b = ten.start().state;
  Output first = one.output(), second = ten.output();
  for (int i = 0; i < 2000; ++i) {
    one.step(a, {}, first);
    ten.step(b, {}, second);
    ASSERT_NEAR(a.values[0], b.values[0], 1e-14) << i;
    const double* last = second.rows.data() + 9 * ten.row_width();
    for (int k = 0; k < ten.row_width(); ++k) {
      ASSERT_NEAR(first.rows[static_cast<std::size_t>(k)], last[k], 1e-10) << i;
    }
  }
}

}  // namespace
}  // namespace gusset

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
#include "support/recorded.hpp"
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

const Test& tested() {
  static const Test built = make_test(document(everything), shipped_records());
  return built;
}
const std::shared_ptr<const Experiment>& experiment() { return tested().experiment; }

TEST(ExperimentLoop, WiresAreScratch) {
  const auto& e = *experiment();
  State clean = tested().start().state, poisoned = clean;
  test::Recorded output(e), other(e, true);
  for (int i = 0; i < 1000; ++i) {
    output.step(clean, tested().input(i));
    other.step(poisoned, tested().input(i));
    ASSERT_TRUE(same_bits(clean, poisoned)) << i;
    ASSERT_EQ(output.rows, other.rows) << i;  // and everything recorded was written
  }
}

TEST(ExperimentLoop, TheRigMayBeElsewhere) {
  // Two processes: each its own State and row, and only what the cut names passes between them.
  const auto& e = *experiment();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Experiment::Start whole = tested().start(), near = whole, far = whole;
  std::vector<bool> of_rig(far.state.values.size(), false);
  for (const Kept& kept : e.cut().state) {
    for (int i = kept.first; i < kept.last; ++i) of_rig[static_cast<std::size_t>(i)] = true;
  }
  for (std::size_t i = 0; i < of_rig.size(); ++i) (of_rig[i] ? near : far).state.values[i] = nan;
  Recorded output(e);
  std::vector<double> row(e.row().size());
  Frame here{near.state, near.row}, there{far.state, far.row};
  here.poison = true;
  for (int i = 0; i < 1000; ++i) {
    output.step(whole.state, tested().input(i));
    e.put(tested().input(i), near.row);
    bool over = false;
    for (int substep = 0; !over; ++substep) {
      e.loop().to_rig(here);
      for (const Row::Entry& entry : e.cut().commands) far.row[entry.port] = near.row[entry.port];
      e.loop().through_rig(there);
      for (const Row::Entry& entry : e.cut().feedback) near.row[entry.port] = far.row[entry.port];
      over = e.loop().from_rig(here);
      e.row().copy(near.row, row.data());
      ASSERT_TRUE(std::equal(row.begin(), row.end(),
                             output.rows.begin() + substep * static_cast<std::ptrdiff_t>(row.size())))
          << i << " " << substep;
    }
    for (std::size_t k = 0; k < of_rig.size(); ++k) {
      ASSERT_EQ((of_rig[k] ? far : near).state.values[k], whole.state.values[k])
          << e.layout().name_of(static_cast<int>(k)) << " " << i;
    }
  }
}

TEST(ExperimentLoop, NothingPassesTheCutUnseen) {
  for (const char* name : {"quickstart", "large-actuator", "chen-2007-hydraulic", "shao-case-4",
                           "yielding-building", "wu-shake-table-dynamic", "small-rig"}) {
    const auto shaken = make_test(shipped(name), shipped_records());
    const Experiment& own = *shaken.experiment;
    Experiment::Start start = shaken.start();
    Frame frame{start.state, start.row};
    for (int i = 0; i < 200; ++i) {
      own.put(shaken.input(i), start.row);
      own.loop().step(frame);
      if (i % 50 != 7) continue;
      own.put(shaken.input(i + 1), start.row);
      EXPECT_EQ(own.loop().leak(own.layout(), start.state, start.row), "") << name << " " << i;
    }
  }
}

TEST(ExperimentLoop, ReplayOfASnapshotAndOfAFreshObject) {
  EXPECT_FALSE(has_hidden_state([] { return loop_of(tested()); }, 400));
  EXPECT_FALSE(
      has_hidden_state([] { return loop_of(make_test(document(everything), shipped_records())); }, 400));
}

TEST(ExperimentLoop, NeitherAllocatesNorCallsTheSystem) {
  const test::SteppedLoop loop = loop_of(tested());
  EXPECT_FALSE(allocates(loop, 1000));
  State state = loop.start;
  const SystemCalls calls = system_calls_of([&] {
    for (int i = 0; i < 1000; ++i) loop.step(state);
  });
  EXPECT_NE(calls, SystemCalls::some);
}

TEST(ExperimentLoop, ThousandStepsCountThemselves) {
  State state = experiment()->start().state;
  EXPECT_EQ(state.step, 0);
  test::Recorded output(*experiment());
  for (int i = 0; i < 1000; ++i) output.step(state, {});
  EXPECT_EQ(state.step, 1000);
}

RC_GTEST_PROP(ExperimentLoop, MatrixTimesStateIsTheStep, ()) {
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
  test::Recorded output(e);
  output.step(state, {});
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    RC_ASSERT(std::abs(state.values[static_cast<std::size_t>(i)] - predicted(i)) <= 1e-13 * size(i));
  }
}

TEST(ExperimentLoop, MatrixDoesNotDependOnWhereItIsTaken) {
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

TEST(ExperimentLoop, AnalysisLeavesStateAndDocumentAlone) {
  const auto& e = *experiment();
  State state = tested().start().state;
  test::Recorded output(e);
  for (int i = 0; i < 100; ++i) output.step(state, tested().input(i));
  const State before = state;
  Linearizer linearizer;
  (void)linearizer.matrix(e, state);
  EXPECT_TRUE(same_bits(state, before));

  const Document original = document(everything);
  (void)analyze(original);
  const Experiment rebuilt = Experiment::build(original);
  EXPECT_EQ(rebuilt.dt(), e.dt());
  EXPECT_TRUE(same_bits(rebuilt.start().state, e.start().state));
}

TEST(ExperimentLoop, LayoutNamesEveryEntryOnce) {
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

TEST(ExperimentLoop, SubstepsLeadToTheSamePlaceAsOneStep) {
  // With an ideal rig the specimen is solved exactly, so sub-steps only show what lies between.
  const auto build = [](const char* rig_dt) {
    return Experiment::build(shipped("wu-dynamic-specimen", {std::string("rig.dt=") + rig_dt}));
  };
  const Experiment one = build("10 ms"), ten = build("1 ms");
  EXPECT_EQ(ten.substeps(), 10);
  State a = one.start().state, b = ten.start().state;
  test::Recorded first(one), second(ten);
  for (int i = 0; i < 2000; ++i) {
    first.step(a, {});
    second.step(b, {});
    ASSERT_NEAR(a.values[0], b.values[0], 1e-14) << i;
    const std::size_t width = ten.row().size();
    for (std::size_t k = 0; k < width; ++k) {
      ASSERT_NEAR(first.rows[k], second.rows[9 * width + k], 1e-10) << i;
    }
  }
}

}  // namespace
}  // namespace gusset

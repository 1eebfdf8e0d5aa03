// Blocks that are wrong on purpose, each in the way that one of the checks is there for. The checks
// must reject them, and pass the blocks that ship.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/spectrum.hpp"
#include "support/documents.hpp"
#include "support/mini_loop.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using namespace test;

constexpr double specimen_stiffness = 40e3;

/// One storey with a spring as specimen; the delay belongs to the rig of the real experiment.
Document storey(double damping_ratio, double delay = 0) {
  return document(
      R"(
duration = "1 s"
[structure]
mass = "100 kg"
stiffness = "80 kN/m"
[initial]
displacement = "1 cm"
[method]
profile = "ramp"
[integrator]
dt = "2 ms"
[specimen]
kind = "spring"
stiffness = "40 kN/m"
[rig]
kind = "delay"
)",
      {assign("structure.damping_ratio", damping_ratio), assign("rig.delay", delay, "s")});
}

std::shared_ptr<const Experiment> experiment_of(const Document& document) {
  return std::make_shared<const Experiment>(build_for_analysis(document));
}

/// Creeps: its stiffness depends on how often it was called, which no State knows.
class ForgetfulRig final : public SpringRig {
 public:
  using SpringRig::SpringRig;
  double advance(State&, double target) const override { return stiffness_ * target * (1 - 1e-9 * ++calls_); }

 private:
  mutable int calls_ = 0;
};

/// Keeps the last target beside the State: a delay of one step that snapshots miss.
class SmuggledDelayRig final : public SpringRig {
 public:
  using SpringRig::SpringRig;
  double advance(State&, double target) const override { return stiffness_ * std::exchange(last_, target); }

 private:
  mutable double last_ = 0;
};

/// A delay of n steps as a ring with a moving head. All of it is in the State, and still wrong: the
/// matrix of one step sees n entries that stay where they are.
class RingDelayRig final : public SpringRig {
 public:
  RingDelayRig(double stiffness, int steps, Layout& layout) : SpringRig(stiffness), size_(steps + 1) {
    ring_ = layout.add("specimen", "ring", "m", size_, 1e-3);
  }
  double advance(State& state, double target) const override {
    double* ring = state.at(ring_);
    const auto head = static_cast<int>(state.step % size_);
    ring[head] = target;
    return stiffness_ * ring[(head + 1) % size_];
  }
  void start(State& state, double target) const override {
    for (int i = 0; i < size_; ++i) state.at(ring_)[i] = target;
  }

 private:
  int size_;
  Segment ring_;
};

/// Works on a vector of its own, made at every step.
class AllocatingRig final : public SpringRig {
 public:
  using SpringRig::SpringRig;
  double advance(State&, double target) const override {
    const std::vector<double> copy(static_cast<std::size_t>(1 + rows_), target);
    return stiffness_ * copy.back();
  }

 private:
  volatile int rows_ = 3;  // keeps the compiler from seeing through it
};

/// The numerical part of `storey`.
MiniStructure numbers(double damping_ratio) {
  MiniStructure structure;
  structure.damping = 2 * damping_ratio * std::sqrt(structure.stiffness * structure.mass);
  return structure;
}

template <class R>
LoopFactory with(double damping_ratio = 0.05) {
  return [=] {
    return mini_loop(numbers(damping_ratio), [](Layout&) { return std::make_unique<R>(specimen_stiffness); });
  };
}

LoopFactory ring_delay(double damping_ratio, int steps) {
  return [=] {
    return mini_loop(numbers(damping_ratio), [=](Layout& layout) {
      return std::make_unique<RingDelayRig>(specimen_stiffness, steps, layout);
    });
  };
}

double radius_of(const SteppedLoop& loop) {
  State zero = loop.start;
  std::fill(zero.values.begin(), zero.values.end(), 0.0);
  return spectrum(one_step_matrix(loop, zero)).radius;
}

/// Growth a step late in a long run: what the loop does, whatever its matrix says.
double growth_of(const SteppedLoop& loop) {
  State state = loop.start;
  const auto envelope = [&](int steps) {
    double largest = 0;
    for (int i = 0; i < steps; ++i) {
      loop.step(state);
      largest = std::max(largest, std::abs(state.values[0]));
    }
    return largest;
  };
  (void)envelope(4000);
  const double before = envelope(1000);
  (void)envelope(7000);
  return std::pow(envelope(1000) / before, 1.0 / 8000);
}

TEST(WrongBlocks, TheHandMadeLoopItselfIsTheExperiment) {
  const SteppedLoop mine = with<SpringRig>()();
  const SteppedLoop real = free_loop_of(experiment_of(storey(0.05)));
  State a = real.start, b = real.start;
  ASSERT_EQ(mine.start.values.size(), real.start.values.size());
  for (int i = 0; i < 500; ++i) {
    mine.step(a);
    real.step(b);
    ASSERT_NEAR(a.values[0], b.values[0], 1e-14) << i;
    ASSERT_NEAR(a.values[2], b.values[2], 1e-9) << i;
  }
}

TEST(WrongBlocks, ARightBlockPassesEveryCheck) {
  EXPECT_FALSE(has_hidden_state(with<SpringRig>(), 50));
  EXPECT_FALSE(allocates(with<SpringRig>()(), 50));
  EXPECT_TRUE(matrix_predicts(with<SpringRig>()(), 50));
}

TEST(WrongBlocks, HiddenStateIsRejected) {
  EXPECT_TRUE(has_hidden_state(with<ForgetfulRig>(), 50));
  EXPECT_TRUE(has_hidden_state(with<SmuggledDelayRig>(), 50));
}

TEST(WrongBlocks, AllocatingStepIsRejected) {
  EXPECT_TRUE(allocates(with<AllocatingRig>()(), 1));
  EXPECT_FALSE(has_hidden_state(with<AllocatingRig>(), 50));  // that is all that is wrong with it
}

TEST(WrongBlocks, RingBufferIsRejected) {
  for (const double damping : {0.02, 0.2}) {
    const SteppedLoop ring = ring_delay(damping, 4)();
    EXPECT_FALSE(matrix_predicts(ring, 20));
    EXPECT_FALSE(has_hidden_state(ring_delay(damping, 4), 50));  // no other check sees it
    const auto experiment = experiment_of(storey(damping, 4 * 0.002));
    EXPECT_TRUE(matrix_predicts(free_loop_of(experiment), 20));
  }
}

TEST(WrongBlocks, RingBufferHasRadiusOneStableOrNot) {
  // Four steps of 2 ms: with 2 % damping the loop is unstable, with 20 % it is stable.
  for (const double damping : {0.02, 0.2}) {
    const SteppedLoop ring = ring_delay(damping, 4)();
    const SteppedLoop shift = free_loop_of(experiment_of(storey(damping, 4 * 0.002)));
    // Both are the same delay …
    State a = ring.start, b = shift.start;
    std::copy_n(b.values.begin(), 3, a.values.begin());  // displacement, increment, force
    for (int i = 0; i < 100; ++i) {
      ring.step(a);
      shift.step(b);
      ASSERT_NEAR(a.values[0], b.values[0], 1e-14);
    }
    // … but only the shift register's matrix knows what the loop does.
    EXPECT_DOUBLE_EQ(radius_of(ring), 1) << damping;
    const double truth = growth_of(ring);
    EXPECT_EQ(truth > 1, damping < 0.1);
    EXPECT_NEAR(std::log(radius_of(shift)) / std::log(truth), 1, 0.01) << damping;
  }
}

TEST(WrongBlocks, SystemCallIsRejected) {
  const SystemCalls found = system_calls_of([] {
    std::FILE* file = std::fopen("/dev/null", "r");
    (void)file;
  });
  if (found == SystemCalls::cannot_tell) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(found, SystemCalls::some);
}

class ShippedExperiment : public testing::TestWithParam<std::string> {
 protected:
  static gusset::Test build() { return make_test(shipped(GetParam()), shipped_records()); }
};

TEST_P(ShippedExperiment, HasNoHiddenState) {
  EXPECT_FALSE(has_hidden_state([] { return loop_of(build()); }, 500));
}

TEST_P(ShippedExperiment, StepsWithoutAllocation) { EXPECT_FALSE(allocates(loop_of(build()), 1000)); }

TEST_P(ShippedExperiment, StepsWithoutSystemCalls) {
  static_assert(noexcept(std::declval<const Experiment&>().step(
      std::declval<State&>(), std::declval<const Input&>(), std::declval<Wires&>())));
  const SteppedLoop loop = loop_of(build());
  State state = loop.start;
  const SystemCalls found = system_calls_of([&] {
    for (int i = 0; i < 1000; ++i) loop.step(state);
  });
  if (found == SystemCalls::cannot_tell) GTEST_SKIP() << "no seccomp here";
  EXPECT_EQ(found, SystemCalls::none);
}

TEST_P(ShippedExperiment, IsItsMatrix) {
  const auto experiment = build().experiment;
  if (!experiment->affine()) GTEST_SKIP() << "not linear";
  EXPECT_TRUE(matrix_predicts(free_loop_of(experiment), 30));
}

INSTANTIATE_TEST_SUITE_P(All, ShippedExperiment, testing::ValuesIn(shipped_names()), [](const auto& tested) {
  std::string name = tested.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace gusset

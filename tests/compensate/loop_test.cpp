#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "analysis/linearize.hpp"
#include "base/error.hpp"
#include "build/experiment.hpp"
#include "support/recorded.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

const char* const every_kind[] = {
    "kind = \"none\"\n",
    "kind = \"linear-acceleration\"\ndelay = \"5 ms\"\n",
    "kind = \"derivative-feedforward\"\nkp = 20\nti = \"5 s\"\nkff = \"0.1 s\"\n",
    "kind = \"inverse\"\ndelay = \"5 ms\"\n",
    "kind = \"inverse\"\ndelay = \"5 ms\"\nat = \"integrator\"\n",
    "kind = \"polynomial\"\ndelay = \"5 ms\"\n",
    "kind = \"lagrange\"\ndelay = \"5 ms\"\n",
    "kind = \"phase-lead\"\ndelay = \"5 ms\"\n",
    "kind = \"pi-lead\"\nkp = 1\nki = \"10 1/s\"\nb0 = \"100 1/s\"\nb1 = 1.5\n",
    "kind = \"dual\"\ndelay = \"3 ms\"\nalpha_force = 2\n",
    "kind = \"model-based\"\na1 = \"5 ms\"\nki = \"2 1/s\"\n",
    "kind = \"smith\"\nfrequency = \"20 Hz\"\ndamping_ratio = 0.7\ndelay = \"5 ms\"\nkp = 0.5\n",
    "kind = \"adaptive-inverse\"\ndelay = \"5 ms\"\nkp = \"100 1/m^2\"\n",
    "kind = \"ats\"\ndelay = \"5 ms\"\nwindow = \"0.1 s\"\nevery = 2\n",
    "kind = \"amb\"\ndelay = \"5 ms\"\n",
    "kind = \"rls-fir\"\ndelay = \"5 ms\"\n",
};

Document with(const std::string& keys, bool substeps) {
  std::ifstream file(std::string(GUSSET_SOURCE_DIR) + "/experiments/delayed-spring.toml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Document document = Document::parse(text + "\n[indicators]\n[compensator]\n" + keys, "delayed-spring.toml");
  document.set("integrator.dt=10 ms");
  if (substeps) document.set("rig.dt=2 ms");
  return document;
}

TEST(CompensatedLoop, WiresAreScratchForEveryKind) {
  for (const char* keys : every_kind) {
    for (const bool substeps : {false, true}) {
      const Document document = with(keys, substeps);
      const auto tested = make_test(document);
      const Experiment& experiment = *tested.experiment;
      document.reject_unknown();
      State clean = experiment.start().state;
      State poisoned = clean;
      test::Recorded one(experiment);
      test::Recorded other(experiment, true);
      for (int i = 0; i < 300; ++i) {
        one.step(clean, {});
        other.step(poisoned, {});
        ASSERT_EQ(clean.values, poisoned.values) << keys << "step " << i;
        ASSERT_EQ(one.rows, other.rows) << keys << "step " << i;
      }
      EXPECT_EQ(clean.branches, poisoned.branches);
    }
  }
}

TEST(CompensatedLoop, StepsOfEveryKindAllocateNothingAndCallNoSystem) {
  for (const char* keys : every_kind) {
    const auto tested = make_test(with(keys, true));
    const auto& experiment = tested.experiment;
    EXPECT_FALSE(test::allocates(test::loop_of(tested), 300)) << keys;
    State state = experiment->start().state;
    Wires wires = experiment->wires();
    EXPECT_NE(test::system_calls_of([&] {
                for (int i = 0; i < 300; ++i) experiment->step(state, {}, wires);
              }),
              test::SystemCalls::some)
        << keys;
  }
}

TEST(CompensatedLoop, HiddenStateOfNoKind) {
  for (const char* keys : every_kind) {
    const auto make = [&] { return test::loop_of(make_test(with(keys, true))); };
    EXPECT_FALSE(test::has_hidden_state(make, 200)) << keys;
  }
}

TEST(CompensatedLoop, MatrixIsTheStep) {
  for (const char* keys : every_kind) {
    const Experiment experiment = Experiment::build(with(keys, true));
    Linearizer linearizer;
    const Eigen::MatrixXd& matrix = linearizer.matrix(experiment);
    State state = frozen_state(experiment);
    Eigen::VectorXd x(matrix.rows());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      x(i) = std::sin(1.0 + 3.0 * static_cast<double>(i));
      state.values[static_cast<std::size_t>(linearizer.entries()[static_cast<std::size_t>(i)])] = x(i);
    }
    test::Recorded output(experiment);
    output.step(state, {});
    const Eigen::VectorXd next = matrix * x;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const auto entry = static_cast<std::size_t>(linearizer.entries()[static_cast<std::size_t>(i)]);
      EXPECT_NEAR(state.values[entry], next(i), 1e-10 * (1 + matrix.row(i).cwiseAbs().sum())) << keys;
    }
  }
}

TEST(CompensatedLoop, ARampedCommandIsRefusedForARigidMass) {
  Document document =
      with("kind = \"smith\"\nfrequency = \"20 Hz\"\ndamping_ratio = 0.7\ndelay = \"5 ms\"\n", false);
  document.set("method.profile=b-spline");
  document.set("specimen.kind=mass");
  document.set("specimen.mass_ratio=0.5");
  EXPECT_THROW((void)Experiment::build(document), InputError);
}

TEST(CompensatedLoop, SaysWhichKindsThereAre) {
  try {
    (void)Experiment::build(with("kind = \"invers\"\n", false));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(error.fix().find("inverse"), std::string::npos) << error.fix();
  }
}

}  // namespace
}  // namespace gusset

// A delayed rig against its command, read directly a time τ earlier.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/documents.hpp"
#include "support/recorded.hpp"

namespace gusset {
namespace {

using test::assign;

constexpr double dt = 0.01;

Document spring_with_delay(const char* profile, double delay, int substeps) {
  return test::document(R"(
duration = "2 s"
[structure]
mass = "100 kg"
frequency = "3 Hz"
damping_ratio = 0.2
[initial]
displacement = "1 cm"
velocity = "0.4 m/s"
[integrator]
dt = "10 ms"
[specimen]
kind = "spring"
stiffness_ratio = 0.2
[rig]
kind = "delay"
)",
                        {std::string("method.profile=") + profile, assign("rig.delay", delay, "s"),
                         assign("rig.dt", dt / substeps, "s")});
}

/// All pieces of a run, to be read at any time.
struct CommandHistory {
  double first = 0;
  std::vector<Piece> pieces;

  double at(double time) const {
    if (time <= 0) return first;  // at rest before the test
    auto i = static_cast<std::size_t>(time / dt);
    if (i >= pieces.size()) i = pieces.size() - 1;
    const double s = time - static_cast<double>(i) * dt;
    return pieces[i].c0 + pieces[i].c1 * s + 0.5 * pieces[i].c2 * s * s;
  }
};

class DelayedCommand : public testing::TestWithParam<std::tuple<const char*, double, int>> {};

TEST_P(DelayedCommand, IsTheCommandOfEarlier) {
  const auto& [profile, delay, substeps] = GetParam();
  const Experiment experiment = Experiment::build(spring_with_delay(profile, delay, substeps));
  const auto start = experiment.start();
  State state = start.state;
  test::Recorded output(experiment);
  const std::vector<double> first = test::row_of(experiment, start.row);
  CommandHistory history{first[0], {}};
  EXPECT_EQ(first[2], first[0]);
  for (int i = 0; i < 200; ++i) {
    output.step(state, {});
    history.pieces.push_back(output.goal(0));
    for (int k = 0; k < substeps; ++k) {
      const double time = (i + static_cast<double>(k + 1) / substeps) * dt;
      const double* row = output.rows.data() + static_cast<std::size_t>(k) * experiment.row().size();
      ASSERT_NEAR(row[0], history.at(time), 1e-14);
      ASSERT_NEAR(row[2], history.at(time - delay), 1e-14) << "at " << time;
      ASSERT_NEAR(row[3], 0.2 * 100 * std::pow(6 * M_PI, 2) * row[2], 1e-10);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, DelayedCommand,
                         testing::Combine(testing::Values("ramp", "quadratic", "b-spline"),
                                          testing::Values(0.0, 0.001, 0.003, 0.0107, 0.01, 0.02, 0.025,
                                                          0.0333),
                                          testing::Values(1, 4, 10)));

TEST(DelayRig, MassFeelsTheAccelerationOfEarlier) {
  // The b-spline's acceleration is constant over a step: delayed by 2.4 steps, the force at the end
  // of a step is that of the piece three back.
  const Experiment experiment = Experiment::build(test::wu_pure_inertia(0.05, 0.3, 0.06));
  Document delayed = test::wu_pure_inertia(0.05, 0.3, 0.06);
  delayed.set("rig.kind=delay");
  delayed.set(assign("rig.delay", 2.4 * experiment.dt(), "s"));
  const Experiment late = Experiment::build(delayed);
  State state = late.start().state;
  test::Recorded output(late);
  std::vector<double> accelerations;
  for (int i = 0; i < 300; ++i) {
    output.step(state, {});
    accelerations.push_back(output.goal(0).c2);
    const double expected = i < 2 ? 0 : 15 * accelerations[static_cast<std::size_t>(i - 2)];
    ASSERT_NEAR(output.rows[3], expected, 1e-9) << i;
  }
}

TEST(DelayRig, NoDelayIsTheIdealRig) {
  for (const std::string name : {"wu-pure-inertia", "wu-dynamic-specimen"}) {
    const Experiment ideal = Experiment::build(test::shipped(name));
    const Experiment none = Experiment::build(test::shipped(name, {"rig.kind=delay", "rig.delay=0 s"}));
    State a = ideal.start().state, b = none.start().state;
    test::Recorded first(ideal), second(none);
    for (int i = 0; i < 500; ++i) {
      first.step(a, {});
      second.step(b, {});
      for (std::size_t k = 0; k < first.rows.size(); ++k) {
        ASSERT_NEAR(first.rows[k], second.rows[k], 1e-12 * (1 + std::abs(first.rows[k])));
      }
    }
  }
}

}  // namespace
}  // namespace gusset

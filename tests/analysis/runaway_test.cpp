// How far a test moves by itself, and a response that leaves that scale.

#include "analysis/runaway.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/exact.hpp"
#include "analysis/needs.hpp"
#include "support/simulations.hpp"

namespace gusset {
namespace {

gusset::Test shipped_test(const std::string& name, const std::vector<std::string>& assignments = {}) {
  return make_test(test::shipped(name, assignments), test::shipped_records());
}

/// Let go at d_0, an undamped storey goes as far as d_0 and as fast as ω·d_0.
TEST(MotionScale, OfAStoreyLetGo) {
  const Document document = test::document(R"(
title = "let go"
duration = "3 s"
[structure]
mass = "1 t"
frequency = "2 Hz"
frequency_of = "numerical"
[initial]
displacement = "7 mm"
[integrator]
kind = "central-difference"
dt = "1 ms"
[specimen]
kind = "none"
)");
  const MotionScale scale = motion_scale(make_test(document));
  EXPECT_NEAR(scale.displacement, 7e-3, 1e-9);
  EXPECT_NEAR(scale.velocity, 7e-3 * 4 * std::numbers::pi, 1e-4);
}

/// The sum of the modes' peaks is never below the exact response of the whole structure, and not far above.
TEST(MotionScale, HoldsTheExactResponse) {
  for (const char* name : {"quickstart", "wu-pure-inertia", "wu-shake-table-mass"}) {
    const gusset::Test test = shipped_test(name);
    const Experiment& experiment = *test.experiment;
    ASSERT_TRUE(experiment.affine()) << name;
    const LinearStart start = experiment.whole_start();
    ExactResponse exact(experiment.whole(), start.displacement, start.velocity, experiment.dt());
    double largest = 0;
    for (std::int64_t k = 0; k < test.steps; ++k) {
      for (int i = 0; i < experiment.structure().size(); ++i)
        largest = std::max(largest, std::abs(exact.displacement(i)));
      exact.advance(test.input(k).acceleration, test.input(k + 1).acceleration);
    }
    const double scale = motion_scale(test).displacement;
    EXPECT_GE(scale, 0.98 * largest) << name;
    EXPECT_LE(scale, 2.5 * largest) << name;
  }
}

/// 100 m and 100 MN are finite numbers, and no result.
TEST(Runaway, IsToldWhereNothingOverflows) {
  const gusset::Test test = shipped_test("wu-validation", {"structure.mass=89.23 kg", "duration=4 s"});
  const Simulation simulation = simulate(test);
  ASSERT_FALSE(simulation.stop);
  ASSERT_TRUE(simulation.runaway);
  const double scale = motion_scale(test).displacement;
  EXPECT_EQ(simulation.runaway->scale, scale);
  EXPECT_GT(simulation.runaway->reached, runaway_factor * scale);
  // The instant is the first at which the recorded floor was beyond ten times the scale.
  const std::vector<double>& floor = test::values_of(simulation, simulation.runaway->signal);
  std::size_t first = 0;
  while (std::abs(floor[first]) <= runaway_factor * scale) ++first;
  EXPECT_NEAR(simulation.runaway->time, static_cast<double>(first) * test.experiment->dt(), 1e-9);
  EXPECT_NEAR(simulation.runaway->reached, test::peak_of(floor), 1e-9);
  const Review rehearsal = review(test);
  ASSERT_TRUE(rehearsal.runaway);
  EXPECT_EQ(rehearsal.runaway->time, simulation.runaway->time);
  EXPECT_FALSE(rehearsal.ok());
}

/// A slider is as good as rigid at rest, and moves like the ground once it slides.
TEST(Runaway, IsNotSeenWhereAnIsolatorSlides) {
  const std::string isolated = R"(
title = "isolated"
[structure]
mass = "20 t"
stiffness = "0 N/m"
[excitation]
record = "el-centro-1940-ns"
peak = "0.4 g"
[integrator]
kind = "newmark"
dt = "2 ms"
[specimen]
name = "isolator"
storey = 1
)";
  for (const std::string kind :
       {"kind = \"friction-pendulum\"\nweight = \"196 kN\"\nradius = \"1.5 m\"\nfriction = 0.05\n",
        "kind = \"lugre\"\nforce = \"10 kN\"\nstiffness = \"50 MN/m\"\n"
        "bristle_damping = \"50 kN*s/m\"\n",
        "kind = \"bilinear\"\nstiffness = \"20 kN/mm\"\nyield_force = \"10 kN\"\n"}) {
    const Simulation simulation =
        simulate(make_test(test::document(isolated + kind), test::shipped_records()));
    EXPECT_FALSE(simulation.stop) << kind;
    EXPECT_FALSE(simulation.runaway) << text_of(*simulation.runaway) << kind;
    EXPECT_GT(test::peak_of(test::values_of(simulation, "storey1.displacement")), 5e-3) << kind;
  }
}

/// No shipped test that `analyze` calls stable is told to run away.
TEST(Runaway, IsNotSeenInShippedTests) {
  for (const std::string& name : test::shipped_names()) {
    const Document document = test::shipped(name);
    const gusset::Test test = make_test(document, test::shipped_records());
    if (test.experiment->structure().size() > 50) continue;
    const Simulation simulation = simulate(test, {.reference = false, .progress = {}});
    if (!simulation.runaway) continue;
    EXPECT_GT(test::spectral_radius(document), 1) << name << ": " << text_of(*simulation.runaway);
  }
}

}  // namespace
}  // namespace gusset

#include "build/test.hpp"

#include <gtest/gtest.h>

#include "analysis/simulation.hpp"
#include "support/documents.hpp"
#include "support/simulations.hpp"

namespace gusset {
namespace {

using namespace test;

constexpr const char* stronger = "excitation.peak=0.2 g";

TEST(TestOfAnExperiment, VariantsOfTheExcitationShareTheExperiment) {
  const Document file = shipped("quickstart", {"duration=2 s"});
  const Document other = shipped("quickstart", {"duration=1 s", stronger});
  // No loader: what does not change during a test does not know the record.
  const auto experiment = std::make_shared<const Experiment>(Experiment::build(file));
  const auto first = make_test(experiment, file, shipped_records());
  const auto second = make_test(experiment, other, shipped_records());
  EXPECT_EQ(first.experiment, second.experiment);
  EXPECT_EQ(first.steps, 2 * second.steps);
  EXPECT_NE(first.input(100).acceleration, second.input(100).acceleration);
  // Each gives what an experiment of its own gives, to the bit.
  const SimulationOptions quick{.reference = false, .progress = {}};
  for (const auto& [shared, document] : {std::pair{&first, &file}, {&second, &other}}) {
    const Simulation alone = simulate(make_test(*document, shipped_records()), quick);
    const Simulation together = simulate(*shared, quick);
    for (const char* signal : {"storey1.displacement", "damper.force"}) {
      EXPECT_EQ(values_of(together, signal), values_of(alone, signal)) << signal;
    }
  }
}

TEST(TestOfAnExperiment, StartsInEquilibriumWithItsOwnInput) {
  const Document file = document(R"(
duration = "1 s"
[structure]
mass = "2 kg"
stiffness = "8 N/m"
[excitation]
record = "any"
[integrator]
kind = "newmark"
dt = "10 ms")");
  Record record;
  record.dt = 0.5;
  record.acceleration = {3, 0, 0};
  const auto shaken = make_test(file, only(record));
  const auto acceleration = [&](const State& state) {
    for (const Layout::Field& field : shaken.experiment->layout().fields()) {
      if (std::string_view(field.name) == "acceleration") return *state.at(field.segment);
    }
    return std::nan("");
  };
  EXPECT_EQ(acceleration(shaken.start().state), -3);
  EXPECT_EQ(acceleration(shaken.experiment->start().state), 0);
}

}  // namespace
}  // namespace gusset

#include <gtest/gtest.h>

#include "analysis/needs.hpp"
#include "analysis/simulation.hpp"
#include "base/error.hpp"
#include "support/documents.hpp"

// What `check` says a test needs is where `simulate` stops: at every sub-step, whatever the channel is told.

namespace gusset {
namespace {

using Settings = std::vector<std::string>;

Test test_with(const std::string& name, const Settings& settings) {
  return make_test(test::shipped(name, settings), test::shipped_records());
}

double needed_velocity(const Test& tested) {
  const Review found = review(tested);
  for (const Need& need : found.channels.front().needs) {
    if (need.quantity == "velocity") return need.needed;
  }
  ADD_FAILURE() << "no velocity";
  return 0;
}

void expect_stop_at_what_is_needed(const std::string& name, Settings settings) {
  const double needed = needed_velocity(test_with(name, settings));
  settings.push_back(test::assign("limits.velocity", 1.0001 * needed, "m/s"));
  EXPECT_FALSE(simulate(test_with(name, settings), {}).stop) << name;
  settings.back() = test::assign("limits.velocity", 0.9999 * needed, "m/s");
  const std::optional<Stop> stop = simulate(test_with(name, settings), {}).stop;
  ASSERT_TRUE(stop) << name;
  EXPECT_TRUE(stop->channel.ends_with(".velocity")) << stop->channel;
}

TEST(Limits, SimulateStopsAtTheVelocityThatCheckAnnounces) {
  // An inverse compensator is fastest at the first of the four sub-steps.
  expect_stop_at_what_is_needed("quickstart",
                                {"duration=4 s", "compensator.kind=inverse", "compensator.alpha=30",
                                 "limits.displacement=1 m", "limits.force=1 MN"});
}

TEST(Limits, OfAForceTestTheMeasuredVelocity) {
  expect_stop_at_what_is_needed("chen-2007-direct", {"duration=8 s"});
  EXPECT_THROW(test_with("chen-2007-direct", {"limits.acceleration=1 m/s^2"}), InputError);
}

}  // namespace
}  // namespace gusset

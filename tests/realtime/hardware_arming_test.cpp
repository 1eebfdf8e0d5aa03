// What a rig that can hurt somebody asks for before it is armed.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "realtime/hardware_arming.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

using namespace test;

bool refused(const std::vector<ArmingItem>& items, const std::string& name) {
  for (const ArmingItem& item : items) {
    if (item.name == name) return !item.ok && item.refuses;
  }
  return false;
}

ArmingOptions hardware() {
  ArmingOptions options;
  options.hardware = true;
  return options;
}

TEST(HardwareArming, AsksForEveryLimitOfEveryChannel) {
  const Experiment bare = Experiment::build(shipped("quickstart"));
  EXPECT_EQ(missing_limits(bare, bare.channels()[0]), std::vector<std::string>{"tracking_error"});
  EXPECT_TRUE(refused(examine_hardware(bare, hardware(), {}), "damper limits"));
  const Experiment whole = Experiment::build(shipped("quickstart", {"limits.tracking_error=2 mm"}));
  EXPECT_TRUE(missing_limits(whole, whole.channels()[0]).empty());
  EXPECT_FALSE(refused(examine_hardware(whole, hardware(), {}), "damper limits"));
  // In force control the error is one of force.
  const Experiment force = Experiment::build(shipped("chen-2007-hydraulic"));
  EXPECT_EQ(missing_limits(force, force.channels()[0]).back(), "force_error");
}

TEST(HardwareArming, RefusesWhatHurries) {
  const Experiment experiment = Experiment::build(shipped("quickstart"));
  ArmingOptions options = hardware();
  EXPECT_FALSE(refused(examine_hardware(experiment, options, {}), "clock"));
  options.lockstep = true;
  options.on_miss = OnMiss::catch_up;
  options.allow_degraded = options.force_unstable = true;  // nothing overrides them
  EXPECT_TRUE(refused(examine_hardware(experiment, options, {}), "clock"));
  EXPECT_TRUE(refused(examine_hardware(experiment, options, {}), "on_miss"));
}

TEST(HardwareArming, NamesFaultsThatWereLeftInTheFile) {
  const Experiment experiment = Experiment::build(shipped("quickstart"));
  ArmingOptions options = hardware();
  options.faults = {"loss"};
  const auto items = examine_hardware(experiment, options, {});
  EXPECT_TRUE(refused(items, "faults"));
  options.faults.clear();
  options.asked_faults = {"loss 0.1 from 1"};
  EXPECT_FALSE(refused(examine_hardware(experiment, options, {}), "faults on purpose"));
}

TEST(HardwareArming, LatencyIsMeasuredForMinutesAndKept) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "gusset-kept-latency-test";
  std::filesystem::remove_all(folder);
  ASSERT_EQ(setenv("XDG_STATE_HOME", folder.c_str(), 1), 0);
  const Experiment experiment = Experiment::build(shipped("quickstart"));
  EXPECT_FALSE(kept_latency());
  EXPECT_TRUE(refused(examine_hardware(experiment, hardware(), kept_latency()), "measured latency"));
  KeptLatency measured = this_machine();
  measured.seconds = 10;
  EXPECT_FALSE(keep_latency(measured)) << "seconds say little";
  measured.seconds = 300;
  measured.worst = 80'000;
  measured.when = "2026-01-01T00:00:00Z";
  EXPECT_TRUE(keep_latency(measured));
  ASSERT_TRUE(kept_latency());
  EXPECT_FALSE(refused(examine_hardware(experiment, hardware(), kept_latency()), "measured latency"));
  // Later than half a period of this test.
  measured.worst = 600'000;
  EXPECT_TRUE(refused(examine_hardware(experiment, hardware(), measured), "measured latency"));
  // Another kernel starts anew.
  measured.kernel = "another";
  EXPECT_TRUE(keep_latency(measured));
  EXPECT_FALSE(kept_latency());
  unsetenv("XDG_STATE_HOME");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace gusset

// How the loop moves a rig besides the test itself, and how it notices one that does not move.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "link/local.hpp"
#include "realtime/path.hpp"
#include "supervise/frozen_watch.hpp"
#include "support/documents.hpp"
#include "support/run_scene.hpp"

namespace gusset {
namespace {

using namespace test;

TEST(Path, BringsAMotionToRest) {
  const double v = 0.3, time = 0.1, dt = 1e-6;
  const Path path(0.02, 0.02, 1, {v, time});
  EXPECT_NEAR(path.position(dt) - path.position(0), v * dt, 1e-4 * v * dt) << "begins as fast as it was";
  double farthest = 0;
  for (double t = 0; t < 1; t += 1e-4) farthest = std::max(farthest, path.position(t) - 0.02);
  // v·t·(1 − t/B)³ is largest at t = B/4.
  EXPECT_NEAR(farthest, Path::leads_on * v * time, 1e-9);
  const double curvature = (path.position(2 * dt) - 2 * path.position(dt) + path.position(0)) / (dt * dt);
  EXPECT_NEAR(curvature, -Path::brakes * v / time, 0.01 * Path::brakes * v / time);
  EXPECT_EQ(path.position(time), 0.02) << "and is over";
}

/// The operator ends the test here [s], where it moves outward at 0.1 m/s, farther than before.
constexpr double stop_time = 1.7;

Scene stopped_scene() {
  Scene scene;
  scene.at = [](double time, Operator& operators, MemorySink&) {
    if (time >= stop_time) operators.stops = 1;
  };
  return scene;
}

/// The test's commands and those of the way back, in a row.
std::vector<double> commands_of(const Outcome& outcome) {
  std::vector<double> all = outcome.sink->table("rig").channels[1].values;
  const std::vector<double>& back = outcome.sink->table("retreat").channels[0].values;
  all.insert(all.end(), back.begin(), back.end());
  return all;
}

TEST(RunLoop, RampsDownWithoutABump) {
  const Outcome outcome = run_scene(stopped_scene());
  ASSERT_EQ(outcome.result.first_out, Cause::operator_stop);
  const std::vector<double> all = commands_of(outcome);
  const std::size_t end = outcome.sink->table("rig").rows();
  const double dt = 1e-3, velocity = (all[end - 1] - all[end - 2]) / dt;
  ASSERT_GT(std::abs(velocity), 0.1) << "it was moving";
  // 6·v/0.1 s of braking, and the way back itself begins with nothing. Standing still at once would be v/dt.
  for (std::size_t i = end - 1; i + 1 < all.size(); ++i) {
    const double change = (all[i + 1] - 2 * all[i] + all[i - 1]) / (dt * dt);
    ASSERT_LE(std::abs(change), 1.1 * Path::brakes * std::abs(velocity) / 0.1) << i - end;
  }
  EXPECT_NEAR(all.back(), 0, 1e-9) << "back where it was found";
}

TEST(RunLoop, BrakesWithinItsStroke) {
  double reached = 0;
  const Outcome free = run_scene(stopped_scene());
  for (const double command : free.sink->table("rig").channels[1].values) {
    reached = std::max(reached, std::abs(command));
  }
  // Braking in a tenth of a second would take 1.1 mm.
  const double limit = reached + 0.3e-3;
  Scene scene = stopped_scene();
  scene.assignments = {"limits.displacement=" + std::to_string(1e3 * limit) + " mm"};
  const Outcome outcome = run_scene(scene);
  EXPECT_EQ(outcome.result.first_out, Cause::operator_stop);
  EXPECT_EQ(outcome.result.state, RunState::stopped) << "no limit is passed by stopping";
  EXPECT_LE(outcome.farthest, limit);
  EXPECT_GT(outcome.farthest, reached + 0.1e-3) << "but what room there is is used";
}

/// A rig that answers and does not move: its hydraulics are off.
class Stuck final : public Link {
 public:
  Stuck(Link& inner, double at) : inner_(inner), at_(at) {}
  bool send(const Message& message, const double* values) noexcept override {
    if (message.phase != LinkPhase::idle) farthest = std::max(farthest, std::abs(values[0] - at_));
    Message still = message;
    still.phase = LinkPhase::idle;
    return inner_.send(still, values);
  }
  bool receive(Message& message, double* values) noexcept override {
    if (!inner_.receive(message, values)) return false;
    values[0] = at_;
    return true;
  }
  void wait(std::int64_t) noexcept override {}
  const Hello& peer() const override { return inner_.peer(); }

  double farthest = 0;

 private:
  Link& inner_;
  double at_;
};

TEST(RunLoop, ARigThatDoesNotFollowTheApproachStopsIt) {
  const Document document = shipped("quickstart", {short_quickstart, "limits.tracking_error=2 mm"});
  LoopOptions options;
  options.settings = read_realtime(document);
  options.hardware = true;
  options.on_miss = OnMiss::trip;
  VirtualClock clock;
  const auto tested = make_test(document, shipped_records());
  LocalLink local(tested, hello_of(document, *tested.experiment, false));
  Stuck link(local, 20e-3);
  MemorySink sink(tested);
  RunLoop loop(tested, link, clock, sink, options);
  Operator operators;
  const LoopResult result = loop.run(operators);
  EXPECT_EQ(result.first_out, Cause::no_motion) << name_of(result.first_out);
  EXPECT_EQ(result.commands, 0) << "the test has not begun";
  EXPECT_LE(link.farthest, 2.1e-3) << "it would have lunged by 20 mm when the pressure came";
}

TEST(FrozenWatch, TellsAFrozenSensorFromACoarseOne) {
  // A slow sine, seen through a converter with steps of 0.1 mm; from the 1500th answer on it stands still.
  for (const bool freezes : {false, true}) {
    FrozenWatch watch(1);
    watch.start();
    int longest = 0, coarse = 0, same = 0;
    double before = -1, shown = 0;
    for (int i = 0; i < 3000; ++i) {
      const double command = 1e-3 * std::sin(2 * M_PI * 0.5 * 1e-3 * i);
      if (!freezes || i < 1500) shown = 1e-4 * std::round(command / 1e-4);
      watch.observe(0, command, shown);
      same = shown == before ? same + 1 : 0;
      before = shown;
      coarse = std::max(coarse, same);
      longest = std::max(longest, watch.answers(0));
    }
    EXPECT_GT(coarse, 100) << "at the crests a coarse sensor shows the same for long";
    if (freezes) {
      EXPECT_GT(longest, 1000);
    } else {
      EXPECT_EQ(longest, 0);
    }
  }
}

TEST(FrozenWatch, ADelayAtTheBeginningIsNoFreeze) {
  FrozenWatch watch(1);
  watch.start();
  for (int i = 0; i < 500; ++i) {
    const double command = 1e-3 * i, shown = i < 300 ? 0 : 1e-3 * (i - 300);
    watch.observe(0, command, shown);
    EXPECT_EQ(watch.answers(0), 0) << i;
  }
}

}  // namespace
}  // namespace gusset

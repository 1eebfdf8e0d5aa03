#include "support/run_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/simulation.hpp"
#include "link/local.hpp"
#include "realtime/faulty_link.hpp"
#include "support/documents.hpp"

namespace gusset::test {
namespace {

/// Sees every command that leaves.
class Spy final : public Link {
 public:
  explicit Spy(Link& inner, std::size_t channels) : inner_(inner), channels_(channels) {}
  bool send(const Message& message, const double* values) noexcept override {
    for (std::size_t c = 0; c < channels_; ++c) {
      const double* v = values + 4 * c;
      finite = finite && std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
      farthest = std::max(farthest, std::abs(v[0]));
      fastest = std::max(fastest, std::abs(v[1]));
    }
    last = message;
    if (message.phase == LinkPhase::stop) ++stops;
    return inner_.send(message, values);
  }
  bool receive(Message& message, double* values) noexcept override { return inner_.receive(message, values); }
  void wait(std::int64_t until) noexcept override { inner_.wait(until); }
  const Hello& peer() const override { return inner_.peer(); }

  bool finite = true;
  double farthest = 0, fastest = 0;
  Message last;
  int stops = 0;

 private:
  Link& inner_;
  std::size_t channels_;
};

/// Wakes late by `lateness` once, at a beat of the test.
class LateClock final : public VirtualClock {
 public:
  std::int64_t when = -1, lateness = 0;
  std::int64_t sleep_until(std::int64_t deadline) noexcept override {
    VirtualClock::sleep_until(deadline);
    if (when >= 0 && deadline >= when) {
      advance(lateness);
      when = -1;
    }
    return now();
  }
};

}  // namespace

const Test& plain_quickstart() {
  static const Test built = make_test(shipped("quickstart", {short_quickstart}), shipped_records());
  return built;
}

Outcome run_scene(const Scene& scene) {
  std::vector<std::string> assignments{short_quickstart};
  assignments.insert(assignments.end(), scene.assignments.begin(), scene.assignments.end());
  const Document document = shipped("quickstart", assignments);
  const Test test = make_test(document, shipped_records());
  const Experiment& experiment = *test.experiment;
  LoopOptions options;
  options.settings = read_realtime(document);
  options.hardware = scene.hardware;
  options.on_miss = options.settings.on_miss.value_or(OnMiss::catch_up);
  for (const char* fault : scene.faults) options.settings.faults.push_back(parse_fault(fault));

  LateClock clock;
  clock.when = scene.late_at;
  clock.lateness = scene.late_by;
  const Hello hello = hello_of(document, experiment, false);
  LocalLink local(test, hello);
  Spy spy(local, experiment.channels().size());
  FaultyLink link(spy, options.settings.faults, clock, hello.feedback.size(), experiment.rig_dt());
  auto sink = std::make_shared<MemorySink>(test);
  RunLoop loop(test, link, clock, *sink, options);
  Operator operators;
  loop.start();
  // A test that neither ends nor trips would go on for ever.
  for (int beats = 0; beats < 200'000; ++beats) {
    if (scene.at) scene.at(loop.status().time.load(), operators, *sink);
    if (!loop.beat(operators)) break;
  }
  return {loop.finish(), sink, spy.farthest, spy.fastest, spy.finite, spy.last, spy.stops};
}

void expect_prefix(const Outcome& outcome) {
  const Simulation simulation = simulate(plain_quickstart(), {.reference = false, .progress = {}});
  const Table& full = simulation.tables.at(1);
  const Table& found = outcome.sink->table("rig");
  const std::size_t rows = found.rows();
  EXPECT_EQ(rows, static_cast<std::size_t>(std::llround(outcome.result.time / 1e-3)) + 1);
  for (std::size_t c = 0; c < full.channels.size(); ++c) {
    for (std::size_t i = 0; i < rows; ++i) {
      ASSERT_EQ(found.channels[c].values[i], full.channels[c].values[i]) << full.channels[c].name << i;
    }
  }
}

}  // namespace gusset::test

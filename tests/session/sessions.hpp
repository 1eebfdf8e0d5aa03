#pragma once

#include <atomic>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "analysis/simulation.hpp"
#include "runs/run_file.hpp"
#include "runs/temporary_folder.hpp"
#include "session/session.hpp"

namespace gusset::test {

/// A virtual clock that calls back before every beat, on the loop's thread, and can stop there.
class ScriptedClock final : public VirtualClock {
 public:
  std::function<void(std::int64_t beat)> before;

  std::int64_t sleep_until(std::int64_t deadline) noexcept override {
    const std::int64_t now = VirtualClock::sleep_until(deadline);
    if (before) before(beat_++);
    return now;
  }

 private:
  std::int64_t beat_ = 0;
};

/// Where the loop waits for the test's own thread.
class Barrier {
 public:
  void wait_in_loop() {
    reached_.store(true);
    reached_.notify_all();
    open_.wait(false);
  }
  void until_reached() const { reached_.wait(false); }
  void open() {
    open_.store(true);
    open_.notify_all();
  }

 private:
  std::atomic<bool> reached_{false}, open_{false};
};

/// Beats before the test itself begins: reset, arming, 16 readings of rest.
inline constexpr std::int64_t first_test_beat = 30;

inline Loaded short_quickstart(std::vector<std::string> assignments = {}) {
  assignments.insert(assignments.begin(), {"duration=2 s", "realtime.longest_hold=1e6 s"});
  return open_experiment("quickstart", assignments);
}

inline SessionOptions into(const std::string& out, Clock* clock = nullptr) {
  SessionOptions options;
  options.out = out;
  options.clock = clock;
  options.lockstep = clock == nullptr;
  return options;
}

/// Arms, runs and finishes.
inline SessionResult run(Session& session) {
  if (session.arm().granted()) {
    session.start();
    session.wait();
  }
  return session.finish();
}

/// Every number of the tables of `simulate` the same in the run, bit for bit, until `end`? Empty, or where not.
inline std::string difference_from_simulate(const Run& run, const Test& test, double end = HUGE_VAL) {
  const Simulation simulation = simulate(test, {.reference = false, .progress = {}});
  for (const Table& table : simulation.tables) {
    for (const Trace& trace : table.channels) {
      const Trace* const found = run.find(table.name + "." + trace.name);
      const Trace* const recorded = found != nullptr ? found : run.find(trace.name);
      if (recorded == nullptr) return "no " + trace.name;
      if (recorded->values.size() != trace.values.size()) return "the length of " + trace.name;
      for (std::size_t i = 0; i < trace.values.size() && static_cast<double>(i) * table.step <= end; ++i) {
        if (recorded->values[i] != trace.values[i]) return trace.name + " " + std::to_string(i);
      }
    }
  }
  return {};
}

inline int count_events(const Run& run, const std::string& part) {
  int count = 0;
  for (const Event& event : run.events) count += event.text.find(part) != std::string::npos ? 1 : 0;
  return count;
}

}  // namespace gusset::test

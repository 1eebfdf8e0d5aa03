#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/run_bench.hpp"

namespace gusset::test {

/// What came of a scene, and of the commands that left.
struct Outcome {
  LoopResult result;
  std::shared_ptr<MemorySink> sink;
  double farthest = 0, fastest = 0;
  bool finite = true;
  Message last;
  int stops = 0;  ///< commands of LinkPhase::stop
};

/// A short quickstart on a virtual clock, with something going wrong.
struct Scene {
  std::vector<std::string> assignments;
  std::vector<const char*> faults;
  std::int64_t late_at = -1, late_by = 0;                       ///< [ns] of the clock
  std::function<void(double time, Operator&, MemorySink&)> at;  ///< called before each beat
  bool hardware = false;
};

inline constexpr const char* short_quickstart = "duration=2 s";
const Test& plain_quickstart();

Outcome run_scene(const Scene& scene);

/// Everything recorded until the end is what `simulate` has until then.
void expect_prefix(const Outcome& outcome);

}  // namespace gusset::test

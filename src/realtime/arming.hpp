#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/needs.hpp"
#include "build/experiment.hpp"
#include "realtime/pace.hpp"
#include "realtime/readiness.hpp"
#include "supervise/limits/limit.hpp"
#include "supervise/settings.hpp"

namespace gusset {

/// What is asked before anything may move.
struct ArmingItem {
  std::string name;
  bool ok = false;
  bool refuses = false;  ///< not ok: no test
  std::string detail;
};

struct Arming {
  std::vector<ArmingItem> items;

  bool granted() const;
  std::string to_json() const;
};

struct ArmingOptions {
  bool hardware = false;
  bool lockstep = false;  ///< no clock, so the machine's timing does not matter
  bool allow_degraded = false;
  bool force_unstable = false;
  bool operator_arms = true;              ///< somebody has said that a real rig may move
  std::optional<OnMiss> on_miss;          ///< as the file chooses it
  std::vector<std::string> faults;        ///< kinds of [[faults]] in the file
  std::vector<std::string> asked_faults;  ///< given with --fault
};

/// Refuses a loop with a stage that may not run in real time, by its name; nothing where all may.
std::optional<ArmingItem> examine_stages(const Loop& loop);

/// Stability, demand on the rig, limits, the machine: everything but the recorder and the link, without
/// which there is no loop to arm.
Arming examine_arming(const Experiment& experiment, const Review& review,
                      const std::vector<std::unique_ptr<Limit>>& limits, const Readiness& readiness,
                      const std::vector<Grant>& grants, const ArmingOptions& options);

}  // namespace gusset

#pragma once

#include <string>
#include <vector>

namespace gusset {

/// One property of the machine that a loop in real time depends on.
struct ReadinessCheck {
  std::string name;  ///< "kernel", "scheduling", "locked memory" …
  bool ok = false;
  bool required = false;    ///< without it no test on hardware; otherwise advice
  std::string found;        ///< what the machine has
  std::string consequence;  ///< what follows, where that is not enough
  std::string fix;          ///< a command, or what else to do
};

struct Readiness {
  std::vector<ReadinessCheck> checks;

  /// Every required check is good: what arming asks.
  bool fit() const;
  /// One JSON object: {"fit", "checks": [{"name", "ok", "required", "found", "consequence", "fix"}]}
  std::string to_json() const;
};

/// Looks at this machine as it is now, with the rights of this process. Takes a few milliseconds and
/// changes nothing that lasts.
Readiness examine();

}  // namespace gusset

#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "link/link.hpp"

namespace gusset {

/// One duty of a rig, tried.
struct RigFinding {
  enum class Verdict { right, wrong, untried };
  std::string duty;  ///< what a rig has to do
  Verdict verdict = Verdict::untried;
  std::string found;  ///< what it did
};

struct RigExaminationOptions {
  LinkOptions link;
  /// How far channels are moved from where they stand, ±; by the unit of their command. A channel whose unit has
  /// no amount is not moved, and what takes motion is not tried with it.
  std::vector<std::pair<std::string, double>> amounts{{"m", 0.5e-3}};
  double way = 1;        ///< how long a channel takes there and back [s]
  double silence = 1.5;  ///< how long to say nothing in mid-motion: longer than the rig's heartbeat [s]
  /// Also sends NaN, once. What a rig that follows it does nobody can say: with the oil off.
  bool try_nan = false;
  /// Set by whoever wants it to end: the rig is told to stop, and the examination is over.
  const std::atomic<bool>* stop = nullptr;
  /// Told as soon as it is known.
  std::function<void(const RigFinding&)> tell;
};

struct RigExamination {
  Hello peer;
  std::vector<RigFinding> findings;
  bool stopped = false;  ///< somebody ended it before its end

  /// Nothing was wrong, and everything was tried that was to be.
  bool conforms() const;
};

/// What the rig says of itself. `mine` may leave its lists of channels out; then they become the rig's.
Hello greet_rig(const Url& url, Hello& mine, const LinkOptions& options);

/// Plays a run with a rig that stands on blocks: every phase, numbers that come again, strangers, garbage, stop,
/// silence, and NaN where it is asked for. Each channel moves by a smooth path of a
/// second
///
///   x(t) = x₀ ± a·s(t),   s: 0 → 1 within 0.4 s (1 − cos), 1 for 0.2 s, back to 0 within 0.4 s
///
/// and by nothing else; a command that a rig must *not* follow asks for x₀ ± a. The sign is the one that leads back to
/// where the channel stood at the very first: whatever the rig does wrong, no channel is told to go further than a
/// from there, but for its noise. A channel has followed if the mean of the plateau's
/// second half came within a fifth of a, plus what the sensor's noise explains; it has stayed if that stays below.
///
/// Throws InputError where there is no rig, or it does not agree.
RigExamination examine_rig(const Url& url, Hello mine, const RigExaminationOptions& options);

}  // namespace gusset

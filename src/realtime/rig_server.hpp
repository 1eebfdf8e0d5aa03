#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "link/link.hpp"
#include "link/rig_core.hpp"

namespace gusset {

struct RigServerOptions {
  bool lockstep = false;
  bool coasts = false;     ///< goes on by its own clock when a command is late, instead of waiting
  double period = 1e-3;    ///< [s]
  double heartbeat = 0.1;  ///< a peer that is silent this long is gone [s]
  double patience = 10;    ///< the same in lockstep [s]
  bool once = false;       ///< one session only
  std::function<void(const std::string&)> log;  ///< not called while a session moves anything
};

/// What one session was.
struct RigSession {
  std::uint64_t commands = 0;
  Cause cause = Cause::none;    ///< why the rig stood still before the end
  bool moved = false;           ///< anything was commanded to move
  std::int64_t safe_after = 0;  ///< from the last command to standing still, where the peer was lost [ns]
  std::uint64_t refused = 0;
};

/// Serves a virtual rig to one peer after another until `stop`. While a session goes on, a silent peer
/// makes the rig stand still as soon as the heartbeat has passed.
///
/// With a test that is under way nothing is printed and nothing allocated.
class RigServer {
 public:
  RigServer(ServerLink& link, RigCore& core, RigServerOptions options);

  /// Returns the number of sessions.
  int serve(const std::atomic<bool>& stop);
  const RigSession& last() const { return session_; }

 private:
  void session(const std::atomic<bool>& stop) noexcept;
  void report() const;
  void note_refusals(const std::string& refusals);

  ServerLink& link_;
  RigCore& core_;
  RigServerOptions options_;
  RigSession session_;
  std::vector<double> values_, feedback_;
  double lines_ = 10;          ///< that may still be logged of refusals
  std::int64_t noted_at_ = 0;  ///< [ns]
  std::uint64_t unsaid_ = 0;   ///< refusals that were not logged
};

}  // namespace gusset

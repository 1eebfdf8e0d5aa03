#pragma once

#include <atomic>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "link/link.hpp"

namespace gusset {

/// Where a channel's numbers stand in commands and answers.
struct PlayedChannel {
  std::string name, unit;
  int value = -1, rate = -1;  ///< in a command
  int measured = -1;          ///< in an answer: the first signal of the channel in the command's unit
  double amount = 0;          ///< 0: not to be moved
};

/// The channels that two ends agreed on.
std::vector<PlayedChannel> played_channels(const Hello& hello);

/// Speaks to a rig as a run does: one command a period, each with a number of its own, and listens. If it is late it
/// makes up for nothing.
class RigPlayer {
 public:
  struct Answer {
    Message message;
    std::vector<double> values;
  };

  /// Somebody wants it to end; the rig has been told to stop.
  struct Stopped {};

  /// `stop`: looked at before every command.
  RigPlayer(Link& link, const Hello& agreed, const std::atomic<bool>* stop = nullptr);

  /// The numbers of the next command.
  std::vector<double>& command() { return command_; }
  /// The number of the last command.
  std::uint64_t number() const { return message_.sequence; }

  /// Sends a new command at the next beat and waits for its answer, at most `patience` seconds. Throws Stopped.
  std::optional<Answer> beat(LinkPhase phase, double patience = 0.05);
  /// The same with a number of the caller's.
  std::optional<Answer> say(LinkPhase phase, std::uint64_t number, double patience = 0.05);
  /// What has come by itself until then; the last of it.
  std::optional<Answer> listen(double seconds);

  /// Says nothing for a while.
  static void rest(double seconds);

  /// Of the answers to new commands.
  int asked() const { return asked_; }
  int answered() const { return answered_; }
  double slowest() const { return slowest_; }  ///< [s]
  double period() const { return 1e-9 * static_cast<double>(period_); }
  Link& link() { return link_; }

 private:
  void wait_for_beat();
  void stop_if_asked();

  Link& link_;
  const std::atomic<bool>* stop_;
  std::int64_t period_, next_ = 0;
  std::vector<double> command_, answer_;
  Message message_;
  int asked_ = 0, answered_ = 0;
  double slowest_ = 0;
};

/// Where a smooth way stands at a share of its time: 0 … 1 … 0, with a plateau from 0.4 to 0.6.
inline double smooth_way(double share) {
  const auto rise = [](double x) { return 0.5 - 0.5 * std::cos(3.14159265358979323846 * x / 0.4); };
  if (share <= 0 || share >= 1) return 0;
  return share < 0.4 ? rise(share) : share > 0.6 ? rise(1 - share) : 1;
}

}  // namespace gusset

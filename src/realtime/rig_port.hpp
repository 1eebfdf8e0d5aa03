#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "build/experiment.hpp"
#include "link/link.hpp"
#include "realtime/clock.hpp"
#include "supervise/cause.hpp"

namespace gusset {

/// The loop's side of the link: numbers the commands, waits for the answer that belongs to the last
/// one, asks again while it does not come, and tares the forces.
class RigPort {
 public:
  RigPort(const Experiment& experiment, Link& link, Clock& clock);

  /// Sends a new command. @rt-safe
  void send(LinkPhase phase, std::int64_t step, int substep, const std::vector<Command>& commands) noexcept;
  /// The last command once more. @rt-safe
  void repeat() noexcept;
  /// Whether the answer to the last command is there; takes it from the link if it has come. @rt-safe
  bool answered() noexcept;
  /// Whether anything was measured since it was asked last, if only the answer to an earlier command.
  bool news() noexcept { return std::exchange(news_, false); }
  /// Waits for the answer until `until`, on the clock of the machine. @rt-safe
  bool await(std::int64_t until) noexcept;

  /// Measured signals, forces tared, then the specimens' entries.
  const double* feedback() const noexcept { return feedback_.data(); }
  bool finite() const noexcept { return finite_; }
  LinkPhase phase() const noexcept { return answer_.phase; }
  Cause rig_cause() const noexcept;
  double position(std::size_t channel) const noexcept;
  double force(std::size_t channel) const noexcept;
  /// As measured; nothing where no velocity is.
  std::optional<double> velocity(std::size_t channel) const noexcept;
  std::size_t measured_count() const noexcept { return measured_; }

  /// Real time since the peer was heard [ns]. @rt-safe
  std::int64_t silence() const noexcept { return clock_.now() - heard_; }
  void expect(std::int64_t now) noexcept { heard_ = now; }
  bool connected() const noexcept { return !link_.lost(); }
  std::int64_t round_trip() const noexcept { return round_trip_; }
  std::int64_t sent_at() const noexcept { return sent_at_; }

  /// From now on `offset` is taken off the channel's force.
  void tare(std::size_t channel, double offset) noexcept;
  void wait(std::int64_t until) noexcept { link_.wait(until); }

 private:
  const Experiment& experiment_;
  Link& link_;
  Clock& clock_;
  std::size_t measured_ = 0;
  std::vector<std::size_t> position_places_, velocity_places_,
      force_places_;  ///< in the feedback, one a channel
  std::vector<double> values_, incoming_, feedback_, tare_;
  Message sent_, answer_;
  bool answered_ = true, finite_ = true, news_ = false;
  std::int64_t sent_at_ = 0, heard_ = 0, round_trip_ = 0;
};

}  // namespace gusset

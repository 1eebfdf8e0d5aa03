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
///
/// Only an answer whose number advances is a sign of life: a peer that repeats itself, or counts what was never
/// asked, is as good as silent.
class RigPort {
 public:
  RigPort(const Experiment& experiment, Link& link, Clock& clock);

  /// Sends a new command. @rt-safe
  void send(LinkPhase phase, std::int64_t step, int substep, const std::vector<Command>& commands) noexcept;
  /// The last command once more. @rt-safe
  void repeat() noexcept { link_.send(sent_, values_.data()); }
  /// The same, if it is time: after a period, then twice as long each time, up to four periods
  /// or as long as the last answer took. Why? A peer that reads one command at a time would never come to the end
  /// of them. @rt-safe
  void repeat_if_due() noexcept;
  /// Whether the answer to the last command is there; takes it from the link if it has come. @rt-safe
  bool answered() noexcept;
  /// From now on the answer to the last command, or to a later one, is asked for. @rt-safe
  void want_answer() noexcept { wanted_ = sent_.sequence; }
  /// Whether that is there. @rt-safe
  bool has_answer() noexcept {
    answered();
    return answer_.sequence >= wanted_;
  }
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
  /// As the load cell shows it, before anything is taken off.
  double untared(std::size_t channel) const noexcept;
  /// As measured; nothing where no velocity is.
  std::optional<double> velocity(std::size_t channel) const noexcept;
  std::size_t measured_count() const noexcept { return measured_; }
  /// Where a channel's signals stand in the feedback; nothing where they are not measured.
  std::optional<std::size_t> position_place(std::size_t channel) const noexcept {
    return place(position_places_[channel]);
  }
  std::optional<std::size_t> force_place(std::size_t channel) const noexcept {
    return place(force_places_[channel]);
  }
  /// The last command, as it left.
  const Message& sent() const noexcept { return sent_; }
  const double* sent_values() const noexcept { return values_.data(); }

  /// Since the peer owes an answer, or brought the last new one [ns]. Time in which nothing was asked does not
  /// count: a loop that was held up has no silent peer. @rt-safe
  std::int64_t silence() const noexcept {
    return answered_ ? 0 : clock_.now() - (heard_ > asked_at_ ? heard_ : asked_at_);
  }
  void expect(std::int64_t now) noexcept { heard_ = now; }
  bool connected() const noexcept { return !link_.lost(); }
  std::int64_t round_trip() const noexcept { return round_trip_; }
  std::int64_t sent_at() const noexcept { return sent_at_; }

  /// From now on `offset` is taken off the channel's force.
  void tare(std::size_t channel, double offset) noexcept;
  void wait(std::int64_t until) noexcept { link_.wait(until); }

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);  ///< the rig does not measure it
  static std::optional<std::size_t> place(std::size_t at) noexcept {
    return at == nowhere ? std::nullopt : std::optional<std::size_t>(at);
  }

  const Experiment& experiment_;
  Link& link_;
  Clock& clock_;
  std::size_t measured_ = 0;
  std::vector<std::size_t> position_places_, velocity_places_,
      force_places_;  ///< in the feedback, one a channel
  std::vector<double> values_, incoming_, feedback_, tare_;
  Message sent_, answer_;
  bool answered_ = true, finite_ = true, news_ = false;
  std::uint64_t wanted_ = 0;   ///< number of the command whose answer is asked for
  std::int64_t asked_at_ = 0;  ///< when the oldest command left that has no answer yet
  std::int64_t repeat_at_ = 0, repeat_after_ = 0;
  std::int64_t sent_at_ = 0, heard_ = 0, round_trip_ = 0;
};

}  // namespace gusset

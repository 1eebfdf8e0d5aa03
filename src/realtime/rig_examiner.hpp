#pragma once

#include <cmath>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "base/quantity_text.hpp"
#include "realtime/rig_examination.hpp"
#include "realtime/rig_player.hpp"

namespace gusset {

/// How an attempt to move a channel ended.
struct PlayedWay {
  double moved = 0;   ///< mean of the plateau's second half, from where it stood
  double others = 0;  ///< of the channel that moved most beside it, in its own amounts
  bool tripped = false;
  bool silent = false;  ///< answers did not come
  bool finite = true;
};

/// The examination of examine_rig(): sessions and motions in rig_examiner.cpp, the duties in rig_examination.cpp.
class RigExaminer {
 public:
  RigExaminer(const Url& url, Hello mine, const RigExaminationOptions& options);
  RigExamination examine();

 private:
  using Verdict = RigFinding::Verdict;
  static constexpr const char* no_motion = "no channel may be moved";
  static constexpr const char* lost = "no numbers came back: not tried";

  void note(const std::string& duty, Verdict verdict, const std::string& found) {
    result_.findings.push_back({duty, verdict, found});
    if (options_.tell) options_.tell(result_.findings.back());
  }
  void note(const std::string& duty, bool right, const std::string& found) {
    note(duty, right ? Verdict::right : Verdict::wrong, found);
  }
  std::string length(double value) const { return readable(value, first_->unit); }
  /// A new session. A rig may take a moment to see that the last one has ended.
  std::unique_ptr<Link> call();
  /// Reads where the rig stands, as a run does before it moves: 32 idle commands. False: nobody knows where it stands,
  /// and nothing may be commanded.
  bool settle(RigPlayer& player);
  /// Every channel where it stood.
  void stand(RigPlayer& player);
  void put(RigPlayer& player, std::size_t c, double offset, double rate) {
    player.command()[static_cast<std::size_t>(channels_[c].value)] = at_[c] + offset;
    if (channels_[c].rate >= 0) player.command()[static_cast<std::size_t>(channels_[c].rate)] = rate;
  }
  double measured(const RigPlayer::Answer& answer, std::size_t c) const {
    return answer.values[static_cast<std::size_t>(channels_[c].measured)] - at_[c];
  }
  std::size_t place(const PlayedChannel& channel) const {
    return static_cast<std::size_t>(&channel - channels_.data());
  }
  /// Beyond this a channel has moved, or not come where it was sent.
  double tolerance(std::size_t c) const { return 0.2 * std::abs(channels_[c].amount) + 2 * noise_[c]; }
  /// The smooth way of one channel in a phase.
  PlayedWay play(RigPlayer& player, const PlayedChannel& channel, LinkPhase phase);
  /// What a rig does with a command that it must not follow: where it stands afterwards.
  double after(RigPlayer& player, LinkPhase phase, int beats = 30);
  bool stayed(double moved) const { return std::abs(moved) <= tolerance(place(*first_)); }
  /// The first channel's command becomes x₀ + a.
  void tempt(RigPlayer& player) { put(player, place(*first_), first_->amount, 0); }
  void move_no_more(PlayedChannel& channel);
  void untried(std::initializer_list<const char*> duties, const char* why);

  // The duties, one after the other.
  void greeting();
  void answers_and_phases();
  /// The first command that moves asks for where the rig stands. If that is not where it then is, position and
  /// command are two things, and nothing here could say how far the next one goes.
  bool stands(RigPlayer& player);
  void repetitions();
  void strangers();
  /// Bytes in the name of the session that are no command of it, and ask for motion.
  void rubbish();
  void not_a_number();
  void stop();
  void silence();
  void leaving();

  Url url_;
  Hello mine_;
  const RigExaminationOptions& options_;
  RigExamination result_;
  std::vector<PlayedChannel> channels_;
  const PlayedChannel* first_ = nullptr;  ///< the first that may be moved
  std::vector<double> origin_;            ///< where each channel stood at the very first
  std::vector<double> at_, noise_;        ///< where it stands now, and how much it varies there
  bool tripped_ = false;
};

}  // namespace gusset

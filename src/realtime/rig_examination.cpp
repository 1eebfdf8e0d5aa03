#include "realtime/rig_examination.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/quantity_text.hpp"
#include "link/frame.hpp"
#include "realtime/rig_player.hpp"

namespace gusset {
namespace {

/// How an attempt to move a channel ended.
struct PlayedWay {
  double moved = 0;   ///< mean of the plateau's second half, from where it stood
  double others = 0;  ///< of the channel that moved most beside it, in its own amounts
  bool tripped = false;
  bool silent = false;  ///< answers did not come
  bool finite = true;
};

class RigExaminer {
 public:
  RigExaminer(const Url& url, Hello mine, const RigExaminationOptions& options)
      : url_(url), mine_(std::move(mine)), options_(options) {
    result_.peer = greet_rig(url_, mine_, options_.link);
    channels_ = played_channels(mine_);
    for (PlayedChannel& channel : channels_) {
      for (const auto& [unit, amount] : options_.amounts) {
        if (unit == channel.unit && channel.measured >= 0) channel.amount = amount;
      }
      if (channel.amount != 0 && first_ == nullptr) first_ = &channel;
    }
  }

  RigExamination examine() {
    greeting();
    answers_and_phases();
    repetitions();
    strangers();
    rubbish();
    not_a_number();
    stop();
    silence();
    leaving();
    return std::move(result_);
  }

 private:
  using Verdict = RigFinding::Verdict;
  static constexpr const char* no_motion = "no channel may be moved";

  void note(const std::string& duty, Verdict verdict, const std::string& found) {
    result_.findings.push_back({duty, verdict, found});
    if (options_.tell) options_.tell(result_.findings.back());
  }
  void note(const std::string& duty, bool right, const std::string& found) {
    note(duty, right ? Verdict::right : Verdict::wrong, found);
  }
  std::string length(double value) const { return readable(value, first_->unit); }

  /// A new session. A rig may take a moment to see that the last one has ended.
  std::unique_ptr<Link> call() {
    const std::int64_t until = monotonic_now() + 3'000'000'000;
    for (;;) {
      try {
        return connect_link(url_, mine_, options_.link);
      } catch (const InputError&) {
        if (monotonic_now() >= until) throw;
        RigPlayer::rest(0.1);
      }
    }
  }

  /// Reads where the rig stands, as a run does before it moves: 32 idle commands.
  bool settle(RigPlayer& player) {
    std::vector<double> low(channels_.size(), HUGE_VAL), high(channels_.size(), -HUGE_VAL);
    at_.assign(channels_.size(), 0);
    int heard = 0;
    for (int i = 0; i < 32; ++i) {
      const auto answer = player.beat(LinkPhase::idle);
      if (!answer) continue;
      ++heard;
      // From the first answer on even a rig that moves when it must not is told to stay.
      for (const PlayedChannel& channel : channels_) {
        if (channel.measured < 0 || i > 0) continue;
        player.command()[static_cast<std::size_t>(channel.value)] =
            answer->values[static_cast<std::size_t>(channel.measured)];
      }
      for (std::size_t c = 0; c < channels_.size(); ++c) {
        if (channels_[c].measured < 0) continue;
        const double x = answer->values[static_cast<std::size_t>(channels_[c].measured)];
        at_[c] += x;
        low[c] = std::min(low[c], x);
        high[c] = std::max(high[c], x);
      }
    }
    noise_.assign(channels_.size(), 0);
    for (std::size_t c = 0; c < channels_.size() && heard > 0; ++c) {
      at_[c] /= heard;
      if (channels_[c].measured >= 0) noise_[c] = high[c] - low[c];
    }
    if (origin_.empty() && heard > 0) origin_ = at_;
    for (std::size_t c = 0; c < channels_.size() && heard > 0; ++c) {
      channels_[c].amount = std::copysign(channels_[c].amount, origin_[c] - at_[c]);
    }
    stand(player);
    return heard > 0;
  }
  /// Every channel where it stood.
  void stand(RigPlayer& player) {
    std::fill(player.command().begin(), player.command().end(), 0.0);
    for (std::size_t c = 0; c < channels_.size(); ++c) put(player, c, 0, 0);
  }
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
  PlayedWay play(RigPlayer& player, const PlayedChannel& channel, LinkPhase phase) {
    const std::size_t c = place(channel);
    PlayedWay way;
    int samples = 0, missing = 0;
    const int beats = static_cast<int>(std::lround(options_.way / player.period()));
    for (int i = 0; i < beats; ++i) {
      const double share = static_cast<double>(i) / beats;
      const double next = smooth_way(static_cast<double>(i + 1) / beats), now = smooth_way(share);
      put(player, c, channel.amount * next, channel.amount * (next - now) / player.period());
      const auto answer = player.beat(phase);
      if (!answer) {
        if (++missing > 20 || player.link().lost()) {
          way.silent = true;
          break;
        }
        continue;
      }
      way.tripped = way.tripped || answer->message.phase == LinkPhase::tripped;
      for (const double x : answer->values) way.finite = way.finite && std::isfinite(x);
      if (share < 0.5 || share > 0.6) continue;
      ++samples;
      way.moved += measured(*answer, c);
      for (std::size_t o = 0; o < channels_.size(); ++o) {
        if (o == c || channels_[o].amount == 0) continue;
        way.others = std::max(way.others, std::abs(measured(*answer, o) / channels_[o].amount));
      }
    }
    if (samples > 0) way.moved /= samples;
    stand(player);
    return way;
  }
  /// What a rig does with a command that it must not follow: where it stands afterwards.
  double after(RigPlayer& player, LinkPhase phase, int beats = 30) {
    double moved = 0;
    for (int i = 0; i < beats; ++i) {
      const auto answer = player.beat(phase, 0.02);
      if (answer) moved = measured(*answer, place(*first_));
      if (answer && answer->message.phase == LinkPhase::tripped) tripped_ = true;
      if (player.link().lost()) break;
    }
    return moved;
  }
  bool stayed(double moved) const { return std::abs(moved) <= tolerance(place(*first_)); }
  /// The first channel's command becomes x₀ + a.
  void tempt(RigPlayer& player) { put(player, place(*first_), first_->amount, 0); }

  void greeting() {
    std::string found =
        result_.peer.rig.empty() ? "does not say what it is: taken for hardware" : "says " + result_.peer.rig;
    found += "; a command each " + readable(1e-9 * static_cast<double>(result_.peer.period), "s") + ";";
    for (const PlayedChannel& channel : channels_) {
      found += " " + channel.name + " [" + channel.unit + "]";
      if (channel.measured < 0)
        found += " (no answer in its unit)";
      else if (channel.amount == 0)
        found += " (not moved: no amount given)";
    }
    note("greets and names its channels", !channels_.empty() && result_.peer.period > 0, found);
  }

  void answers_and_phases() {
    const auto link = call();
    RigPlayer player(*link, mine_);
    const bool heard = settle(player);
    note("answers every command with its own number", heard && player.answered() == player.asked(),
         std::to_string(player.answered()) + " of " + std::to_string(player.asked()) +
             " idle commands answered, the slowest after " + readable(player.slowest(), "s"));
    if (first_ == nullptr || !heard) return;
    tempt(player);
    const double idle = after(player, LinkPhase::idle, 100);
    stand(player);
    note("does not move in phase 0, idle", stayed(idle), "moved by " + length(idle));
    if (!stands(player)) return;
    constexpr std::pair<LinkPhase, const char*> phases[] = {{LinkPhase::approach, "1, approach"},
                                                            {LinkPhase::test, "2, test"},
                                                            {LinkPhase::hold, "3, hold"},
                                                            {LinkPhase::retreat, "4, retreat"}};
    for (PlayedChannel& channel : channels_) {
      for (const auto& [phase, name] : phases) {
        if (channel.amount == 0) break;
        const PlayedWay way = play(player, channel, phase);
        std::string found = "told " + readable(channel.amount, channel.unit) + ", measured " +
                            readable(way.moved, channel.unit);
        bool right = std::abs(way.moved - channel.amount) <= tolerance(place(channel));
        if (!right && std::abs(way.moved + channel.amount) <= tolerance(place(channel))) {
          found += ": the wrong sign";
        }
        if (way.others > 0.2) {
          right = false;
          found += "; another channel moved as well";
        }
        if (way.tripped) found += "; says that it has tripped";
        if (way.silent) found += "; its answers ceased";
        if (!way.finite) found += "; answers that are no numbers";
        note("follows " + channel.name + " in phase " + name,
             right && !way.tripped && !way.silent && way.finite, found);
        // What does not do as it is told is not told any more.
        if (!right) move_no_more(channel);
      }
    }
    link->close();
  }
  /// The first command that moves asks for where the rig stands. If that is not where it then is, position and
  /// command are two things, and nothing here could say how far the next one goes.
  bool stands(RigPlayer& player) {
    std::string found;
    after(player, LinkPhase::approach, 50);
    const auto answer = player.beat(LinkPhase::approach);
    for (std::size_t c = 0; answer && c < channels_.size(); ++c) {
      if (channels_[c].amount == 0 || std::abs(measured(*answer, c)) <= tolerance(c)) continue;
      found += channels_[c].name + " moved by " + readable(measured(*answer, c), channels_[c].unit) + "; ";
    }
    const bool right = answer && found.empty();
    note("stands still when told to be where it is", right,
         right ? "stands" : found + "what it measures is not what it is told: not moved any more");
    for (PlayedChannel& channel : channels_) {
      if (!right) move_no_more(channel);
    }
    return right;
  }
  void move_no_more(PlayedChannel& channel) {
    channel.amount = 0;
    first_ = nullptr;
    for (const PlayedChannel& other : channels_) {
      if (other.amount != 0 && first_ == nullptr) first_ = &other;
    }
  }

  void repetitions() {
    const char* const again = "moves once for each number";
    const char* const older = "does not follow a number lower than the last";
    if (first_ == nullptr) return untried({again, older}, no_motion);
    const auto link = call();
    RigPlayer player(*link, mine_);
    settle(player);
    after(player, LinkPhase::test, 10);
    tempt(player);
    bool answered = true;
    double moved = 0;
    for (int i = 0; i < 30; ++i) {
      const auto answer = player.say(LinkPhase::test, player.number());
      answered = answered && answer;
      if (answer) moved = measured(*answer, place(*first_));
      RigPlayer::rest(player.period());
    }
    note(again, answered && stayed(moved),
         std::string(answered ? "answered again" : "a repeated number was not answered") + "; moved by " +
             length(moved));
    for (int i = 0; i < 10; ++i) {
      player.say(LinkPhase::test, player.number() - 5, 0.002);
      RigPlayer::rest(player.period());
    }
    stand(player);
    const auto answer = player.beat(LinkPhase::idle);
    moved = answer ? measured(*answer, place(*first_)) : 0;
    note(older, answer && stayed(moved), "moved by " + length(moved));
    link->close();
  }

  void strangers() {
    const char* const second = "refuses a second caller during a session";
    const auto link = call();
    RigPlayer player(*link, mine_);
    settle(player);
    std::string found = "refused";
    bool right = true;
    try {
      LinkOptions impatient = options_.link;
      impatient.patience = 0.5;
      connect_link(url_, mine_, impatient);
      right = false;
      found = "welcomed it";
    } catch (const InputError&) {
    }
    const bool alive = player.beat(LinkPhase::idle).has_value();
    note(second, right && alive, found + (alive ? "" : ", and the first one is no longer answered"));
    link->close();
  }

  /// Bytes in the name of the session that are no command of it, and ask for motion.
  void rubbish() {
    const char* const session = "does not follow another session's number";
    const char* const count = "does not follow a command with too many numbers";
    const char* const damaged = "does not follow a damaged frame";
    const char* const garbage = "survives garbage";
    if (first_ == nullptr) return untried({session, count, damaged, garbage}, no_motion);
    FrameCodec codec(options_.link.key);
    const auto frame = [&](RigPlayer& player, std::uint64_t of, std::size_t extra) {
      std::vector<double> values = player.command();
      values.resize(values.size() + extra, 0.0);
      Message message;
      message.sequence = player.number() + 1;
      message.phase = LinkPhase::test;
      return std::string(codec.encode(FrameType::command, of, message, values.data(), values.size()));
    };
    const auto attempt = [&](const char* duty, const auto& bytes_of) {
      const auto link = call();
      RigPlayer player(*link, mine_);
      settle(player);
      after(player, LinkPhase::test, 10);
      tempt(player);
      bool sent = false;
      for (int i = 0; i < 10; ++i) {
        sent = link->send_bytes(bytes_of(player)) || sent;
        RigPlayer::rest(player.period());
      }
      if (!sent) return note(duty, Verdict::untried, "this link carries no bytes");
      stand(player);
      std::optional<RigPlayer::Answer> answer;
      for (int i = 0; i < 20 && !answer && !link->lost(); ++i) answer = player.beat(LinkPhase::test);
      const bool over = !answer && (link->lost() || url_.scheme == "tcp");
      if (over) return note(duty, true, "ended the session, as a stream has to");
      const double moved = answer ? measured(*answer, place(*first_)) : 0;
      note(duty, answer && stayed(moved),
           answer ? "moved by " + length(moved) : std::string("no longer answers its own run"));
      link->close();
    };
    attempt(session, [&](RigPlayer& p) { return frame(p, p.link().session() ^ 0x5555, 0); });
    attempt(count, [&](RigPlayer& p) { return frame(p, p.link().session(), 1); });
    attempt(damaged, [&](RigPlayer& p) {
      std::string bytes = frame(p, p.link().session(), 0);
      bytes[frame_head + 3] = static_cast<char>(bytes[frame_head + 3] ^ 0x10);
      return bytes;
    });
    attempt(garbage, [&](RigPlayer&) {
      std::string bytes(500, 'G');
      unsigned seed = 12345;
      for (char& byte : bytes) byte = static_cast<char>((seed = seed * 1664525U + 1013904223U) >> 24U);
      return bytes;
    });
  }

  void not_a_number() {
    const char* const duty = "does not follow NaN, and trips";
    if (first_ == nullptr) return untried({duty}, no_motion);
    const auto link = call();
    RigPlayer player(*link, mine_);
    settle(player);
    after(player, LinkPhase::test, 10);
    tripped_ = false;
    put(player, place(*first_), std::numeric_limits<double>::quiet_NaN(), 0);
    const auto answer = player.beat(LinkPhase::test);
    tripped_ = answer && answer->message.phase == LinkPhase::tripped;
    tempt(player);
    const double moved = after(player, LinkPhase::test);
    const bool over = link->lost();
    note(duty, (over || tripped_) && stayed(moved),
         over ? "ended the session"
              : std::string(tripped_ ? "tripped" : "did not trip") + "; then moved by " + length(moved));
    link->close();
  }

  void stop() {
    const char* const duty = "stays after phase 5, stop, until the next session";
    const char* const next = "serves the next session";
    if (first_ == nullptr) return untried({duty, next}, no_motion);
    {
      const auto link = call();
      RigPlayer player(*link, mine_);
      settle(player);
      after(player, LinkPhase::test, 10);
      for (int i = 0; i < 3; ++i) player.beat(LinkPhase::stop, 0.02);
      tempt(player);
      const double moved = after(player, LinkPhase::test);
      note(duty, stayed(moved), "moved by " + length(moved));
      link->close();
    }
    const auto link = call();
    RigPlayer player(*link, mine_);
    const bool heard = settle(player);
    const PlayedWay way = heard ? play(player, *first_, LinkPhase::test) : PlayedWay{};
    note(next, heard && std::abs(way.moved - first_->amount) <= tolerance(place(*first_)),
         heard ? "moved by " + length(way.moved) : std::string("no answers"));
    link->close();
  }

  void silence() {
    const char* const duty = "stops by itself when commands cease, and stays";
    if (first_ == nullptr) return untried({duty}, no_motion);
    const auto link = call();
    RigPlayer player(*link, mine_);
    settle(player);
    const std::size_t c = place(*first_);
    const double rate = first_->amount / (options_.way / 2);
    const int beats = static_cast<int>(std::lround(options_.way / 4 / player.period()));
    std::optional<RigPlayer::Answer> last;
    for (int i = 1; i <= beats; ++i) {
      put(player, c, rate * i * player.period(), rate);
      if (const auto answer = player.beat(LinkPhase::test)) last = answer;
    }
    const double before = last ? measured(*last, c) : 0;
    player.listen(options_.silence);
    tripped_ = false;
    put(player, c, first_->amount, 0);
    const auto answer = player.beat(LinkPhase::test, 0.2);
    const double coasted = answer ? measured(*answer, c) - before : 0;
    const double moved = after(player, LinkPhase::test);
    const bool over = link->lost() || !answer;
    tripped_ = tripped_ || (answer && answer->message.phase == LinkPhase::tripped);
    note(duty, over || (tripped_ && std::abs(coasted) <= std::abs(first_->amount) / 2 + 2 * noise_[c]),
         over ? "ended the session within " + readable(options_.silence, "s")
              : (tripped_ ? "tripped" : "did not trip within " + readable(options_.silence, "s")) +
                    std::string("; went on by ") + length(coasted) + ", then to " + length(moved));
    link->close();
  }

  void leaving() {
    const char* const duty = "stands still when the run leaves in motion";
    if (first_ == nullptr) return untried({duty}, no_motion);
    {
      const auto link = call();
      RigPlayer player(*link, mine_);
      settle(player);
      const double rate = first_->amount / (options_.way / 2);
      const int beats = static_cast<int>(std::lround(options_.way / 4 / player.period()));
      for (int i = 1; i <= beats; ++i) {
        put(player, place(*first_), rate * i * player.period(), rate);
        player.beat(LinkPhase::test);
      }
      link->close();
    }
    const auto link = call();
    RigPlayer player(*link, mine_);
    settle(player);
    RigPlayer::rest(0.3);
    const double moved = after(player, LinkPhase::idle, 10);
    note(duty, stayed(moved), "moved by " + length(moved) + " in the next session's first moments");
    link->close();
  }

  void untried(std::initializer_list<const char*> duties, const char* why) {
    for (const char* duty : duties) note(duty, Verdict::untried, why);
  }

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

}  // namespace

bool RigExamination::conforms() const {
  return std::none_of(findings.begin(), findings.end(), [](const RigFinding& finding) {
    return finding.verdict == RigFinding::Verdict::wrong;
  });
}

Hello greet_rig(const Url& url, Hello& mine, const LinkOptions& options) {
  const std::unique_ptr<Link> link = connect_link(url, mine, options);
  const Hello peer = link->peer();
  if (mine.only_asks()) {
    mine.commands = peer.commands;
    mine.feedback = peer.feedback;
  }
  if (peer.period > 0) mine.period = peer.period;
  link->close();
  return peer;
}

RigExamination examine_rig(const Url& url, Hello mine, const RigExaminationOptions& options) {
  return RigExaminer(url, std::move(mine), options).examine();
}

}  // namespace gusset

#include "realtime/rig_examination.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "link/frame.hpp"
#include "realtime/rig_examiner.hpp"

// What a rig has to do, and how it is tried.

namespace gusset {

RigExamination RigExaminer::examine() {
  try {
    greeting();
    answers_and_phases();
    repetitions();
    strangers();
    rubbish();
    not_a_number();
    stop();
    silence();
    leaving();
  } catch (const RigPlayer::Stopped&) {
    result_.stopped = true;
  }
  return std::move(result_);
}

void RigExaminer::greeting() {
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

void RigExaminer::answers_and_phases() {
  const auto link = call();
  RigPlayer player(*link, mine_, options_.stop);
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

bool RigExaminer::stands(RigPlayer& player) {
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

void RigExaminer::repetitions() {
  const char* const again = "moves once for each number";
  const char* const older = "does not follow a number lower than the last";
  if (first_ == nullptr) return untried({again, older}, no_motion);
  const auto link = call();
  RigPlayer player(*link, mine_, options_.stop);
  if (!settle(player)) return note(again, false, lost);
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

void RigExaminer::strangers() {
  const char* const second = "refuses a second caller during a session";
  const auto link = call();
  RigPlayer player(*link, mine_, options_.stop);
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

void RigExaminer::rubbish() {
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
    if (first_ == nullptr) return untried({duty}, no_motion);
    const auto link = call();
    RigPlayer player(*link, mine_, options_.stop);
    if (!settle(player)) return note(duty, false, lost);
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

void RigExaminer::not_a_number() {
  const char* const duty = "does not follow NaN, and trips";
  if (!options_.try_nan) return untried({duty}, "only where it is asked for: with the oil off");
  if (first_ == nullptr) return untried({duty}, no_motion);
  const auto link = call();
  RigPlayer player(*link, mine_, options_.stop);
  if (!settle(player)) return note(duty, false, lost);
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

void RigExaminer::stop() {
  const char* const duty = "stays after phase 5, stop, until the next session";
  const char* const next = "serves the next session";
  if (first_ == nullptr) return untried({duty, next}, no_motion);
  {
    const auto link = call();
    RigPlayer player(*link, mine_, options_.stop);
    if (!settle(player)) return note(duty, false, lost);
    after(player, LinkPhase::test, 10);
    for (int i = 0; i < 3; ++i) player.beat(LinkPhase::stop, 0.02);
    tempt(player);
    const double moved = after(player, LinkPhase::test);
    note(duty, stayed(moved), "moved by " + length(moved));
    link->close();
  }
  const auto link = call();
  RigPlayer player(*link, mine_, options_.stop);
  if (!settle(player)) return note(next, false, lost);
  const PlayedWay way = play(player, *first_, LinkPhase::test);
  note(next, std::abs(way.moved - first_->amount) <= tolerance(place(*first_)),
       "moved by " + length(way.moved));
  link->close();
}

void RigExaminer::silence() {
  const char* const duty = "stops by itself when commands cease, and stays";
  if (first_ == nullptr) return untried({duty}, no_motion);
  const auto link = call();
  RigPlayer player(*link, mine_, options_.stop);
  if (!settle(player)) return note(duty, false, lost);
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

void RigExaminer::leaving() {
  const char* const duty = "stands still when the run leaves in motion";
  if (first_ == nullptr) return untried({duty}, no_motion);
  {
    const auto link = call();
    RigPlayer player(*link, mine_, options_.stop);
    if (!settle(player)) return note(duty, false, lost);
    const double rate = first_->amount / (options_.way / 2);
    const int beats = static_cast<int>(std::lround(options_.way / 4 / player.period()));
    for (int i = 1; i <= beats; ++i) {
      put(player, place(*first_), rate * i * player.period(), rate);
      player.beat(LinkPhase::test);
    }
    link->close();
  }
  const auto link = call();
  RigPlayer player(*link, mine_, options_.stop);
  if (!settle(player)) return note(duty, false, lost);
  RigPlayer::rest(0.3);
  const double moved = after(player, LinkPhase::idle, 10);
  note(duty, stayed(moved), "moved by " + length(moved) + " in the next session's first moments");
  link->close();
}

bool RigExamination::conforms() const {
  return !stopped && std::none_of(findings.begin(), findings.end(), [](const RigFinding& finding) {
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

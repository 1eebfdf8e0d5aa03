#include "realtime/rig_player.hpp"

#include <time.h>

#include <algorithm>

namespace gusset {
namespace {

int place_of(const std::vector<std::pair<std::string, std::string>>& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].first == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

std::vector<PlayedChannel> played_channels(const Hello& hello) {
  std::vector<PlayedChannel> channels;
  for (std::size_t i = 0; i < hello.commands.size(); ++i) {
    const auto& [signal, unit] = hello.commands[i];
    constexpr std::string_view ending = ".command";
    if (!signal.ends_with(ending)) continue;
    PlayedChannel channel;
    channel.name = signal.substr(0, signal.size() - ending.size());
    channel.unit = unit;
    channel.value = static_cast<int>(i);
    channel.rate = place_of(hello.commands, signal + ".rate");
    for (std::size_t j = 0; j < hello.feedback.size() && channel.measured < 0; ++j) {
      if (hello.feedback[j].second == unit && hello.feedback[j].first.starts_with(channel.name + ".")) {
        channel.measured = static_cast<int>(j);
      }
    }
    channels.push_back(channel);
  }
  return channels;
}

RigPlayer::RigPlayer(Link& link, const Hello& agreed, const std::atomic<bool>* stop)
    : link_(link),
      stop_(stop),
      period_(agreed.period > 0 ? agreed.period : 1'000'000),
      command_(agreed.commands.size()),
      answer_(agreed.feedback.size()) {}

void RigPlayer::wait_for_beat() {
  const std::int64_t now = monotonic_now();
  if (next_ <= now) {
    next_ = now + period_;
    return;
  }
  timespec until{next_ / 1'000'000'000, next_ % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
  next_ += period_;
}

void RigPlayer::rest(double seconds) {
  const std::int64_t length = std::llround(1e9 * seconds);
  const timespec span{length / 1'000'000'000, length % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, 0, &span, nullptr);
}

/// Three times, as a run does: a frame may be lost.
void RigPlayer::stop_if_asked() {
  if (stop_ == nullptr || !stop_->load()) return;
  for (int i = 0; i < 3; ++i) say(LinkPhase::stop, message_.sequence + 1, 0.01);
  throw Stopped{};
}

std::optional<RigPlayer::Answer> RigPlayer::beat(LinkPhase phase, double patience) {
  wait_for_beat();
  stop_if_asked();
  ++asked_;
  message_.time += period_;
  ++message_.step;
  const std::int64_t sent = monotonic_now();
  std::optional<Answer> answer = say(phase, message_.sequence + 1, patience);
  if (answer) {
    ++answered_;
    slowest_ = std::max(slowest_, 1e-9 * static_cast<double>(monotonic_now() - sent));
  }
  return answer;
}

std::optional<RigPlayer::Answer> RigPlayer::say(LinkPhase phase, std::uint64_t number, double patience) {
  Message message = message_;
  message.sequence = number;
  message.phase = phase;
  if (number > message_.sequence) message_ = message;
  if (!link_.send(message, command_.data())) return {};
  const std::int64_t until = monotonic_now() + std::llround(1e9 * patience);
  for (;;) {
    Message reply;
    while (link_.receive(reply, answer_.data())) {
      if (reply.sequence == number) return Answer{reply, answer_};
    }
    if (link_.lost() || monotonic_now() >= until) return {};
    link_.wait(until);
  }
}

std::optional<RigPlayer::Answer> RigPlayer::listen(double seconds) {
  const std::int64_t until = monotonic_now() + std::llround(1e9 * seconds);
  std::optional<Answer> last;
  Message reply;
  while (monotonic_now() < until && !link_.lost()) {
    stop_if_asked();
    link_.wait(std::min(until, monotonic_now() + 50'000'000));
    while (link_.receive(reply, answer_.data())) last = Answer{reply, answer_};
  }
  return last;
}

}  // namespace gusset

#include "realtime/rig_examiner.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace gusset {

RigExaminer::RigExaminer(const Url& url, Hello mine, const RigExaminationOptions& options)
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

std::unique_ptr<Link> RigExaminer::call() {
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

bool RigExaminer::settle(RigPlayer& player) {
  std::vector<double> low(channels_.size(), HUGE_VAL), high(channels_.size(), -HUGE_VAL);
  at_.assign(channels_.size(), 0);
  int heard = 0;
  for (int i = 0; i < 32; ++i) {
    const auto answer = player.beat(LinkPhase::idle);
    if (!answer) continue;
    ++heard;
    // From the first answer on even a rig that moves when it must not is told to stay.
    for (const PlayedChannel& channel : channels_) {
      if (channel.measured < 0 || heard > 1) continue;
      const double stands_at = answer->values[static_cast<std::size_t>(channel.measured)];
      if (!std::isfinite(stands_at)) continue;
      player.command()[static_cast<std::size_t>(channel.value)] = stands_at;
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
  // Where a rig stands that shows no numbers nobody knows, and nothing is commanded from there.
  const bool known = std::all_of(at_.begin(), at_.end(), [](double x) { return std::isfinite(x); });
  if (!known) {
    note("measures numbers", false, "not finite at rest: not moved any more");
    for (PlayedChannel& channel : channels_) move_no_more(channel);
    std::fill(at_.begin(), at_.end(), 0.0);
    stand(player);
    return false;
  }
  if (origin_.empty() && heard > 0) origin_ = at_;
  for (std::size_t c = 0; c < channels_.size() && heard > 0; ++c) {
    channels_[c].amount = std::copysign(channels_[c].amount, origin_[c] - at_[c]);
  }
  stand(player);
  return heard > 0;
}

void RigExaminer::stand(RigPlayer& player) {
  std::fill(player.command().begin(), player.command().end(), 0.0);
  for (std::size_t c = 0; c < channels_.size(); ++c) put(player, c, 0, 0);
}

PlayedWay RigExaminer::play(RigPlayer& player, const PlayedChannel& channel, LinkPhase phase) {
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

double RigExaminer::after(RigPlayer& player, LinkPhase phase, int beats) {
  double moved = 0;
  for (int i = 0; i < beats; ++i) {
    const auto answer = player.beat(phase, 0.02);
    if (answer) moved = measured(*answer, place(*first_));
    if (answer && answer->message.phase == LinkPhase::tripped) tripped_ = true;
    if (player.link().lost()) break;
  }
  return moved;
}

void RigExaminer::move_no_more(PlayedChannel& channel) {
  channel.amount = 0;
  first_ = nullptr;
  for (const PlayedChannel& other : channels_) {
    if (other.amount != 0 && first_ == nullptr) first_ = &other;
  }
}

void RigExaminer::untried(std::initializer_list<const char*> duties, const char* why) {
  for (const char* duty : duties) note(duty, Verdict::untried, why);
}

}  // namespace gusset

#include "realtime/rig_port.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

constexpr std::int64_t longest_repeat = 100'000'000;  ///< between two repetitions [ns]

}  // namespace

RigPort::RigPort(const Experiment& experiment, Link& link, Clock& clock)
    : experiment_(experiment), link_(link), clock_(clock) {
  const Loop::Cut& cut = experiment.cut();
  const auto index_of = [&](const std::string& name, const char* unit) {
    const auto found = std::find_if(cut.feedback.begin(), cut.feedback.end(), [&](const Row::Entry& entry) {
      return entry.name() == name && entry.signal.unit == unit;
    });
    return found != cut.feedback.end() ? static_cast<std::size_t>(found - cut.feedback.begin()) : nowhere;
  };
  for (const Row::Entry& entry : cut.feedback) measured_ += entry.published ? 1 : 0;
  const std::size_t channels = experiment.channels().size();
  for (const Channel& channel : experiment.channels()) {
    const std::size_t measured = index_of(channel.name() + ".measured", "m");
    // A table's "measured" is its acceleration.
    position_places_.push_back(measured != nowhere ? measured
                                                   : index_of(channel.name() + ".displacement", "m"));
    velocity_places_.push_back(index_of(channel.name() + ".velocity", "m/s"));
    force_places_.push_back(index_of(channel.name() + ".force", "N"));
  }
  values_.resize(cut.commands.size());
  incoming_.resize(cut.feedback.size());
  feedback_ = incoming_;
  tare_.resize(channels);
}

void RigPort::send(LinkPhase phase, std::int64_t step, int substep,
                   const std::vector<Command>& commands) noexcept {
  double* value = values_.data();
  for (const Command& command : commands) {
    *value++ = command.value;
    *value++ = command.rate;
    *value++ = command.curvature;
    *value++ = command.start_rate;
  }
  ++sent_.sequence;
  sent_.phase = phase;
  sent_.step = step;
  sent_.substep = substep;
  sent_.time = std::llround(
      1e9 * (experiment_.dt() * static_cast<double>(step) + experiment_.rig_dt() * (substep + 1)));
  sent_at_ = clock_.now();
  if (answered_) asked_at_ = sent_at_;
  answered_ = false;
  repeat_after_ = std::llround(0.9e9 * experiment_.rig_dt());
  repeat_at_ = sent_at_ + repeat_after_;
  link_.send(sent_, values_.data());
}

void RigPort::repeat_if_due() noexcept {
  const std::int64_t now = clock_.now();
  if (now < repeat_at_) return;
  const std::int64_t most = std::max<std::int64_t>(std::llround(4e9 * experiment_.rig_dt()), round_trip_);
  repeat_after_ = std::min({2 * repeat_after_, most, longest_repeat});
  repeat_at_ = now + repeat_after_;
  repeat();
}

bool RigPort::answered() noexcept {
  Message message;
  while (!answered_ && link_.receive(message, incoming_.data())) {
    if (message.sequence <= answer_.sequence || message.sequence > sent_.sequence) continue;
    heard_ = clock_.now();
    // The answer to an earlier command is a measurement all the same, and the newest there is.
    answered_ = message.sequence == sent_.sequence;
    if (answered_) round_trip_ = heard_ - sent_at_;
    news_ = true;
    answer_ = message;
    std::copy(incoming_.begin(), incoming_.end(), feedback_.begin());
    for (std::size_t c = 0; c < tare_.size(); ++c) {
      if (force_places_[c] != nowhere) feedback_[force_places_[c]] -= tare_[c];
    }
    finite_ = std::all_of(feedback_.begin(), feedback_.begin() + static_cast<std::ptrdiff_t>(measured_),
                          [](double value) { return std::isfinite(value); });
  }
  return answered_;
}

bool RigPort::await(std::int64_t until) noexcept {
  while (!answered()) {
    if (monotonic_now() >= until || link_.lost()) return answered();
    link_.wait(until);
  }
  return true;
}

Cause RigPort::rig_cause() const noexcept {
  if (answer_.phase != LinkPhase::tripped) return Cause::none;
  return answer_.cause == 0 || answer_.cause >= cause_count ? Cause::rig : static_cast<Cause>(answer_.cause);
}

double RigPort::position(std::size_t channel) const noexcept {
  return position_places_[channel] == nowhere ? 0 : feedback_[position_places_[channel]];
}
std::optional<double> RigPort::velocity(std::size_t channel) const noexcept {
  if (velocity_places_[channel] == nowhere) return std::nullopt;
  return feedback_[velocity_places_[channel]];
}
double RigPort::force(std::size_t channel) const noexcept {
  return force_places_[channel] == nowhere ? 0 : feedback_[force_places_[channel]];
}

double RigPort::untared(std::size_t channel) const noexcept { return force(channel) + tare_[channel]; }

void RigPort::tare(std::size_t channel, double offset) noexcept {
  if (force_places_[channel] == nowhere) return;
  tare_[channel] = offset;
  feedback_[force_places_[channel]] -= offset;
}

}  // namespace gusset

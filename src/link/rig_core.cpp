#include "link/rig_core.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

/// Commands that may have been lost on the way, and so lie between two that jump.
constexpr std::uint64_t most_lost = 8;
/// Commands come a little late and a little early; more than this is haste.
constexpr double spare_periods = 2;

}  // namespace

RigCore::RigCore(const Test& test)
    : experiment_(*test.experiment),
      start_(test.start()),
      state_(start_.state),
      wires_(start_.row),
      frame_{state_, wires_},
      guards_(experiment_.guards()),
      motion_(experiment_.channels().size(), experiment_.substeps(), experiment_.rig_dt()) {
  const Loop::Cut& cut = experiment_.cut();
  for (std::size_t i = 0; i < cut.commands.size(); i += 4)
    command_ports_.push_back({cut.commands[i].port.at});
  for (const Row::Entry& entry : cut.feedback) {
    feedback_ports_.push_back(entry.port);
    Guard guard;
    if (const Channel* channel = experiment_.channel_of(entry.name())) {
      if (entry.signal.unit == "m") guard.displacement = channel->limits.displacement;
      // The shear under a specimen is no actuator's force.
      if (entry.signal.name.starts_with(channel->name() + ".force")) guard.force = channel->limits.force;
    }
    feedback_guards_.push_back(guard);
  }
  for (const Channel& channel : experiment_.channels()) {
    positions_.push_back(experiment_.loop().row().bind(channel.followed(), channel.unit()).port);
  }
  feedback_.resize(feedback_ports_.size());
  last_.resize(command_ports_.size());
  credit_.resize(command_ports_.size());
  reset();
}

void RigCore::reset() {
  state_ = start_.state;
  wires_ = start_.row;
  cause_ = Cause::none;
  testing_ = false;
  sequence_ = followed_ = 0;
  followed_at_ = no_clock;
  std::fill(credit_.begin(), credit_.end(), spare_periods * experiment_.rig_dt());
  reply_ = {};
  for (std::size_t i = 0; i < feedback_.size(); ++i) feedback_[i] = wires_[feedback_ports_[i]];
  for (std::size_t c = 0; c < last_.size(); ++c) {
    last_[c] = {};
    last_[c].value = wires_[command_ports_[c].value()];
    motion_.rest_at(c, last_[c].value);
  }
  motion_.forget();
}

void RigCore::trip(Cause cause) noexcept {
  if (cause_ == Cause::none) cause_ = cause;
}

void RigCore::read_feedback() noexcept {
  for (std::size_t i = 0; i < feedback_.size(); ++i) {
    feedback_[i] = wires_[feedback_ports_[i]];
    const Guard& guard = feedback_guards_[i];
    if (!std::isfinite(feedback_[i])) trip(Cause::non_finite);
    if (beyond(feedback_[i], guard.displacement)) trip(Cause::stroke);
    if (beyond(feedback_[i], guard.force)) trip(Cause::force);
  }
}

void RigCore::follow(int substep) noexcept {
  frame_.substep = substep;
  frame_.trial = experiment_.loop().is_trial(substep);
  frame_.tick = state_.step * experiment_.substeps() + substep;
  experiment_.loop().through_rig(frame_);
  read_feedback();
}

/// How far the command is from the last one; the first of a session may also begin where the rig is.
double RigCore::jump(std::size_t channel, double to) const noexcept {
  const double distance = std::abs(to - last_[channel].value);
  if (followed_ != 0) return distance;
  return std::min(distance, std::abs(to - wires_[positions_[channel]]));
}

/// Takes the time that the way needs at the velocity's limit off what the channel has.
bool RigCore::too_hasty(std::size_t channel, double distance) noexcept {
  const Guard& guard = guards_[channel];
  if (guard.force_control || !guard.velocity) return false;
  credit_[channel] -= distance / *guard.velocity;
  return !(credit_[channel] >= -1e-9 * experiment_.rig_dt());
}

void RigCore::coast() noexcept {
  if (cause_ != Cause::none || !testing_) return;
  for (std::size_t c = 0; c < last_.size(); ++c) {
    wires_.put(command_ports_[c], {last_[c].value, 0, 0, 0});
  }
  follow(0);
}

void RigCore::answer(const Message& command, const double* values, Message& reply, double* feedback,
                     std::int64_t now) noexcept {
  const auto channels = last_.size();
  if (command.sequence <= sequence_ && command.phase != LinkPhase::stop) {
    reply = reply_;
    std::copy(feedback_.begin(), feedback_.end(), feedback);
    return;
  }
  sequence_ = command.sequence;
  if (command.phase == LinkPhase::stop) trip(Cause::emergency);
  const bool moves = command.phase == LinkPhase::approach || command.phase == LinkPhase::test ||
                     command.phase == LinkPhase::hold || command.phase == LinkPhase::retreat;
  if (moves && cause_ == Cause::none) {
    const std::uint64_t periods = followed_ == 0 ? 1 : std::min(command.sequence - followed_, most_lost);
    const double seconds = experiment_.rig_dt() * static_cast<double>(periods);
    const bool clocked = now != no_clock && followed_at_ != no_clock;
    const double passed = clocked ? 1e-9 * static_cast<double>(now - followed_at_) : seconds;
    const double most = seconds + spare_periods * experiment_.rig_dt();
    for (std::size_t c = 0; c < channels; ++c) {
      const double* v = values + 4 * c;
      const Command own{v[0], v[1], v[2], v[3]};
      wires_.put(command_ports_[c], own);
      const Cause broken = check_command(guards_[c], own);
      if (broken != Cause::none) trip(broken);
      const double distance = jump(c, own.value);
      if (too_fast(guards_[c], distance, seconds)) trip(Cause::velocity);
      credit_[c] = std::min(credit_[c] + passed, most);
      if (now != no_clock && too_hasty(c, distance)) trip(Cause::velocity);
      // Within a step of the test a ramp has not finished its change of velocity; and the loop, which knows how
      // the command is shaped, judges to the number. Here it is a second look: half as much again is too much.
      const bool test = command.phase == LinkPhase::test;
      const bool whole = !test || (testing_ && command.substep + 1 >= experiment_.substeps());
      const double change = whole ? motion_.acceleration(c, own.value, seconds) / (test ? 1.5 : 1.0) : 0;
      if (!guards_[c].force_control && beyond(change, guards_[c].acceleration)) trip(Cause::acceleration);
    }
    if (cause_ == Cause::none) {
      if (command.phase == LinkPhase::test && !testing_) {
        state_ = start_.state;  // same sizes: copies without allocating
        testing_ = true;
        for (std::size_t c = 0; c < channels; ++c) {
          motion_.rest_at(c, start_.row[command_ports_[c].value()]);
        }
        motion_.forget();
      }
      state_.step = command.step;  // sensors' noise is drawn by the step's number
      const int substep = std::clamp<int>(command.substep, 0, experiment_.substeps() - 1);
      follow(substep);
      for (std::size_t c = 0; c < channels; ++c) last_[c] = wires_.command(command_ports_[c]);
      motion_.sent(last_, seconds);
      followed_ = command.sequence;
      followed_at_ = now;
    }
  }
  reply = command;
  reply.phase = cause_ == Cause::none ? command.phase : LinkPhase::tripped;
  reply.cause = static_cast<std::uint32_t>(cause_);
  reply_ = reply;
  std::copy(feedback_.begin(), feedback_.end(), feedback);
}

}  // namespace gusset

#include "link/rig_core.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

/// Commands that may have been lost on the way, and so lie between two that jump.
constexpr std::uint64_t most_lost = 8;

}  // namespace

RigCore::RigCore(const Test& test)
    : experiment_(*test.experiment),
      start_(test.start()),
      state_(start_.state),
      wires_(start_.row),
      frame_{state_, wires_},
      guards_(experiment_.guards()) {
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
  reset();
}

void RigCore::reset() {
  state_ = start_.state;
  wires_ = start_.row;
  cause_ = Cause::none;
  testing_ = false;
  sequence_ = followed_ = 0;
  reply_ = {};
  for (std::size_t i = 0; i < feedback_.size(); ++i) feedback_[i] = wires_[feedback_ports_[i]];
  for (std::size_t c = 0; c < last_.size(); ++c) {
    last_[c] = {};
    last_[c].value = wires_[command_ports_[c].value()];
  }
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

void RigCore::coast() noexcept {
  if (cause_ != Cause::none || !testing_) return;
  for (std::size_t c = 0; c < last_.size(); ++c) {
    wires_.put(command_ports_[c], {last_[c].value, 0, 0, 0});
  }
  follow(0);
}

void RigCore::answer(const Message& command, const double* values, Message& reply,
                     double* feedback) noexcept {
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
    for (std::size_t c = 0; c < channels; ++c) {
      const double* v = values + 4 * c;
      const Command own{v[0], v[1], v[2], v[3]};
      wires_.put(command_ports_[c], own);
      const Cause broken = check_command(guards_[c], own);
      if (broken != Cause::none) trip(broken);
      if (too_fast(guards_[c], jump(c, own.value), seconds)) trip(Cause::velocity);
    }
    if (cause_ == Cause::none) {
      if (command.phase == LinkPhase::test && !testing_) {
        state_ = start_.state;  // same sizes: copies without allocating
        testing_ = true;
      }
      state_.step = command.step;  // sensors' noise is drawn by the step's number
      const int substep = std::clamp<int>(command.substep, 0, experiment_.substeps() - 1);
      follow(substep);
      for (std::size_t c = 0; c < channels; ++c) last_[c] = wires_.command(command_ports_[c]);
      followed_ = command.sequence;
    }
  }
  reply = command;
  reply.phase = cause_ == Cause::none ? command.phase : LinkPhase::tripped;
  reply.cause = static_cast<std::uint32_t>(cause_);
  reply_ = reply;
  std::copy(feedback_.begin(), feedback_.end(), feedback);
}

}  // namespace gusset

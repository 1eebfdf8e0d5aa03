#include "link/rig_core.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

/// Commands that may have been lost on the way, and so lie between two that jump.
constexpr std::uint64_t most_lost = 8;

}  // namespace

RigCore::RigCore(const Experiment& experiment)
    : experiment_(experiment),
      start_(experiment.start()),
      state_(start_.state),
      output_(experiment.output()),
      guards_(experiment.guards()),
      places_(experiment.measured_places()) {
  for (const Signal& signal : experiment.measured_signals()) {
    Guard guard;
    if (signal.unit == "m") guard.displacement = experiment.limits_of(signal.name).displacement;
    if (signal.unit == "N") guard.force = experiment.limits_of(signal.name).force;
    measured_guards_.push_back(guard);
  }
  for (const Experiment::SpecimenEntry& entry : experiment.specimen_entries()) {
    entries_.push_back(entry.index);
  }
  for (std::size_t c = 0; c < guards_.size(); ++c) {
    const auto found = std::find(places_.begin(), places_.end(), experiment.places(c).measured);
    positions_.push_back(found == places_.end() ? -1 : found - places_.begin());
  }
  measured_.resize(places_.size() + entries_.size());
  last_.resize(output_.commands.size());
  reset();
}

void RigCore::reset() {
  state_ = start_.state;
  cause_ = Cause::none;
  testing_ = false;
  sequence_ = followed_ = 0;
  reply_ = {};
  for (std::size_t i = 0; i < places_.size(); ++i) {
    measured_[i] = start_.row[static_cast<std::size_t>(places_[i])];
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    measured_[places_.size() + i] = state_.values[static_cast<std::size_t>(entries_[i])];
  }
  for (std::size_t c = 0; c < last_.size(); ++c) {
    last_[c] = {};
    last_[c].value = start_.row[static_cast<std::size_t>(experiment_.places(c).command)];
  }
}

void RigCore::trip(Cause cause) noexcept {
  if (cause_ == Cause::none) cause_ = cause;
}

void RigCore::read_measured(int substep) noexcept {
  const double* row =
      output_.rows.data() + static_cast<std::ptrdiff_t>(substep) * experiment_.row_width();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    measured_[i] = row[places_[i]];
    const Guard& guard = measured_guards_[i];
    if (!std::isfinite(measured_[i])) trip(Cause::non_finite);
    if (beyond(measured_[i], guard.displacement)) trip(Cause::stroke);
    if (beyond(measured_[i], guard.force)) trip(Cause::force);
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    measured_[places_.size() + i] = state_.values[static_cast<std::size_t>(entries_[i])];
  }
}

void RigCore::follow(int substep) noexcept {
  experiment_.rig(substep, state_, output_);
  read_measured(substep);
}

/// How far the command is from the last one; the first of a session may also begin where the rig is.
double RigCore::jump(std::size_t channel, double to) const noexcept {
  const double distance = std::abs(to - last_[channel].value);
  if (followed_ != 0 || positions_[channel] < 0) return distance;
  return std::min(distance, std::abs(to - measured_[static_cast<std::size_t>(positions_[channel])]));
}

void RigCore::coast() noexcept {
  if (cause_ != Cause::none || !testing_) return;
  for (std::size_t c = 0; c < last_.size(); ++c) {
    output_.commands[c] = {};
    output_.commands[c].value = last_[c].value;
  }
  follow(0);
}

void RigCore::answer(const Message& command, const double* values, Message& reply,
                     double* feedback) noexcept {
  const auto channels = last_.size();
  if (command.sequence <= sequence_ && command.phase != Phase::stop) {
    reply = reply_;
    std::copy(measured_.begin(), measured_.end(), feedback);
    return;
  }
  sequence_ = command.sequence;
  if (command.phase == Phase::stop) trip(Cause::emergency);
  const bool moves = command.phase == Phase::approach || command.phase == Phase::test ||
                     command.phase == Phase::hold || command.phase == Phase::retreat;
  if (moves && cause_ == Cause::none) {
    const std::uint64_t periods =
        followed_ == 0 ? 1 : std::min(command.sequence - followed_, most_lost);
    const double seconds = experiment_.rig_dt() * static_cast<double>(periods);
    for (std::size_t c = 0; c < channels; ++c) {
      const double* v = values + 4 * c;
      Command& own = output_.commands[c];
      own = {v[0], v[1], v[2], v[3]};
      const Cause broken = check_command(guards_[c], own);
      if (broken != Cause::none) trip(broken);
      if (too_fast(guards_[c], jump(c, own.value), seconds)) trip(Cause::velocity);
    }
    if (cause_ == Cause::none) {
      if (command.phase == Phase::test && !testing_) {
        state_ = start_.state;  // same sizes: copies without allocating
        testing_ = true;
      }
      state_.step = command.step;  // sensors' noise is drawn by the step's number
      const int substep = std::clamp<int>(command.substep, 0, experiment_.substeps() - 1);
      follow(substep);
      std::copy(output_.commands.begin(), output_.commands.end(), last_.begin());
      followed_ = command.sequence;
    }
  }
  reply = command;
  reply.phase = cause_ == Cause::none ? command.phase : Phase::tripped;
  reply.cause = static_cast<std::uint32_t>(cause_);
  reply_ = reply;
  std::copy(measured_.begin(), measured_.end(), feedback);
}

}  // namespace gusset

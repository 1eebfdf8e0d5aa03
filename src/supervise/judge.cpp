#include "supervise/judge.hpp"

#include <cmath>

namespace gusset {
namespace {

void raise(double& peak, double value) noexcept {
  // Written so that a NaN becomes the peak instead of being passed over.
  if (!(std::abs(value) <= peak)) peak = std::abs(value);
}

}  // namespace

std::string signal_of(const Finding& finding, std::span<const Channel> channels) {
  const auto index = static_cast<std::size_t>(finding.channel);
  if (index >= channels.size()) return "rig";
  const Channel& channel = channels[index];
  const bool own = finding.cause == (channel.control == Control::displacement ? Cause::stroke
                                     : channel.control == Control::force      ? Cause::force
                                                                              : Cause::acceleration);
  if (finding.commanded && own) return channel.name() + ".command";
  const auto what = [&] {
    switch (finding.cause) {
      case Cause::stroke: return channel.control == Control::acceleration ? ".displacement" : ".measured";
      case Cause::velocity: return ".velocity";
      case Cause::acceleration: return ".acceleration";
      case Cause::tracking: return finding.of_force ? ".force_error" : ".tracking_error";
      case Cause::energy: return ".energy";
      default: return ".force";
    }
  };
  return channel.name() + what();
}

const char* unit_of(const Finding& finding) {
  switch (finding.cause) {
    case Cause::stroke: return "m";
    case Cause::tracking: return finding.of_force ? "N" : "m";
    case Cause::velocity: return "m/s";
    case Cause::acceleration: return "m/s^2";
    case Cause::energy: return "J";
    default: return "N";
  }
}

LimitJudge::LimitJudge(std::span<const Channel> channels, const std::vector<Guard>& guards, const Loop& loop,
                       const LimitSettings& settings, double dt, double rig_dt)
    : rig_dt_(rig_dt),
      substeps_(loop.substeps()),
      snapshot_(channels.size()),
      commands_(channels.size(), dt, rig_dt),
      tracking_(channels.size(), rig_dt),
      speeds_(channels.size(), rig_dt),
      positions_(channels.size()),
      peaks_(channels.size()) {
  const Row& row = loop.row();
  const auto port = [&](const std::string& name, const char* unit) {
    return row.has(name) && row.find(name).signal.unit == unit ? row.find(name).port : Port{};
  };
  for (const Channel& channel : channels) {
    const std::string& name = channel.name();
    Port position = port(name + ".measured", "m");
    if (!position.bound()) position = port(name + ".displacement", "m");  // a table measures its acceleration
    ports_.push_back({channel.control,
                      {row.find(name + ".target").port.at},
                      {row.find(name + ".command").port.at},
                      position,
                      port(name + ".velocity", "m/s"),
                      port(name + ".force", "N")});
  }
  for (auto& limit : make_limits({guards, true, rig_dt, settings, false})) {
    if (limit->of_the_loop()) limits_.push_back(std::move(limit));
  }
}

template <class Read>
void LimitJudge::look(double time, bool commanded, Read read) noexcept {
  if (first_) return;
  Finding finding;
  for (const auto& limit : limits_) {
    if (limit->action() <= Action::indicate || limit->action() <= finding.action) continue;
    const Reading reading = read(*limit);
    if (!(reading.use > 1)) continue;
    finding = {
        limit->cause(),
        limit->action(),
        reading.channel,
        reading.value,
        std::abs(reading.value) / reading.use,
        time,
        commanded,
        reading.channel >= 0 && ports_[static_cast<std::size_t>(reading.channel)].control == Control::force};
  }
  if (finding.action != Action::none) first_ = finding;
}

void LimitJudge::start(const Wires& row) {
  first_.reset();
  for (std::size_t c = 0; c < ports_.size(); ++c) {
    const Ports& own = ports_[c];
    commands_.start(c, row[own.command.value()]);
    positions_[c] = own.position.bound() ? row[own.position] : 0;
    snapshot_.positions[c] = positions_[c];
    snapshot_.errors[c] = 0;
    snapshot_.forces[c] = snapshot_.untared[c] = own.force.bound() ? row[own.force] : 0;
    speeds_.start(c, positions_[c]);
    raise(peaks_[c].displacement, snapshot_.positions[c]);
    raise(peaks_[c].force, snapshot_.forces[c]);
    if (own.control != Control::displacement) continue;
    tracking_.start(c, row[own.target.value()], positions_[c], snapshot_.forces[c]);
  }
  look(0, false, [&](const Limit& limit) { return limit.measured(snapshot_); });
}

void LimitJudge::commanded(const Frame& frame) noexcept {
  const bool ends_step = frame.substep + 1 == substeps_;
  for (std::size_t c = 0; c < ports_.size(); ++c) {
    const Command command = frame.row.command(ports_[c].command);
    snapshot_.commands[c] = command;
    snapshot_.rates[c] = commands_.velocity(c, command);
    snapshot_.accelerations[c] = commands_.acceleration(c, command, ends_step);
    commands_.sent(c, command, ends_step);
    switch (ports_[c].control) {
      case Control::displacement:
        raise(peaks_[c].displacement, command.value);
        raise(peaks_[c].velocity, command.rate);
        raise(peaks_[c].velocity, snapshot_.rates[c] / (1 + 1e-9));
        raise(peaks_[c].acceleration, snapshot_.accelerations[c]);
        break;
      case Control::force: raise(peaks_[c].force, command.value); break;
      case Control::acceleration: raise(peaks_[c].acceleration, command.value); break;
    }
  }
  look(end_of(frame), true, [&](const Limit& limit) { return limit.commanded(snapshot_); });
}

void LimitJudge::measured(const Frame& frame) noexcept {
  for (std::size_t c = 0; c < ports_.size(); ++c) {
    const Ports& own = ports_[c];
    const double position = own.position.bound() ? frame[own.position] : 0;
    const double force = own.force.bound() ? frame[own.force] : 0;
    const double speed = speeds_.observe(c, position, 1);
    if (own.control == Control::displacement) {
      snapshot_.velocities[c] = speed;
    } else {
      snapshot_.velocities[c] =
          own.velocity.bound() ? frame[own.velocity] : (position - positions_[c]) / rig_dt_;
    }
    snapshot_.positions[c] = positions_[c] = position;
    snapshot_.forces[c] = snapshot_.untared[c] = force;
    raise(peaks_[c].displacement, position);
    raise(peaks_[c].velocity, snapshot_.velocities[c]);
    raise(peaks_[c].force, force);
    const double target = frame[own.target.value()];
    if (own.control == Control::force && own.force.bound()) {
      snapshot_.errors[c] = force - target;
      raise(peaks_[c].tracking_error, snapshot_.errors[c]);
    }
    if (own.control != Control::displacement) continue;
    tracking_.observe(c, target, position, force);
    snapshot_.errors[c] = position - target;
    snapshot_.energies[c] = tracking_.energy(c);
    raise(peaks_[c].tracking_error, position - target);
    raise(peaks_[c].energy, snapshot_.energies[c] < 0 ? 0 : snapshot_.energies[c]);
  }
  look(end_of(frame), false, [&](const Limit& limit) { return limit.measured(snapshot_); });
}

}  // namespace gusset

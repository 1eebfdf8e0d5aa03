#include "rig/stages.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rig/signal_delay.hpp"

namespace gusset {

RigStage::RigStage(Site& site, const Rig& rig, std::span<const Channel* const> channels, Specimen specimen,
                   std::span<const Kept> state)
    : rig_(rig), specimen_(std::move(specimen)) {
  for (const Kept& kept : state) site.keep(kept);
  for (const Channel* channel : channels) {
    places_.push_back({site.bind_command(channel->name() + ".command", channel->unit()), {}});
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    std::vector<Signal> signals = rig.signals(c);
    for (Signal& signal : signals) signal.name = channels[c]->name() + "." + signal.name;
    places_[c].signals = site.claim(signals);
  }
}

void RigStage::start(Frame& frame, const LinearStart& motion) const {
  rig_.start(frame.state, specimen_(motion), RigRow(frame.row, places_.data()));
}

SensorStage::SensorStage(Site& site, const Sensors& sensors, const Channel& channel, const Kept& state)
    : sensors_(sensors) {
  site.keep(state);
  for (int q = 0; q < Sensors::most; ++q) {
    const char* signal = Sensors::signal_of(channel.control, q);
    if (signal == nullptr) continue;
    const std::string name = channel.name() + "." + signal;
    const char* unit = Sensors::unit_of(q);
    const Port value = site.amend(name, unit);
    sensed_.push_back({q, value, site.claim(name + "_true", unit)});
  }
}

void SensorStage::run(Frame& frame) const noexcept {
  for (const Sensed& sensed : sensed_) {
    double& value = frame[sensed.value];
    frame[sensed.truth] = value;
    value = sensors_.step(sensed.quantity, frame.state, value);
  }
  sensors_.count(frame.state);
}

void SensorStage::start(Frame& frame, const LinearStart&) const {
  for (const Sensed& sensed : sensed_) {
    double& value = frame[sensed.value];
    frame[sensed.truth] = value;
    sensors_.rest(sensed.quantity, frame.state, value);
    // Through the sensor as any other sample, without moving it.
    State rest = frame.state;
    value = sensors_.step(sensed.quantity, rest, value);
  }
  sensors_.count(frame.state);
}

LateCommandStage::LateCommandStage(Site& site, const std::string& command, const std::string& unit,
                                   bool displacement, double delay, double dt, Layout& layout)
    : displacement_(displacement), dt_(dt) {
  const DelaySteps steps = delay_steps(delay, dt);
  whole_ = steps.whole;
  fraction_ = steps.fraction;
  command_ = site.bind_command(command, unit);
  late_ = site.claim_command(command + ".late", unit, false);
  const LayoutMark mark = layout.mark();
  history_ =
      layout.add(command, "late", unit == "N" ? "N" : "m", entries * (whole_ + 1), unit == "N" ? 1.0 : 1e-3);
  site.keep(layout.since(mark));
}

void LateCommandStage::run(Frame& frame) const noexcept {
  double* history = frame.at(history_);
  const Command& now = frame.row.command(command_);
  const double newest[entries] = {now.value, now.rate, now.curvature};
  const double* piece = whole_ == 0 ? newest : history + entries * (whole_ - 1);
  const double* before = history + entries * whole_;
  Command late;
  if (displacement_) {
    const double gone = fraction_ * dt_;
    late = {piece[0] - gone * (piece[1] - 0.5 * gone * piece[2]), piece[1] - gone * piece[2], piece[2],
            piece[1] - dt_ * piece[2]};
    if (fraction_ > 0) late.start_rate = before[1] - gone * before[2];
    if (whole_ == 0 && fraction_ == 0) late.start_rate = now.start_rate;
  } else {
    late.value = piece[0] + fraction_ * (before[0] - piece[0]);
    late.rate = late.start_rate = piece[1] + fraction_ * (before[1] - piece[1]);
  }
  frame.row.put(late_, late);
  std::memmove(history + entries, history,
               sizeof(double) * static_cast<std::size_t>(history_.size - entries));
  std::memcpy(history, newest, sizeof newest);
}

void LateCommandStage::start(Frame& frame, const LinearStart&) const {
  const Command first = frame.row.command(command_);
  double* history = frame.at(history_);
  for (int i = 0; i < history_.size; i += entries) {
    history[i] = first.value;
    history[i + 1] = history[i + 2] = 0;
  }
  // A rig that is told late finds itself at rest.
  const bool late = whole_ > 0 || fraction_ > 0;
  frame.row.put(late_, late ? Command{first.value, 0, 0, 0} : first);
}

}  // namespace gusset

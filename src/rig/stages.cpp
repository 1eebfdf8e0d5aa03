#include "rig/stages.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "rig/signal_delay.hpp"

namespace gusset {

RigStage::RigStage(Site& site, const Rig& rig, const Channel& channel, double displacement, double velocity,
                   std::span<const Kept> state)
    : rig_(rig), displacement_(displacement), velocity_(velocity) {
  for (const Kept& kept : state) site.keep(kept);
  command_ = site.bind_command(channel.name() + ".command", channel.unit());
  std::vector<Signal> signals = rig.signals();
  for (Signal& signal : signals) signal.name = channel.name() + "." + signal.name;
  measured_ = site.claim(signals);
}

void RigStage::start(Frame& frame, const LinearStart&) const {
  rig_.start(frame.state, motion_of(frame.row.command(command_)), displacement_, velocity_,
             frame.at(measured_));
}

AssemblyStage::AssemblyStage(Site& site, const Assembly& assembly, std::span<const Channel> channels,
                             Relative relative, std::span<const Kept> state)
    : assembly_(assembly), relative_(std::move(relative)) {
  for (const Kept& kept : state) site.keep(kept);
  for (const Channel& channel : channels) {
    commands_.push_back(site.bind_command(channel.name() + ".command", channel.unit()));
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    std::vector<Signal> signals = assembly.signals(c);
    for (Signal& signal : signals) signal.name = channels[c].name() + "." + signal.name;
    first_.push_back(site.claim(signals).at);
  }
  together_ = site.scratch(4 * static_cast<int>(channels.size()));
}

void AssemblyStage::run(Frame& frame) const noexcept {
  CommandPort to{together_.at};
  for (const CommandPort from : commands_) {
    std::copy_n(frame.row.data() + from.at, 4, frame.row.data() + to.at);
    to.at += 4;
  }
  const auto* commands = reinterpret_cast<const Command*>(frame.at(together_));
  assembly_.advance(frame.trial, frame.state, commands, {frame.row.data(), first_.data()});
}

void AssemblyStage::start(Frame& frame, const LinearStart& motion) const {
  std::vector<double> commands;
  for (const CommandPort port : commands_) commands.push_back(frame[port.value()]);
  assembly_.start(frame.state, relative_(motion), commands.data(), {frame.row.data(), first_.data()});
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

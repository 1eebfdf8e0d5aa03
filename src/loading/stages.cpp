#include "loading/stages.hpp"

#include "base/linear_system.hpp"
#include "structure/structure.hpp"

namespace gusset {

std::vector<Signal> input_signals() {
  return {{"ground.acceleration", "m/s^2"},
          {"ground.displacement", "m"},
          {"ground.increment", "m"},
          {"ground.next_increment", "m"},
          {"ground.next_acceleration", "m/s^2"}};
}

BeginStage::BeginStage(Site& site, const Method& method, std::span<const Channel> channels, int floors,
                       const Kept& state, LoadingPorts& ports)
    : method_(method) {
  site.keep(state);
  for (const Signal& signal : input_signals()) {
    const Port one = site.bind(signal.name, signal.unit);
    if (!ports.input.bound()) ports.input.at = one.at;
    ++ports.input.size;
  }
  const auto floors_of = [&](const char* what, const char* unit) {
    std::vector<Signal> signals;
    for (int i = 0; i < floors; ++i) signals.push_back({Structure::name_of(i) + "." + what, unit});
    return site.claim(signals);
  };
  if (method.wires() > 0) {
    ports.displacement = floors_of("displacement", "m");
    ports.velocity = floors_of("velocity", "m/s");
    ports.acceleration = floors_of("acceleration", "m/s^2");
    ports.work = site.scratch((method.wires() - 3) * floors);
  } else {
    ports.displacement = ports.velocity = ports.acceleration = ports.work = site.scratch(0);
  }
  std::vector<Signal> goals;
  for (const Channel& channel : channels) {
    const std::string name = channel.name() + ".goal", unit = channel.unit();
    goals.push_back({name, unit});
    goals.push_back({name + ".rate", unit + "/s"});
    goals.push_back({name + ".curvature", unit + "/s^2"});
  }
  ports.pieces = goals.empty() ? site.scratch(0) : site.claim(goals, false);
  ports.lines = site.scratch(static_cast<int>(method.lines_size()));
  ports.first = site.scratch(4 * static_cast<int>(channels.size()));
  ports_ = ports;
}

void BeginStage::run(Frame& frame) const noexcept {
  method_.begin(frame.state, input(frame), ports_.response(frame.row), ports_.goals(frame.row),
                frame.at(ports_.lines));
}

void BeginStage::start(Frame& frame, const LinearStart& motion) const {
  const auto channels = static_cast<std::size_t>(ports_.first.size / 4);
  std::vector<Command> targets(channels);
  method_.start(frame.state, motion, input(frame), targets.data());
  for (std::size_t c = 0; c < channels; ++c) {
    frame.row.put({ports_.first.at + 4 * static_cast<int>(c)}, targets[c]);
  }
}

DrawStage::DrawStage(Site& site, std::span<const Channel> channels, const std::vector<bool>& compensated,
                     double dt, const LoadingPorts& ports)
    : dt_(dt), ports_(ports), count_(static_cast<int>(channels.size())) {
  for (const Channel& channel : channels) {
    const std::string unit = channel.unit();
    site.bind(channel.name() + ".goal", unit);
    const CommandPort target = site.claim_command(channel.name() + ".target", unit);
    if (targets_.at < 0) targets_ = target;
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const std::string& name = channels[c].name();
    if (!compensated[c]) site.alias_command(name + ".command", name + ".target");
  }
}

void DrawStage::run(Frame& frame) const noexcept {
  const Piece* piece = ports_.goals(frame.row);
  const double s = (frame.substep + 1) * dt_;
  CommandPort target = targets_;
  for (int c = 0; c < count_; ++c, ++piece, target.at += 4) {
    evaluate(*piece, s, dt_, frame.row.data() + target.at);
  }
}

void DrawStage::start(Frame& frame, const LinearStart&) const {
  for (int i = 0; i < 4 * count_; ++i) frame.row.data()[targets_.at + i] = frame.at(ports_.first)[i];
}

FeedStage::FeedStage(Site& site, std::span<const Way> ways) {
  site.share(loading_stage);
  for (const Way& way : ways) ways_.emplace_back(way.to, site.bind(way.signal, way.unit));
}

CorrectStage::CorrectStage(Site& site, const Method& method, std::span<const Channel> channels,
                           std::span<const std::string> forces, const LoadingPorts& ports)
    : method_(method), ports_(ports) {
  site.share(loading_stage);
  for (std::size_t c = 0; c < forces.size(); ++c) {
    forces_.push_back(site.bind(forces[c], "N"));
    positions_.push_back(site.bind(channels[c].name() + ".measured", "m"));
  }
  for (const Channel& channel : channels) site.amend(channel.name() + ".goal", channel.unit());
  measured_ = site.scratch(2 * static_cast<int>(forces.size()));
}

void CorrectStage::run(Frame& frame) const noexcept {
  if (!method_.corrects_after(frame.substep)) return;
  double* forces = frame.at(measured_);
  double* positions = forces + forces_.size();
  for (std::size_t c = 0; c < forces_.size(); ++c) {
    forces[c] = frame[forces_[c]];
    positions[c] = frame[positions_[c]];
  }
  method_.correct(frame.substep, frame.state, forces, positions, ports_.response(frame.row),
                  ports_.goals(frame.row), frame.at(ports_.lines));
}

SettleStage::SettleStage(Site& site, const Method& method, const LoadingPorts& ports)
    : method_(method), ports_(ports) {
  site.share(loading_stage);
}

}  // namespace gusset

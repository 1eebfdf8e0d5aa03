// The loop of a test: its stages in the order in which they run.

#include <algorithm>

#include "build/experiment.hpp"
#include "compensate/stages.hpp"
#include "rig/stages.hpp"

namespace gusset {
namespace {

/// Of a rig: its channel's name, or that of what all its channels act on.
std::string rig_stage(const Channel& first) {
  return first.control == Control::displacement ? first.name() + ".rig" : "specimen";
}

/// Puts the stages of a test's parts on a loop.
class Wiring {
 public:
  Wiring(ExperimentParts& parts, Loop& loop, LoadingPorts& ports)
      : parts_(parts), loop_(loop), ports_(ports) {}
  void wire();

 private:
  void wire_rig();
  void wire_feedback();
  void insert_delay();
  std::string fed_force(std::size_t channel) const;

  ExperimentParts& parts_;
  Loop& loop_;
  LoadingPorts& ports_;
};

/// The force of a channel that the numerical part gets: as a compensator leaves it, or as measured.
std::string Wiring::fed_force(std::size_t channel) const {
  const std::string& name = parts_.channels[channel].name();
  const Compensator* compensator = parts_.compensators[channel].get();
  return name + (compensator != nullptr && compensator->gives_force() ? ".compensator.feedback" : ".force");
}

void Wiring::wire() {
  const std::vector<Channel>& channels = parts_.channels;
  const std::vector<MountedRig>& rigs = parts_.rigs;
  loop_ = Loop(parts_.substeps,
               std::any_of(rigs.begin(), rigs.end(), [](const auto& rig) { return rig->rewinds(); }));
  for (const Channel& channel : channels) loop_.row().declare_channel(channel.name());
  for (const Signal& signal : input_signals()) loop_.input(signal.name, signal.unit);
  if (parts_.late > 0) insert_delay();

  const Method& method = *parts_.method;
  loop_.add<BeginStage>(Phase::begin, loading_stage, method, channels, parts_.structure.size(),
                        parts_.loading_state, ports_);
  std::vector<bool> compensated;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Compensator* compensator = parts_.compensators[c].get();
    compensated.push_back(compensator != nullptr);
    if (compensator == nullptr || !compensator->per_step()) continue;
    loop_.add<PlanStage>(Phase::begin, compensator_stage(channels[c]), *compensator, channels[c],
                         parts_.compensator_state[c]);
  }
  if (!channels.empty()) {
    loop_.add<DrawStage>(Phase::draw, "profile", channels, compensated, parts_.rig_dt, ports_);
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!compensated[c] || !parts_.compensators[c]->per_step()) continue;
    loop_.add<DrawPlannedStage>(Phase::draw, channels[c].name() + ".planned", channels[c], parts_.rig_dt);
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!compensated[c]) continue;
    loop_.add<CompensateStage>(Phase::command, compensator_stage(channels[c]), *parts_.compensators[c],
                               channels[c], parts_.rig_dt, parts_.compensator_state[c]);
  }
  wire_rig();
  wire_feedback();
  loop_.seal();
}

/// Between command and rig: what a margin search puts in. Tables have their own controllers: their delay is
/// no actuator's.
void Wiring::insert_delay() {
  loop_.insert_at_cut("late", [this](Site& site, const std::string& command, const std::string& unit) {
    const bool displacement = unit == unit_of(Control::displacement);
    const double delay = unit == unit_of(Control::acceleration) ? 0 : parts_.late;
    auto stage = std::make_unique<LateCommandStage>(site, command, unit, displacement, delay, parts_.rig_dt,
                                                    parts_.layout);
    const CommandPort late = stage->late();
    return Loop::Inserted{std::move(stage), late};
  });
}

void Wiring::wire_rig() {
  const std::vector<Channel>& channels = parts_.channels;
  const Method& method = *parts_.method;
  // Where the model gives the specimen's motion there is no rig that could be elsewhere.
  const Phase phase = parts_.mirrored ? Phase::observe : Phase::rig;
  for (const MountedRig& rig : parts_.rigs) {
    std::vector<const Channel*> driven;
    for (const std::size_t c : rig.channels) driven.push_back(&channels[c]);
    RigStage::Specimen specimen = rig.specimen;
    if (!specimen) specimen = [&method](const LinearStart& whole) { return method.specimen_start(whole); };
    loop_.add<RigStage>(phase, rig_stage(*driven.front()), *rig.rig, driven, std::move(specimen), rig.state);
  }
  if (parts_.mirrored) return;
  for (std::size_t c = 0; c < parts_.sensors.size(); ++c) {
    if (parts_.sensors[c] == nullptr) continue;
    loop_.add<SensorStage>(Phase::rig, channels[c].name() + ".sensors", *parts_.sensors[c], channels[c],
                           parts_.sensor_state[c]);
  }
  for (const Layout::Field& field : parts_.layout.fields()) {
    if (std::string_view(field.name) != "dissipated") continue;
    for (const MountedRig& rig : parts_.rigs) {
      const auto keeps = [&](const Kept& kept) { return kept.has(field.segment.offset); };
      if (std::none_of(rig.state.begin(), rig.state.end(), keeps)) continue;
      const std::string stage = rig_stage(channels[rig.channels.front()]);
      loop_.add<EnergyStage>(Phase::rig, field.owner + ".energy", field.owner, field.segment, stage);
    }
  }
}

void Wiring::wire_feedback() {
  const std::vector<Channel>& channels = parts_.channels;
  const Method& method = *parts_.method;
  for (std::size_t c = 0; c < parts_.indicators.size(); ++c) {
    loop_.add<IndicatorStage>(Phase::observe, channels[c].name() + ".indicators", *parts_.indicators[c],
                              channels[c], parts_.indicator_state[c]);
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Compensator* compensator = parts_.compensators[c].get();
    if (compensator == nullptr) continue;
    loop_.add<ObserveStage>(Phase::observe, compensator_stage(channels[c]) + " observes", *compensator,
                            channels[c]);
  }
  std::vector<FeedStage::Way> ways;
  for (int i = 0; i < method.forces().size; ++i) {
    ways.push_back({method.forces().offset + i, fed_force(static_cast<std::size_t>(i)), "N"});
  }
  for (const Method::Feed& feed : method.feeds()) {
    for (int i = 0; i < feed.to.size; ++i) {
      const std::string prefix = channels[feed.first + static_cast<std::size_t>(i)].name() + ".";
      const bool other = feed.otherwise != nullptr && !loop_.row().has(prefix + feed.signal);
      ways.push_back({feed.to.offset + i, prefix + (other ? feed.otherwise : feed.signal), feed.unit});
    }
  }
  if (!ways.empty()) loop_.add<FeedStage>(Phase::feed, "feedback", ways);
  if (method.corrects()) {
    std::vector<std::string> forces;
    for (int i = 0; i < method.forces().size; ++i) forces.push_back(fed_force(static_cast<std::size_t>(i)));
    loop_.add<CorrectStage>(Phase::feed, "correction", method, channels, forces, ports_);
  }
  if (method.settles()) loop_.add<SettleStage>(Phase::end, "settling", method, ports_);
}

}  // namespace

Experiment::Experiment(ExperimentParts parts) : parts_(std::move(parts)) {
  Wiring(parts_, loop_, ports_).wire();
  for (const Row::Entry& entry : loop_.row().published()) {
    published_.signals.push_back(entry.signal);
    published_.ports.push_back(entry.port);
  }
  if (loop_.rig_count() > 0) cut_ = loop_.cut();
  for (const Layout::Field& field : parts_.layout.fields()) {
    if (std::string_view(field.name) != "dissipated") continue;
    DissipatedEnergy energy{{field.owner + ".dissipated", "J"}, field.segment.offset, {}};
    if (loop_.row().has(energy.signal.name)) energy.port = loop_.row().find(energy.signal.name).port;
    energies_.push_back(energy);
  }
}

}  // namespace gusset

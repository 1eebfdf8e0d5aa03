// The loop of a test: its stages in the order in which they run.

#include <algorithm>

#include "build/builder.hpp"
#include "compensate/stages.hpp"
#include "rig/stages.hpp"

namespace gusset {
namespace {

constexpr const char* specimen_stage = "specimen";

}  // namespace

/// The force of a channel that the numerical part gets: as a compensator leaves it, or as measured.
std::string Builder::fed_force(std::size_t channel) const {
  const std::string& name = experiment_.channels_[channel].name();
  const Compensator* compensator = experiment_.compensators_[channel].get();
  return name + (compensator != nullptr && compensator->gives_force() ? ".compensator.feedback" : ".force");
}

void Builder::wire() {
  Loop& loop = experiment_.loop_;
  const std::vector<Channel>& channels = experiment_.channels_;
  loop = Loop(substeps_, experiment_.assembly_ != nullptr && experiment_.assembly_->rewinds());
  for (const Channel& channel : channels) loop.row().declare_channel(channel.name());
  for (const Signal& signal : input_signals()) loop.input(signal.name, signal.unit);
  if (options_.late > 0) insert_delay();

  LoadingPorts& ports = experiment_.ports_;
  const Method& method = *experiment_.method_;
  loop.add<BeginStage>(Phase::begin, loading_stage, method, channels, experiment_.structure_.size(),
                       loading_state_, ports);
  std::vector<bool> compensated;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Compensator* compensator = experiment_.compensators_[c].get();
    compensated.push_back(compensator != nullptr);
    if (compensator == nullptr || !compensator->per_step()) continue;
    loop.add<PlanStage>(Phase::begin, compensator_stage(channels[c]), *compensator, channels[c],
                        compensator_state_[c]);
  }
  if (!channels.empty()) {
    loop.add<DrawStage>(Phase::draw, "profile", channels, compensated, experiment_.rig_dt_, ports);
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!compensated[c] || !experiment_.compensators_[c]->per_step()) continue;
    loop.add<DrawPlannedStage>(Phase::draw, channels[c].name() + ".planned", channels[c],
                               experiment_.rig_dt_);
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    if (!compensated[c]) continue;
    loop.add<CompensateStage>(Phase::command, compensator_stage(channels[c]), *experiment_.compensators_[c],
                              channels[c], experiment_.rig_dt_, compensator_state_[c]);
  }
  wire_rig();
  wire_feedback();
  loop.seal();
  publish();
}

/// Between command and rig: what a margin search puts in. Tables have their own controllers: their delay is
/// no actuator's.
void Builder::insert_delay() {
  experiment_.loop_.insert_at_cut(
      "late", [this](Site& site, const std::string& command, const std::string& unit) {
        const bool displacement = unit == unit_of(Control::displacement);
        const double delay = unit == unit_of(Control::acceleration) ? 0 : options_.late;
        auto stage = std::make_unique<LateCommandStage>(site, command, unit, displacement, delay,
                                                        experiment_.rig_dt_, experiment_.layout_);
        const CommandPort late = stage->late();
        return Loop::Inserted{std::move(stage), late};
      });
}

void Builder::wire_rig() {
  Loop& loop = experiment_.loop_;
  const std::vector<Channel>& channels = experiment_.channels_;
  for (std::size_t c = 0; c < experiment_.rigs_.size(); ++c) {
    loop.add<RigStage>(Phase::rig, channels[c].name() + ".rig", *experiment_.rigs_[c], channels[c],
                       experiment_.specimen_displacement_[c], experiment_.specimen_velocity_[c],
                       rig_state_[c]);
  }
  if (experiment_.assembly_ != nullptr) {
    // Where the model gives the specimen's motion there is no rig that could be elsewhere.
    const Phase phase = mirrored_ ? Phase::observe : Phase::rig;
    const Method& method = *experiment_.method_;
    loop.add<AssemblyStage>(
        phase, specimen_stage, *experiment_.assembly_, channels,
        [&method](const LinearStart& whole) { return method.specimen_start(whole); }, rig_state_.front());
  }
  if (mirrored_) return;
  for (const Layout::Field& field : experiment_.layout_.fields()) {
    if (std::string_view(field.name) != "dissipated") continue;
    for (std::size_t r = 0; r < rig_state_.size(); ++r) {
      const auto keeps = [&](const Kept& kept) { return kept.has(field.segment.offset); };
      if (std::none_of(rig_state_[r].begin(), rig_state_[r].end(), keeps)) continue;
      const std::string stage =
          experiment_.assembly_ != nullptr ? specimen_stage : channels[r].name() + ".rig";
      loop.add<EnergyStage>(Phase::rig, field.owner + ".energy", field.owner, field.segment, stage);
    }
  }
}

void Builder::wire_feedback() {
  Loop& loop = experiment_.loop_;
  const std::vector<Channel>& channels = experiment_.channels_;
  const Method& method = *experiment_.method_;
  for (std::size_t c = 0; c < experiment_.indicators_.size(); ++c) {
    loop.add<IndicatorStage>(Phase::observe, channels[c].name() + ".indicators", *experiment_.indicators_[c],
                             channels[c], indicator_state_[c]);
  }
  for (std::size_t c = 0; c < channels.size(); ++c) {
    const Compensator* compensator = experiment_.compensators_[c].get();
    if (compensator == nullptr) continue;
    loop.add<ObserveStage>(Phase::observe, compensator_stage(channels[c]) + " observes", *compensator,
                           channels[c]);
  }
  std::vector<FeedStage::Way> ways;
  for (int i = 0; i < method.forces().size; ++i) {
    ways.push_back({method.forces().offset + i, fed_force(static_cast<std::size_t>(i)), "N"});
  }
  for (const Method::Feed& feed : method.feeds()) {
    for (int i = 0; i < feed.to.size; ++i) {
      const std::string prefix = channels[feed.first + static_cast<std::size_t>(i)].name() + ".";
      const bool other = feed.otherwise != nullptr && !loop.row().has(prefix + feed.signal);
      ways.push_back({feed.to.offset + i, prefix + (other ? feed.otherwise : feed.signal), feed.unit});
    }
  }
  if (!ways.empty()) loop.add<FeedStage>(Phase::feed, "feedback", ways);
  if (method.corrects()) {
    std::vector<std::string> forces;
    for (int i = 0; i < method.forces().size; ++i) forces.push_back(fed_force(static_cast<std::size_t>(i)));
    loop.add<CorrectStage>(Phase::feed, "correction", method, channels, forces, experiment_.ports_);
  }
  if (method.settles()) loop.add<SettleStage>(Phase::end, "settling", method, experiment_.ports_);
}

/// What run files and links show.
void Builder::publish() {
  const Loop& loop = experiment_.loop_;
  for (const Row::Entry& entry : loop.row().published()) {
    experiment_.published_.signals.push_back(entry.signal);
    experiment_.published_.ports.push_back(entry.port);
  }
  if (loop.rig_count() > 0) experiment_.cut_ = loop.cut();
  for (const Layout::Field& field : experiment_.layout_.fields()) {
    if (std::string_view(field.name) != "dissipated") continue;
    DissipatedEnergy energy{{field.owner + ".dissipated", "J"}, field.segment.offset, {}};
    if (loop.row().has(energy.signal.name)) energy.port = loop.row().find(energy.signal.name).port;
    experiment_.energies_.push_back(energy);
  }
}

}  // namespace gusset

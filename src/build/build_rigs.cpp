// Rigs and compensators, one a channel, and where their signals stand in a row.

#include <string_view>

#include "build/builder.hpp"

namespace gusset {

void Builder::read_rigs() {
  const std::vector<const Section*> sections = document_.sections("rig");
  if (sections.size() > 1 && sections.size() != channel_count()) {
    sections.back()->fail("kind",
                          "there are " + std::to_string(sections.size()) + " rigs and " +
                              std::to_string(channel_count()) + " specimens",
                          "give one [rig] for all specimens, or one [[rig]] for each");
  }
  for (std::size_t c = 0; c < specimens_.size(); ++c) {
    const Section& section = sections.size() > 1 ? *sections[c] : document_.section("rig");
    const Compensator* compensator = read_compensator(c);
    // A command that is not smooth is a ramp to the rig, whatever the target was.
    const bool smooth = compensator == nullptr || compensator->smooth();
    experiment_.rigs_.push_back(
        make_rig({document_, section, *specimens_[c], interfaces_[c].name, experiment_.layout_,
                  experiment_.rig_dt(), options_.extra_delay,
                  smooth ? experiment_.method_->profile() : Profile::ramp, interface_masses_[c],
                  interface_stiffness(c), experiment_.reference_frequency_}));
    if (experiment_.method_->integrator() != nullptr &&
        !experiment_.rigs_.back()->specimen().affine()) {
      require_nonlinear(*experiment_.method_->integrator(), interfaces_[c].name);
    }
    experiment_.channels_[c].capacity = experiment_.rigs_.back()->capacity();
    plan_channel(c, experiment_.rigs_.back()->signals());
  }
}

const Compensator* Builder::read_compensator(std::size_t c) {
  const std::string& name = experiment_.channels_[c].interface.name;
  experiment_.compensators_.push_back(
      make_compensator({compensator_section(c), name, experiment_.layout_, experiment_.rig_dt(),
                        experiment_.dt_, experiment_.method_->profile()}));
  const Compensator* compensator = experiment_.compensators_.back().get();
  experiment_.compensated_ = experiment_.compensated_ || compensator != nullptr;
  if (compensator != nullptr && compensator->per_step() && experiment_.method_->corrects()) {
    compensator_section(c).fail(
        "kind", "this compensator plans a whole step from its target, which here changes on the way",
        "use a compensator at the rig's step, or an explicit integrator with profile = \"ramp\"");
  }
  if (document_.has_section("indicators")) {
    experiment_.indicators_.emplace_back(document_.section("indicators"), name, experiment_.layout_,
                                         experiment_.rig_dt());
  }
  return compensator;
}

const Section& Builder::compensator_section(std::size_t channel) const {
  const std::vector<const Section*> sections = document_.sections("compensator");
  if (sections.size() > 1 && sections.size() != channel_count()) {
    sections.back()->fail("kind",
                          "there are " + std::to_string(sections.size()) + " compensators and " +
                              std::to_string(channel_count()) + " specimens",
                          "give one [compensator] for all, or one [[compensator]] for each");
  }
  return sections.size() > 1 ? *sections[channel] : document_.section("compensator");
}

void Builder::plan_channel(std::size_t channel, const std::vector<Signal>& signals) {
  // What a force-controlled channel is after is the force.
  const bool force = experiment_.channels_[channel].control == Control::force;
  Experiment::RowPlan plan;
  plan.first = experiment_.row_width_;
  plan.measured = plan.first + 1;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const int index = plan.first + 2 + static_cast<int>(i);
    if (signals[i].name == (force ? "force" : "measured")) plan.measured = index;
    if (signals[i].name == "force") plan.force = index;
  }
  plan.feedback = plan.force;
  plan.compensator = plan.first + 2 + static_cast<int>(signals.size());
  int next = plan.compensator;
  if (const Compensator* compensator = experiment_.compensators_[channel].get()) {
    for (const CompensatorSignal& signal : compensator->signals()) {
      if (std::string_view(signal.name) == "feedback") plan.feedback = next;
      ++next;
    }
  }
  plan.indicators = next;
  if (!experiment_.indicators_.empty()) next += OnlineIndicators::signals;
  experiment_.row_width_ = next;
  experiment_.signal_rows_.push_back(plan.first + 2);
  experiment_.plan_.push_back(plan);
}

void Builder::plan_feeds() {
  if (experiment_.assembly_ == nullptr) {
    for (std::size_t c = 0; c < experiment_.plan_.size(); ++c) {
      experiment_.feeds_.emplace_back(
          experiment_.method_->forces().offset + static_cast<int>(c), experiment_.plan_[c].force);
    }
    return;
  }
  for (const Method::Feed& feed : experiment_.method_->feeds()) {
    const std::string_view names = feed.signal;
    const std::size_t bar = names.find('|');
    const std::string_view wanted[] = {names.substr(0, bar),
                                       bar == names.npos ? names : names.substr(bar + 1)};
    for (int i = 0; i < feed.to.size; ++i) {
      const std::size_t channel = feed.first + static_cast<std::size_t>(i);
      const std::vector<Signal> signals = experiment_.assembly_->signals(channel);
      std::size_t found = 0;
      for (const std::string_view name : wanted) {
        for (found = 0; found < signals.size() && signals[found].name != name; ++found) {
        }
        if (found < signals.size()) break;
      }
      experiment_.feeds_.emplace_back(feed.to.offset + i,
                                      experiment_.signal_rows_[channel] + static_cast<int>(found));
    }
  }
}

}  // namespace gusset

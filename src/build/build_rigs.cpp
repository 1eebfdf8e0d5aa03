// Rigs and compensators, one a channel.

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
    const LayoutMark before = experiment_.layout_.mark();
    experiment_.rigs_.push_back(
        make_rig({document_, section, *specimens_[c], interfaces_[c].name, experiment_.layout_,
                  experiment_.rig_dt_, smooth ? experiment_.method_->profile() : Profile::ramp,
                  interface_masses_[c], interface_stiffness(c), experiment_.reference_frequency_}));
    if (experiment_.method_->integrator() != nullptr && !experiment_.rigs_.back()->specimen().affine()) {
      require_nonlinear(*experiment_.method_->integrator(), interfaces_[c].name);
    }
    experiment_.channels_[c].capacity = experiment_.rigs_.back()->capacity();
    rig_state_.push_back({experiment_.layout_.since(before)});
  }
}

const Compensator* Builder::read_compensator(std::size_t c) {
  const std::string& name = experiment_.channels_[c].name();
  const LayoutMark before = experiment_.layout_.mark();
  experiment_.compensators_.push_back(
      make_compensator({compensator_section(c), name, experiment_.layout_, experiment_.rig_dt_,
                        experiment_.dt_, experiment_.method_->profile()}));
  const Compensator* compensator = experiment_.compensators_.back().get();
  compensator_state_.push_back(experiment_.layout_.since(before));
  check_force(c);
  if (compensator != nullptr && compensator->per_step() && experiment_.method_->corrects()) {
    compensator_section(c).fail(
        "kind", "this compensator plans a whole step from its target, which here changes on the way",
        "use a compensator at the rig's step, or an explicit integrator with profile = \"ramp\"");
  }
  if (document_.has_section("indicators")) {
    const LayoutMark mark = experiment_.layout_.mark();
    experiment_.indicators_.push_back(std::make_unique<OnlineIndicators>(
        document_.section("indicators"), name, experiment_.layout_, experiment_.rig_dt_));
    indicator_state_.push_back(experiment_.layout_.since(mark));
  }
  return compensator;
}

void Builder::check_force(std::size_t c) const {
  const Compensator* compensator = experiment_.compensators_[c].get();
  if (compensator == nullptr) return;
  const Channel& channel = experiment_.channels_[c];
  if (compensator->observes_force() && channel.control == Control::acceleration) {
    compensator_section(c).fail(
        "kind",
        "this compensator uses the measured force, and the channel " + channel.name() + " measures none",
        "give each channel a [[compensator]] of its own, this one kind = \"none\"");
  }
  if (compensator->gives_force() && experiment_.method_->forces().size == 0) {
    compensator_section(c).fail(
        "kind",
        "this compensator corrects the measured force, and a test of method.kind = \"" + kind_ +
            "\" does not use it: the correction would have no effect",
        "use a compensator of the command alone, such as kind = \"inverse\"");
  }
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

}  // namespace gusset

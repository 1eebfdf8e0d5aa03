// Rigs and compensators, one a channel.

#include <charconv>

#include "build/builder.hpp"

namespace gusset {
namespace {

/// Of a specimen, counted from 1: the number in "specimen.2", or 1.
int number_of(const Section& specimen) {
  int number = 1;
  const std::size_t dot = specimen.path.rfind('.');
  if (dot != std::string::npos) {
    const char* text = specimen.path.data();
    std::from_chars(text + dot + 1, text + specimen.path.size(), number);
  }
  return number;
}

}  // namespace

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
    const LayoutMark before = parts_.layout.mark();
    Channel& channel = parts_.channels[c];
    std::unique_ptr<Rig> rig = make_rig({.document = document_,
                                         .section = section,
                                         .channels = {&channel, 1},
                                         .layout = parts_.layout,
                                         .dt = parts_.rig_dt,
                                         .specimen = *specimens_[c],
                                         .profile = smooth ? parts_.method->profile() : Profile::ramp,
                                         .numerical_mass = interface_masses_[c],
                                         .numerical_stiffness = interface_stiffness(c),
                                         .reference_frequency = parts_.reference_frequency});
    if (parts_.method->integrator() != nullptr && !rig->specimen_affine()) {
      require_nonlinear(*parts_.method->integrator(), channel.name());
    }
    channel.capacity = rig->capacity(0);
    parts_.rigs.push_back({std::move(rig), {c}, {parts_.layout.since(before)}, {}});
    read_sensors(c, number_of(*specimens_[c]), static_cast<int>(document_.sections("specimen").size()));
  }
}

void Builder::read_sensors(std::size_t c, int number, int channels) {
  const Channel& channel = parts_.channels[c];
  const LayoutMark before = parts_.layout.mark();
  parts_.sensors.push_back(Sensors::read(
      {document_, channel.name(), channel.control, number, channels, parts_.layout, parts_.rig_dt}));
  parts_.sensor_state.push_back(parts_.layout.since(before));
}

const Compensator* Builder::read_compensator(std::size_t c) {
  const std::string& name = parts_.channels[c].name();
  const LayoutMark before = parts_.layout.mark();
  parts_.compensators.push_back(make_compensator(
      {compensator_section(c), name, parts_.layout, parts_.rig_dt, parts_.dt, parts_.method->profile()}));
  const Compensator* compensator = parts_.compensators.back().get();
  parts_.compensator_state.push_back(parts_.layout.since(before));
  check_force(c);
  if (compensator != nullptr && compensator->per_step() && parts_.method->corrects()) {
    compensator_section(c).fail(
        "kind", "this compensator plans a whole step from its target, which here changes on the way",
        "use a compensator at the rig's step, or an explicit integrator with profile = \"ramp\"");
  }
  if (document_.has_section("indicators")) {
    const LayoutMark mark = parts_.layout.mark();
    parts_.indicators.push_back(std::make_unique<OnlineIndicators>(document_.section("indicators"), name,
                                                                   parts_.layout, parts_.rig_dt));
    parts_.indicator_state.push_back(parts_.layout.since(mark));
  }
  return compensator;
}

void Builder::check_force(std::size_t c) const {
  const Compensator* compensator = parts_.compensators[c].get();
  if (compensator == nullptr) return;
  const Channel& channel = parts_.channels[c];
  if (compensator->observes_force() && channel.control == Control::acceleration) {
    compensator_section(c).fail(
        "kind",
        "this compensator uses the measured force, and the channel " + channel.name() + " measures none",
        "give each channel a [[compensator]] of its own, this one kind = \"none\"");
  }
  if (compensator->gives_force() && parts_.method->forces().size == 0) {
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

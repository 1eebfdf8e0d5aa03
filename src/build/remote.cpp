// The experiment with its rig elsewhere: what goes there, and what comes back.

#include "build/experiment.hpp"

namespace gusset {

std::vector<int> Experiment::measured_places() const {
  std::vector<int> places;
  for (const RowPlan& plan : plan_) {
    for (int i = plan.first + 2; i < plan.compensator; ++i) places.push_back(i);
  }
  return places;
}

std::vector<Signal> Experiment::measured_signals() const {
  const std::vector<Signal> row = row_signals();
  std::vector<Signal> signals;
  for (const int place : measured_places()) signals.push_back(row[static_cast<std::size_t>(place)]);
  return signals;
}

Experiment::ChannelPlaces Experiment::places(std::size_t channel) const {
  const RowPlan& plan = plan_[channel];
  return {plan.first, plan.first + 1, plan.measured, plan.force};
}

std::vector<Signal> Experiment::command_signals() const {
  const std::vector<Signal> row = row_signals();
  std::vector<Signal> signals;
  for (const RowPlan& plan : plan_) {
    const Signal& command = row[static_cast<std::size_t>(plan.first) + 1];
    signals.push_back(command);
    signals.push_back({command.name + ".rate", command.unit + "/s"});
    signals.push_back({command.name + ".curvature", command.unit + "/s^2"});
    signals.push_back({command.name + ".start_rate", command.unit + "/s"});
  }
  return signals;
}

std::vector<Experiment::SpecimenEntry> Experiment::specimen_entries() const {
  std::vector<SpecimenEntry> entries;
  for (const Layout::Field& field : layout_.fields()) {
    if (std::string_view(field.name) != "dissipated") continue;
    if (assembly_ != nullptr) {  // the structure itself is the specimen
      entries.push_back({{field.owner + ".dissipated", "J"}, field.segment.offset});
      continue;
    }
    for (const Channel& channel : channels_) {
      if (field.owner != channel.interface.name &&
          !field.owner.starts_with(channel.interface.name + ".")) {
        continue;
      }
      entries.push_back({{field.owner + ".dissipated", "J"}, field.segment.offset});
      break;
    }
  }
  return entries;
}

void Experiment::accept(int substep, const double* measured, State& state,
                        Output& output) const noexcept {
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (const RowPlan& plan : plan_) {
    for (int i = plan.first + 2; i < plan.compensator; ++i) row[i] = *measured++;
  }
  measure(substep, state, output);
}

}  // namespace gusset

#include "experiment/experiment.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "base/linear_system.hpp"

namespace gusset {

void Output::poison() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::fill(structure.begin(), structure.end(), nan);
  std::fill(pieces.begin(), pieces.end(), Piece{nan, nan, nan});
  std::fill(planned.begin(), planned.end(), Piece{nan, nan, nan});
  std::fill(commands.begin(), commands.end(), Command{nan, nan, nan, nan, 0});
  std::fill(rows.begin(), rows.end(), nan);
  std::fill(lines.begin(), lines.end(), nan);
  std::fill(measured.begin(), measured.end(), nan);
}

Output Experiment::output() const {
  Output output;
  const Integrator* integrator = method_->integrator();
  const auto vectors =
      static_cast<std::size_t>(integrator != nullptr ? 3 + integrator->work_vectors() : 0);
  output.structure.resize(vectors * static_cast<std::size_t>(structure_.size()));
  output.pieces.resize(rigs_.size());
  output.planned.resize(rigs_.size());
  output.commands.resize(rigs_.size());
  output.rows.resize(static_cast<std::size_t>(row_width_) * static_cast<std::size_t>(substeps_));
  output.lines.resize(method_->lines_size());
  output.measured.resize(2 * rigs_.size());
  return output;
}

Response Experiment::response(Output& output) const noexcept {
  const std::ptrdiff_t n = structure_.size();
  double* wires = output.structure.data();
  return {wires, wires + n, wires + 2 * n, wires + 3 * n};
}

void Experiment::begin(State& state, const Input& input, Output& output) const noexcept {
  method_->begin(state, input, response(output), output.pieces.data(), output.lines.data());
  if (!compensated_) return;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    const Compensator* compensator = compensators_[c].get();
    output.planned[c] = compensator != nullptr ? compensator->plan(state, output.pieces[c])
                                               : output.pieces[c];
  }
}

inline void Experiment::command_channel(std::size_t channel, double s, State& state, double* row,
                                        Output& output) const noexcept {
  Command& command = output.commands[channel];
  evaluate(output.pieces[channel], s, rig_dt_, command);
  row += plan_[channel].first;
  row[0] = command.displacement;
  if (compensated_ && compensators_[channel] != nullptr) {
    evaluate(output.planned[channel], s, rig_dt_, command);
    command = compensators_[channel]->command(state, command);
    command.start_velocity = command.velocity - rig_dt_ * command.acceleration;
    command.slot = 0;
  }
  row[1] = command.displacement;
}

inline void Experiment::rig_channel(std::size_t channel, State& state, double* row,
                                    Output& output) const noexcept {
  state.at(method_->forces())[channel] = rigs_[channel]->advance(
      state, output.commands[channel], row + plan_[channel].first + 2);
}

void Experiment::command(int substep, State& state, Output& output) const noexcept {
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    command_channel(c, (substep + 1) * rig_dt_, state, row, output);
  }
}

void Experiment::rig(int substep, State& state, Output& output) const noexcept {
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < rigs_.size(); ++c) rig_channel(c, state, row, output);
}

void Experiment::observe(int substep, State& state, Output& output) const noexcept {
  if (!compensated_) return;
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  double* forces = state.at(method_->forces());
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    if (compensators_[c] == nullptr) continue;
    compensators_[c]->observe(state, {row[plan_[c].measured], row[plan_[c].force]},
                              row + plan_[c].compensator);
    forces[c] = row[plan_[c].feedback];
  }
}

void Experiment::correct(int substep, State& state, Output& output) const noexcept {
  if (!method_->corrects_after(substep)) return;
  const double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    output.measured[c] = row[plan_[c].feedback];
    output.measured[plan_.size() + c] = row[plan_[c].measured];
  }
  method_->correct(substep, state, output.measured.data(), output.measured.data() + plan_.size(),
                   response(output), output.pieces.data(), output.lines.data());
}

void Experiment::end(State& state, Output& output) const noexcept {
  method_->end(state, output.lines.data());
  ++state.step;
}

void Experiment::step(State& state, const Input& input, Output& output) const noexcept {
  begin(state, input, output);
  double* row = output.rows.data();
  for (int substep = 0; substep < substeps_; ++substep, row += row_width_) {
    // Channel by channel instead of phase by phase: the same numbers in fewer passes.
    for (std::size_t c = 0; c < rigs_.size(); ++c) {
      command_channel(c, (substep + 1) * rig_dt_, state, row, output);
      rig_channel(c, state, row, output);
    }
    observe(substep, state, output);
    correct(substep, state, output);
  }
  end(state, output);
}

bool Experiment::affine() const {
  return std::all_of(rigs_.begin(), rigs_.end(), [](const auto& rig) { return rig->affine(); });
}

LinearSystem Experiment::whole() const {
  LinearSystem system = structure_.linear_system();
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    rigs_[c]->specimen().join(system, method_->channels()[c].interface);
  }
  return system;
}

LinearStart Experiment::whole_start() const {
  const LinearSystem system = whole();
  Eigen::VectorXd d = Eigen::VectorXd::Zero(system.size());
  Eigen::VectorXd v = d;
  const int n = structure_.size();
  for (int i = 0; i < n; ++i) {
    d(i) = displacement_[static_cast<std::size_t>(i)];
    v(i) = velocity_[static_cast<std::size_t>(i)];
  }
  // A specimen's own degrees of freedom come after the floors, in the order of the channels; all of
  // one specimen start alike.
  LinearSystem partial = structure_.linear_system();
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    const Interface& interface = method_->channels()[c].interface;
    const int before = partial.size();
    rigs_[c]->specimen().join(partial, interface);
    for (int i = before; i < partial.size(); ++i) {
      d(i) = interface.of(d.data()) + specimen_displacement_[c];
      v(i) = interface.of(v.data()) + specimen_velocity_[c];
    }
  }
  return {d, v};
}

Experiment::Start Experiment::start() const {
  const LinearSystem system = whole();
  const auto [d, v] = whole_start();
  const Input outside = input(0);
  const double ground = outside.acceleration;
  Eigen::VectorXd a = d;
  if (system.size() > 0) {
    a = system.mass.partialPivLu().solve(-system.damping * v - system.stiffness * d) -
        ground * system.influence;
  }

  Start start{layout_.zero(), std::vector<double>(static_cast<std::size_t>(row_width_), 0.0)};
  const Integrator* integrator = method_->integrator();
  if (integrator != nullptr) integrator->start(start.state, d.data(), v.data(), a.data());
  double* forces = start.state.at(method_->forces());
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    const Method::Channel& channel = method_->channels()[c];
    double p = channel.ground * outside.increment;
    if (integrator != nullptr) {
      p += channel.interface.of(start.state.at(integrator->increment()));
    }
    const double velocity = channel.interface.of(v.data());
    Motion motion{};
    // The integrator's own d_0, which need not be that of the structure (mid-point schemes).
    const double* floors =
        integrator != nullptr ? start.state.at(integrator->displacement()) : d.data();
    motion.displacement = channel.interface.of(floors) + channel.ground * outside.displacement;
    motion.velocity = velocity;
    motion.acceleration = channel.interface.of(a.data()) + channel.ground * ground;
    motion.start_velocity = velocity;
    if (method_->profile() == Profile::b_spline) {
      // The spline passes half an increment behind the integrator's points.
      motion.displacement -= 0.5 * p;
      motion.start_velocity = p / dt_;
    }
    double* row = start.row.data() + plan_[c].first;
    row[0] = row[1] = motion.displacement;
    rigs_[c]->start(start.state, motion, specimen_displacement_[c], specimen_velocity_[c], row + 2);
    if (compensators_[c] != nullptr) {
      const double force = start.row[static_cast<std::size_t>(plan_[c].force)];
      compensators_[c]->start(start.state, motion.displacement, force);
      // Observing the state of rest fills in the compensator's results without moving it.
      State rest = start.state;
      compensators_[c]->observe(rest, {motion.displacement, force},
                                start.row.data() + plan_[c].compensator);
    }
    forces[c] = start.row[static_cast<std::size_t>(plan_[c].feedback)];
  }
  return start;
}

std::vector<Signal> Experiment::row_signals() const {
  std::vector<Signal> signals;
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    const std::string prefix = method_->channels()[c].interface.name + ".";
    signals.push_back({prefix + "target", "m"});
    signals.push_back({prefix + "command", "m"});
    for (const Signal& signal : rigs_[c]->signals()) {
      signals.push_back({prefix + signal.name, signal.unit});
    }
    if (compensators_[c] == nullptr) continue;
    for (const CompensatorSignal& signal : compensators_[c]->signals()) {
      signals.push_back({prefix + "compensator." + signal.name, signal.unit});
    }
  }
  return signals;
}

}  // namespace gusset

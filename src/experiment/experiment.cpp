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
  std::fill(commands.begin(), commands.end(), Command{nan, nan, nan});
  std::fill(rows.begin(), rows.end(), nan);
}

Output Experiment::output() const {
  Output output;
  output.structure.resize(4 * static_cast<std::size_t>(structure_.size()));
  output.pieces.resize(rigs_.size());
  output.planned.resize(rigs_.size());
  output.commands.resize(rigs_.size());
  output.rows.resize(static_cast<std::size_t>(row_width_) * static_cast<std::size_t>(substeps_));
  return output;
}

void Experiment::begin(State& state, const Input& input, Output& output) const noexcept {
  const std::ptrdiff_t n = structure_.size();
  double* wires = output.structure.data();
  method_->begin(state, input, {wires, wires + n, wires + 2 * n, wires + 3 * n},
                 output.pieces.data());
  if (!compensated_) return;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    const Compensator* compensator = compensators_[c].get();
    output.planned[c] = compensator != nullptr ? compensator->plan(state, output.pieces[c])
                                               : output.pieces[c];
  }
}

void Experiment::command(int substep, State& state, Output& output) const noexcept {
  const double s = (substep + 1) * (dt_ / substeps_);
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    const Command target = at(output.pieces[c], s);
    row[plan_[c].first] = target.displacement;
    output.commands[c] = target;
    if (compensated_ && compensators_[c] != nullptr) {
      output.commands[c] = compensators_[c]->command(state, at(output.planned[c], s));
    }
    row[plan_[c].first + 1] = output.commands[c].displacement;
  }
}

void Experiment::rig(int substep, State& state, Output& output) const noexcept {
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    rigs_[c]->advance(state, output.commands[c], row + plan_[c].first + 2);
  }
}

void Experiment::observe(int substep, State& state, Output& output) const noexcept {
  if (!compensated_ && indicators_.empty()) return;
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < indicators_.size(); ++c) {
    indicators_[c].observe(state, row[plan_[c].first], row[plan_[c].measured],
                           row + plan_[c].indicators);
  }
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    if (compensators_[c] == nullptr) continue;
    compensators_[c]->observe(state, {row[plan_[c].measured], row[plan_[c].force]},
                              row + plan_[c].compensator);
  }
}

void Experiment::end(State& state, const Output& output) const noexcept {
  const double* row =
      output.rows.data() + static_cast<std::ptrdiff_t>(substeps_ - 1) * row_width_;
  double* forces = state.at(method_->forces());
  for (std::size_t c = 0; c < plan_.size(); ++c) forces[c] = row[plan_[c].feedback];
  ++state.step;
}

void Experiment::step(State& state, const Input& input, Output& output) const noexcept {
  begin(state, input, output);
  for (int substep = 0; substep < substeps_; ++substep) {
    command(substep, state, output);
    rig(substep, state, output);
    observe(substep, state, output);
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
    motion.displacement = channel.interface.of(d.data()) + channel.ground * outside.displacement;
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
    if (!indicators_.empty()) {
      indicators_[c].start(start.state, motion.displacement);
      State rest = start.state;
      indicators_[c].observe(rest, motion.displacement, motion.displacement,
                             start.row.data() + plan_[c].indicators);
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
    if (compensators_[c] != nullptr) {
      for (const CompensatorSignal& signal : compensators_[c]->signals()) {
        signals.push_back({prefix + "compensator." + signal.name, signal.unit});
      }
    }
    for (int i = 0; !indicators_.empty() && i < OnlineIndicators::signals; ++i) {
      const CompensatorSignal& signal = OnlineIndicators::signal(i);
      signals.push_back({prefix + "indicator." + signal.name, signal.unit});
    }
  }
  return signals;
}

}  // namespace gusset

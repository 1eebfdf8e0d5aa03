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
  std::fill(commands.begin(), commands.end(), Command{nan, nan, nan});
  std::fill(rows.begin(), rows.end(), nan);
  std::fill(lines.begin(), lines.end(), nan);
  std::fill(measured.begin(), measured.end(), nan);
}

Output Experiment::output() const {
  Output output;
  const auto vectors = static_cast<std::size_t>(3 + method_.integrator().work_vectors());
  output.structure.resize(vectors * static_cast<std::size_t>(structure_.size()));
  output.pieces.resize(rigs_.size());
  output.commands.resize(rigs_.size());
  output.rows.resize(static_cast<std::size_t>(row_width_) * static_cast<std::size_t>(substeps_));
  output.lines.resize(method_.lines_size());
  output.measured.resize(2 * rigs_.size());
  return output;
}

Response Experiment::response(Output& output) const noexcept {
  const std::ptrdiff_t n = structure_.size();
  double* wires = output.structure.data();
  return {wires, wires + n, wires + 2 * n, wires + 3 * n};
}

void Experiment::begin(State& state, const Input& input, Output& output) const noexcept {
  method_.begin(state, input, response(output), output.pieces.data(), output.lines.data());
}

void Experiment::command(int substep, Output& output) const noexcept {
  const double s = (substep + 1) * (dt_ / substeps_);
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    const Command target = at(output.pieces[c], s);
    output.commands[c] = target;
    row[plan_[c].first] = target.displacement;
    row[plan_[c].first + 1] = target.displacement;
  }
}

void Experiment::rig(int substep, State& state, Output& output) const noexcept {
  double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    rigs_[c]->advance(state, output.commands[c], row + plan_[c].first + 2);
  }
}

void Experiment::gather(int substep, Output& output) const noexcept {
  const double* row = output.rows.data() + static_cast<std::ptrdiff_t>(substep) * row_width_;
  for (std::size_t c = 0; c < plan_.size(); ++c) {
    output.measured[c] = row[plan_[c].force];
    output.measured[plan_.size() + c] = row[plan_[c].position];
  }
}

void Experiment::correct(int substep, State& state, Output& output) const noexcept {
  if (!method_.corrects_after(substep)) return;
  gather(substep, output);
  method_.correct(substep, state, output.measured.data(), output.measured.data() + plan_.size(),
                  response(output), output.pieces.data(), output.lines.data());
}

void Experiment::end(State& state, Output& output) const noexcept {
  gather(substeps_ - 1, output);
  method_.end(state, output.measured.data(), output.lines.data());
  ++state.step;
}

void Experiment::step(State& state, const Input& input, Output& output) const noexcept {
  begin(state, input, output);
  for (int substep = 0; substep < substeps_; ++substep) {
    command(substep, output);
    rig(substep, state, output);
    correct(substep, state, output);
  }
  end(state, output);
}

bool Experiment::affine() const {
  return std::all_of(rigs_.begin(), rigs_.end(), [](const auto& rig) { return rig->affine(); }) &&
         std::all_of(method_.storeys().begin(), method_.storeys().end(),
                     [](const StoreyForce& storey) { return storey.restoring->affine(); });
}

LinearSystem Experiment::whole() const {
  LinearSystem system = structure_.linear_system();
  for (const StoreyForce& storey : method_.storeys()) {
    system.add_stiffness(storey.interface, storey.restoring->stiffness());
    system.add_damping(storey.interface, storey.restoring->damping());
    system.linear = system.linear && storey.restoring->affine();
  }
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    rigs_[c]->specimen().join(system, method_.channels()[c].interface);
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
    const Interface& interface = method_.channels()[c].interface;
    const int before = partial.size();
    rigs_[c]->specimen().join(partial, interface);
    for (int i = before; i < partial.size(); ++i) {
      d(i) = interface.of(d.data()) + specimen_displacement_[c];
      v(i) = interface.of(v.data()) + specimen_velocity_[c];
    }
  }
  return {d, v};
}

/// Accelerations of a structure without specimens, in bands.
Eigen::VectorXd Experiment::start_acceleration(double ground) const {
  const int n = structure_.size();
  std::vector<double> force(static_cast<std::size_t>(n)), damping(force);
  structure_.stiffness.multiply(displacement_.data(), force.data());
  structure_.damping.multiply(velocity_.data(), damping.data());
  Eigen::VectorXd a(n);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    a(i) = -force[k] - damping[k] - structure_.inertia[k] * ground;
  }
  BandFactor(structure_.mass).solve(a.data());
  return a;
}

Experiment::Start Experiment::start() const {
  const double ground = input(0).acceleration;
  Eigen::VectorXd d, v, a;
  if (rigs_.empty() && method_.storeys().empty()) {
    const auto n = static_cast<Eigen::Index>(displacement_.size());
    d = Eigen::Map<const Eigen::VectorXd>(displacement_.data(), n);
    v = Eigen::Map<const Eigen::VectorXd>(velocity_.data(), n);
    a = start_acceleration(ground);
  } else {
    const LinearSystem system = whole();
    const LinearStart start = whole_start();
    d = start.displacement;
    v = start.velocity;
    a = system.mass.partialPivLu().solve(-system.damping * v - system.stiffness * d) -
        ground * system.influence;
  }

  Start start = start_with(d, v, a);
  // Yielding parts may hold less than their initial stiffness says; where all mass is numerical, the
  // acceleration that balances their force is at hand.
  const LinearSystem system = affine() ? LinearSystem{} : whole();
  if (!affine() && system.mass.isApprox(structure_.linear_system().mass)) {
    a = start_acceleration(ground);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(a.size());
    const double* forces = start.state.at(method_.forces());
    for (const Contribution& c : method_.contributions()) force(c.dof) += c.weight * forces[c.force];
    BandFactor(structure_.mass).solve(force.data());
    start = start_with(d, v, a - force);
  }
  return start;
}

/// Puts integrator, storeys and rigs at t_0 with this motion of the whole structure.
Experiment::Start Experiment::start_with(const Eigen::VectorXd& d, const Eigen::VectorXd& v,
                                         const Eigen::VectorXd& a) const {
  const double ground = input(0).acceleration;
  Start start{layout_.zero(), std::vector<double>(static_cast<std::size_t>(row_width_), 0.0)};
  method_.integrator().start(start.state, d.data(), v.data(), a.data());
  method_.start_storeys(start.state, v.data());
  double* forces = start.state.at(method_.forces());
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    const DisplacementMethod::Channel& channel = method_.channels()[c];
    const double p = channel.interface.of(start.state.at(method_.integrator().increment())) +
                     channel.ground * input(0).increment;
    const double velocity = channel.interface.of(v.data());
    Motion motion{};
    motion.displacement =
        channel.interface.of(start.state.at(method_.integrator().displacement()));
    motion.velocity = velocity;
    motion.acceleration = channel.interface.of(a.data()) + channel.ground * ground;
    motion.start_velocity = velocity;
    if (method_.profile() == Profile::b_spline) {
      // The spline passes half an increment behind the integrator's points.
      motion.displacement -= 0.5 * p;
      motion.start_velocity = p / dt_;
    }
    double* row = start.row.data() + plan_[c].first;
    row[0] = row[1] = motion.displacement;
    rigs_[c]->start(start.state, motion, specimen_displacement_[c], specimen_velocity_[c], row + 2);
    forces[c] = start.row[static_cast<std::size_t>(plan_[c].force)];
  }
  return start;
}

std::vector<Signal> Experiment::row_signals() const {
  std::vector<Signal> signals;
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    const std::string prefix = method_.channels()[c].interface.name + ".";
    signals.push_back({prefix + "target", "m"});
    signals.push_back({prefix + "command", "m"});
    for (const Signal& signal : rigs_[c]->signals()) {
      signals.push_back({prefix + signal.name, signal.unit});
    }
  }
  return signals;
}

}  // namespace gusset

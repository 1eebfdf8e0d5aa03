// Where a test starts: the whole structure at t_0, and every block in equilibrium with it.

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "base/linear_system.hpp"
#include "build/experiment.hpp"

namespace gusset {

LinearSystem Experiment::whole(bool sparse) const {
  LinearSystem system = structure_.linear_system(sparse);
  for (const Storey& storey : storeys_) storey.restoring->join(system, storey.at);
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    rigs_[c]->specimen().join(system, channels_[c].interface);
  }
  return system;
}

LinearStart Experiment::whole_start() const {
  Eigen::VectorXd d = Eigen::VectorXd::Zero(whole(true).size());
  Eigen::VectorXd v = d;
  const int n = structure_.size();
  for (int i = 0; i < n; ++i) {
    d(i) = displacement_[static_cast<std::size_t>(i)];
    v(i) = velocity_[static_cast<std::size_t>(i)];
  }
  // A specimen's own degrees of freedom come after the floors, in the order of the channels; all of
  // one specimen start alike.
  LinearSystem partial = structure_.linear_system(true);
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    const Interface& interface = channels_[c].interface;
    const int before = partial.size();
    rigs_[c]->specimen().join(partial, interface);
    for (int i = before; i < partial.size(); ++i) {
      d(i) = interface.of(d.data()) + specimen_displacement_[c];
      v(i) = interface.of(v.data()) + specimen_velocity_[c];
    }
  }
  return {d, v, {}};
}

/// Accelerations of a structure without specimens, in bands.
void Experiment::start_acceleration(double ground, LinearStart& start) const {
  const int n = structure_.size();
  std::vector<double> force(static_cast<std::size_t>(n)), damping(force);
  structure_.stiffness.multiply(displacement_.data(), force.data());
  structure_.damping.multiply(velocity_.data(), damping.data());
  start.acceleration.resize(n);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    start.acceleration(i) = -force[k] - damping[k] - structure_.inertia[k] * ground;
  }
  BandFactor(structure_.mass).solve(start.acceleration.data());
}

Experiment::Start Experiment::start(const Input& first) const {
  const double ground = first.acceleration;
  LinearStart motion;
  if (structure_.size() == 0) {
    return start_with(motion, first);
  }
  if (rigs_.empty() && assembly_ == nullptr && storeys_.empty()) {
    const auto n = static_cast<Eigen::Index>(displacement_.size());
    motion.displacement = Eigen::Map<const Eigen::VectorXd>(displacement_.data(), n);
    motion.velocity = Eigen::Map<const Eigen::VectorXd>(velocity_.data(), n);
    start_acceleration(ground, motion);
  } else {
    const LinearSystem system = whole(true);
    motion = whole_start();
    const Eigen::VectorXd force = -(system.matrix(system.damping_entries) * motion.velocity) -
                                  system.matrix(system.stiffness_entries) * motion.displacement;
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> mass(system.matrix(system.mass_entries));
    motion.acceleration = mass.solve(force) - ground * system.influence;
  }
  Start start = start_with(motion, first);
  // Yielding parts may hold less than their initial stiffness says; where all mass is numerical, the
  // acceleration that balances their force is at hand.
  if (!affine() && assembly_ == nullptr && all_mass_is_numerical()) {
    start_acceleration(ground, motion);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(motion.acceleration.size());
    const double* forces = start.state.at(method_->forces());
    for (const Contribution& c : method_->contributions()) {
      force(c.dof) += c.weight * forces[c.force];
    }
    BandFactor(structure_.mass).solve(force.data());
    motion.acceleration -= force;
    start = start_with(motion, first);
  }
  return start;
}

bool Experiment::all_mass_is_numerical() const {
  LinearSystem joined;
  joined.sparse = true;
  joined.influence.setOnes(structure_.size());
  for (std::size_t c = 0; c < rigs_.size(); ++c) {
    rigs_[c]->specimen().join(joined, channels_[c].interface);
  }
  return std::all_of(joined.mass_entries.begin(), joined.mass_entries.end(),
                     [](const auto& entry) { return entry.value() == 0; });
}

/// Every stage at t_0 with this motion of the whole structure.
Experiment::Start Experiment::start_with(const LinearStart& motion, const Input& first) const {
  Start start{layout_.zero(), wires()};
  put(first, start.row);
  Frame frame{start.state, start.row};
  loop_.start(frame, motion);
  return start;
}

}  // namespace gusset

// Where a test starts: the whole structure at t_0, and every block in equilibrium with it.

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "base/linear_system.hpp"
#include "build/experiment.hpp"

namespace gusset {

LinearSystem Experiment::whole(bool sparse) const {
  LinearSystem system = parts_.structure.linear_system(sparse);
  for (const ListedStorey& storey : parts_.storeys) storey.restoring->join(system, storey.at);
  for (const MountedRig& rig : parts_.rigs) rig->join(system);
  return system;
}

LinearStart Experiment::whole_start() const {
  Eigen::VectorXd d = Eigen::VectorXd::Zero(whole(true).size());
  Eigen::VectorXd v = d;
  const int n = parts_.structure.size();
  for (int i = 0; i < n; ++i) {
    d(i) = parts_.displacement[static_cast<std::size_t>(i)];
    v(i) = parts_.velocity[static_cast<std::size_t>(i)];
  }
  // A specimen's own degrees of freedom come after the floors, in the order of the rigs; all of
  // one specimen start alike.
  LinearSystem partial = parts_.structure.linear_system(true);
  for (const MountedRig& rig : parts_.rigs) {
    const std::size_t c = rig.channels.front();
    const Interface& interface = parts_.channels[c].interface;
    const int before = partial.size();
    rig->join(partial);
    for (int i = before; i < partial.size(); ++i) {
      d(i) = interface.of(d.data()) + parts_.specimen_displacement[c];
      v(i) = interface.of(v.data()) + parts_.specimen_velocity[c];
    }
  }
  return {d, v, {}};
}

/// Accelerations of a structure without specimens, in bands.
void Experiment::start_acceleration(double ground, LinearStart& start) const {
  const int n = parts_.structure.size();
  std::vector<double> force(static_cast<std::size_t>(n)), damping(force);
  parts_.structure.stiffness.multiply(parts_.displacement.data(), force.data());
  parts_.structure.damping.multiply(parts_.velocity.data(), damping.data());
  start.acceleration.resize(n);
  for (int i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    start.acceleration(i) = -force[k] - damping[k] - parts_.structure.inertia[k] * ground;
  }
  BandFactor(parts_.structure.mass).solve(start.acceleration.data());
}

Experiment::Start Experiment::start(const Input& first) const {
  const double ground = first.acceleration;
  LinearStart motion;
  if (parts_.structure.size() == 0) {
    return start_with(motion, first);
  }
  if (parts_.rigs.empty() && parts_.storeys.empty()) {
    const auto n = static_cast<Eigen::Index>(parts_.displacement.size());
    motion.displacement = Eigen::Map<const Eigen::VectorXd>(parts_.displacement.data(), n);
    motion.velocity = Eigen::Map<const Eigen::VectorXd>(parts_.velocity.data(), n);
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
  if (!affine() && displacement_controlled() && all_mass_is_numerical()) {
    start_acceleration(ground, motion);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(motion.acceleration.size());
    const double* forces = start.state.at(parts_.method->forces());
    for (const Contribution& c : parts_.method->contributions()) {
      force(c.dof) += c.weight * forces[c.force];
    }
    BandFactor(parts_.structure.mass).solve(force.data());
    motion.acceleration -= force;
    start = start_with(motion, first);
  }
  return start;
}

bool Experiment::displacement_controlled() const {
  return std::all_of(parts_.channels.begin(), parts_.channels.end(),
                     [](const Channel& channel) { return channel.control == Control::displacement; });
}

bool Experiment::all_mass_is_numerical() const {
  LinearSystem joined;
  joined.sparse = true;
  joined.influence.setOnes(parts_.structure.size());
  for (const MountedRig& rig : parts_.rigs) rig->join(joined);
  return std::all_of(joined.mass_entries.begin(), joined.mass_entries.end(),
                     [](const auto& entry) { return entry.value() == 0; });
}

/// Every stage at t_0 with this motion of the whole structure.
Experiment::Start Experiment::start_with(const LinearStart& motion, const Input& first) const {
  Start start{parts_.layout.zero(), wires()};
  put(first, start.row);
  Frame frame{start.state, start.row};
  loop_.start(frame, motion);
  return start;
}

}  // namespace gusset

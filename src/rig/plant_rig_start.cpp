// Where a plant starts, and what its specimen is in the whole structure.

#include <Eigen/LU>

#include "base/linear_system.hpp"
#include "rig/plant_rig.hpp"
#include "structure/structure.hpp"

namespace gusset {

/// At rest on its command, the specimen of the file with it. Returns the force that holds it there.
double PlantRig::rest_specimen(State& state, const LinearStart& specimen, double command) const {
  const int n = plant_.freedoms();
  double* z = state.at(z_);
  // Everything follows x at rest, so that springs inside carry nothing.
  const double stiffness = plant_.force_rows().row(0).head(n).sum();
  const double own = plant_.drives()[0].stiffness;
  const double x = drives_[0]->settle(command, stiffness + own);
  for (int i = 0; i < n; ++i) {
    z[i] = x + (i > 0 ? specimen.displacement(0) : 0);
    z[n + i] = i > 0 ? specimen.velocity(0) : 0;
  }
  double r = 0;
  if (!linear_) {
    const double still = 0;
    r = specimen_->start(state, {x, 0, 0, 0, 0}, specimen.displacement(0), specimen.velocity(0)) -
        plant_.specimen_force(0, z, &still, 0, 0);
    *state.at(remainder_) = r;
  }
  return stiffness * x + own * x + r;
}

/// The specimen where it is said to be. Drives that are told forces apply them; those that are told
/// displacements hold what is left of K·q.
std::vector<double> PlantRig::rest_matrices(State& state, const LinearStart& specimen, RigRow row) const {
  const int n = plant_.freedoms();
  double* z = state.at(z_);
  for (int i = 0; i < n; ++i) {
    z[i] = specimen.displacement(i);
    z[n + i] = specimen.velocity(i);
  }
  std::vector<double> held(drives_.size(), 0.0);
  std::vector<std::size_t> holding;
  Eigen::VectorXd left = matrices_.stiffness * specimen.displacement;
  for (std::size_t c = 0; c < drives_.size(); ++c) {
    const DriveModel& model = plant_.drives()[c];
    if (channels_[c].control == Control::displacement) holding.push_back(c);
    if (channels_[c].control != Control::force) continue;
    held[c] = row.command(c).value;
    for (const auto& [dof, weight] : model.at.weights) left(dof) -= weight * held[c];
  }
  if (holding.empty()) return held;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(holding.size()), n);
  for (std::size_t h = 0; h < holding.size(); ++h) {
    for (const auto& [dof, weight] : plant_.drives()[holding[h]].at.weights) {
      rows(static_cast<Eigen::Index>(h), dof) = weight;
    }
  }
  const Eigen::MatrixXd gram = rows * rows.transpose();
  const Eigen::VectorXd forces = gram.partialPivLu().solve(rows * left);
  for (std::size_t h = 0; h < holding.size(); ++h) {
    const std::size_t c = holding[h];
    held[c] = forces(static_cast<Eigen::Index>(h)) + plant_.drives()[c].stiffness * plant_.displacement(c, z);
  }
  return held;
}

void PlantRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  const std::size_t count = drives_.size();
  const std::vector<double> held =
      specimen_ != nullptr ? std::vector<double>{rest_specimen(state, specimen, row.command(0).value)}
                           : rest_matrices(state, specimen, row);
  double* z = state.at(z_);
  std::vector<double> inputs(count), starts(count), forces(count);
  for (std::size_t c = 0; c < count; ++c) {
    inputs[c] = drives_[c]->rest(state, row.command(c).value, plant_.displacement(c, z), held[c],
                                 z + plant_.first_state(c));
    lines_[c].rest(state, inputs[c]);
    starts[c] = plant_.force(c, z, inputs[c]);
  }
  measure(state, inputs.data(), inputs.data(), starts.data(), row, forces.data());
  for (std::size_t c = 0; c < count; ++c) {
    if (plant_.drives()[c].base) continue;
    force_delays_[c].rest(state, forces[c]);
    row.signals(c)[1] = forces[c];
  }
}

void PlantRig::join(LinearSystem& system) const {
  if (specimen_ != nullptr) return specimen_->join(system, channels_.front().interface);
  std::vector<Interface> at;
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    // Floors under forces and on a table are the structure of the file: nothing is to be joined.
    if (channels_[c].control != Control::displacement) return;
    at.push_back(channels_[c].interface);
  }
  std::vector<Interface> where(static_cast<std::size_t>(plant_.freedoms()));
  for (std::size_t c = 0; c < at.size(); ++c) {
    where[static_cast<std::size_t>(plant_.drives()[c].at.weights.front().first)] = at[c];
  }
  join_matrices(system, matrices_, std::move(where));
}

std::vector<double> PlantRig::frequencies() const {
  if (specimen_ != nullptr) return specimen_->frequencies();
  std::vector<bool> held(static_cast<std::size_t>(plant_.freedoms()), false);
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    if (channels_[c].control != Control::displacement) continue;
    for (const auto& [dof, weight] : plant_.drives()[c].at.weights)
      held[static_cast<std::size_t>(dof)] = true;
  }
  return free_frequencies(matrices_, held);
}

}  // namespace gusset

#include "analysis/damping_review.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/linear_system.hpp"
#include "structure/restoring.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

constexpr double noticeable = 0.1;  ///< of the yield force

/// c of the dashpot that C has between the two floors of a storey, or between a floor and the ground.
double dashpot_of(const Structure& structure, const Interface& at) {
  const int upper = at.weights.front().first;
  if (at.weights.size() > 1) return -structure.damping(upper, at.weights[1].first);
  double sum = 0;
  for (int j = 0; j < structure.size(); ++j) sum += structure.damping(upper, j);
  return sum;
}

template <typename... Values>
std::string damping_text(const char* format, Values... values) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

}  // namespace

std::vector<ModeDamping> damping_of_modes(const Experiment& experiment) {
  const Structure& structure = experiment.structure();
  std::vector<ModeDamping> modes;
  if (structure.asked.empty()) return modes;
  LinearSystem system = structure.linear_system(true);
  for (const ListedStorey& storey : experiment.storeys()) {
    const Restoring& restoring = *storey.restoring;
    if (restoring.structural() || restoring.damped()) system.add_stiffness(storey.at, restoring.stiffness());
  }
  int highest = 0;
  for (const AskedRatio& asked : structure.asked) highest = std::max(highest, asked.mode);
  NaturalModes natural;
  if (structure.size() >= large_structure) {
    natural = lowest_modes(system, highest);
  } else {
    LinearSystem dense = structure.linear_system();
    dense.stiffness = system.matrix(system.stiffness_entries);
    natural = natural_modes(dense);
  }
  const Eigen::SparseMatrix<double> damping = system.matrix(system.damping_entries);
  // Of a mode that nothing holds the frequency is rounding: 1e-8 of the highest.
  const double least =
      1e-6 * (structure.size() >= large_structure ? highest_frequency(system) : natural.frequencies.back());
  for (const AskedRatio& asked : structure.asked) {
    const auto k = static_cast<std::size_t>(asked.mode) - 1;
    const double omega = natural.frequencies[k];
    const Eigen::VectorXd shape = natural.shapes.col(static_cast<Eigen::Index>(k));
    const bool held = omega > least;
    modes.push_back({asked.mode, asked.ratio, held ? shape.dot(damping * shape) / (2 * omega) : 0, held});
  }
  return modes;
}

ViscousWatch::ViscousWatch(const Experiment& experiment) : velocity_(experiment.response().velocity) {
  const Structure& structure = experiment.structure();
  for (const ListedStorey& storey : experiment.storeys()) {
    const std::optional<double> yield = storey.restoring->yield_force();
    const double damping = dashpot_of(structure, storey.at);
    if (!yield || !(damping > 0)) continue;
    dashpots_.push_back({&storey, damping, storey.restoring->damped() ? structure.tangent_damping : 0,
                         storey.restoring->stiffness()});
    forces_.push_back({storey.at.name, storey.at.weights.front().first + 1, 0, *yield});
  }
}

void ViscousWatch::look(const State& state, const Wires& wires) noexcept {
  for (std::size_t i = 0; i < dashpots_.size(); ++i) {
    auto& [storey, damping, follows, tangent] = dashpots_[i];
    const double velocity = storey->at.of(wires.at(velocity_));  // at the beginning of the step
    const double initial = storey->restoring->stiffness();
    if (tangent < 0.5 * initial) {
      const double force = std::abs((damping - follows * (initial - tangent)) * velocity);
      forces_[i].force = std::max(forces_[i].force, force);
    }
    tangent = storey->restoring->tangent(state, velocity);
  }
}

std::vector<std::string> damping_warnings(const std::vector<ModeDamping>& modes,
                                          const std::vector<ViscousForce>& forces) {
  std::vector<std::string> warnings;
  for (const ModeDamping& mode : modes) {
    if (mode.met()) continue;
    if (!mode.held) {
      warnings.push_back(damping_text(
          "damping of %.4g %% is asked for in mode %d, which nothing of the numerical part holds: the "
          "stiffness of "
          "specimens and devices does not count (a device counts with rayleigh = true)",
          100 * mode.asked, mode.mode));
      continue;
    }
    warnings.push_back(damping_text(
        "damping of %.4g %% is asked for in mode %d, and the mode has %.3g %%: the damping is not made from "
        "the initial stiffness of all restoring forces (rayleigh.stiffness = \"initial\" does)",
        100 * mode.asked, mode.mode, 100 * mode.ratio));
  }
  for (const ViscousForce& force : forces) {
    if (!(force.share() > noticeable)) continue;
    warnings.push_back(damping_text(
        "the viscous force of storey %d reaches %.4g kN, %.0f %% of the yield force of %s: damping carries "
        "what the yielding storey no longer does; modal damping (damping_ratio) or rayleigh.stiffness = "
        "\"tangent\" leave less of it",
        force.storey, 1e-3 * force.force, 100 * force.share(), force.name.c_str()));
  }
  return warnings;
}

}  // namespace gusset

#include "analysis/runaway.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

constexpr std::int64_t most_steps = 2'000'000;  ///< as in a rehearsal
constexpr Eigen::Index most_modes = 10;

struct ModePeak {
  double displacement = 0, velocity = 0;
};

/// The largest coordinate and rate of a mode, by the average acceleration method: stable for every step, and for
/// modes far faster than the step their share of the motion is small.
ModePeak peak_of_mode(const Test& test, double omega, double zeta, double participation, double q, double v) {
  const double dt = test.experiment->dt();
  const double c = 2 * zeta * omega, k = omega * omega;
  const double effective = 1 + 0.5 * dt * c + 0.25 * dt * dt * k;
  double a = -participation * test.input(0).acceleration - c * v - k * q;
  ModePeak peak{std::abs(q), std::abs(v)};
  const std::int64_t steps = std::min(test.steps, most_steps);
  for (std::int64_t step = 0; step < steps; ++step) {
    const double predicted_q = q + dt * v + 0.25 * dt * dt * a;
    const double predicted_v = v + 0.5 * dt * a;
    a = (-participation * test.input(step).next_acceleration - c * predicted_v - k * predicted_q) / effective;
    q = predicted_q + 0.25 * dt * dt * a;
    v = predicted_v + 0.5 * dt * a;
    peak.displacement = std::max(peak.displacement, std::abs(q));
    peak.velocity = std::max(peak.velocity, std::abs(v));
  }
  return peak;
}

/// Of a linear system whose first `floors` degrees of freedom are the structure's.
MotionScale scale_of(const Test& test, const LinearSystem& system, int floors, bool linear) {
  const bool large = system.sparse;
  const NaturalModes modes = large ? lowest_modes(system, most_modes) : natural_modes(system);
  const Eigen::SparseMatrix<double> mass =
      large ? system.matrix(system.mass_entries) : Eigen::SparseMatrix<double>(system.mass.sparseView());
  const Eigen::SparseMatrix<double> damping = large
                                                  ? system.matrix(system.damping_entries)
                                                  : Eigen::SparseMatrix<double>(system.damping.sparseView());
  const LinearStart start = test.experiment->whole_start();
  const Eigen::Index n = system.size();
  Eigen::VectorXd displacement = Eigen::VectorXd::Zero(n), velocity = displacement;
  const Eigen::VectorXd momentum_of_ground = mass * system.influence;
  for (Eigen::Index k = 0; k < std::min(modes.shapes.cols(), most_modes); ++k) {
    const Eigen::VectorXd shape = modes.shapes.col(k);
    const double omega = modes.frequencies[static_cast<std::size_t>(k)];
    if (!std::isfinite(omega)) continue;
    const double ratio = omega > 0 ? shape.dot(damping * shape) / (2 * omega) : 0;
    const Eigen::VectorXd weights = mass * shape;
    const ModePeak peak =
        peak_of_mode(test, omega, linear ? ratio : std::min(ratio, 0.05), shape.dot(momentum_of_ground),
                     weights.dot(start.displacement.head(n)), weights.dot(start.velocity.head(n)));
    displacement += peak.displacement * shape.cwiseAbs();
    velocity += peak.velocity * shape.cwiseAbs();
  }
  return {displacement.head(floors).maxCoeff(), velocity.head(floors).maxCoeff()};
}

MotionScale scale_of_trajectory(const Test& test) {
  MotionScale scale;
  const std::int64_t steps = std::min(test.steps, most_steps);
  for (std::int64_t step = 0; step <= steps; ++step) {
    const Input input = test.input(step);
    scale.displacement = std::max(scale.displacement, std::abs(input.displacement));
    scale.velocity = std::max(scale.velocity, std::abs(input.increment) / test.experiment->dt());
  }
  return scale;
}

void widen(MotionScale& scale, const MotionScale& other) {
  scale.displacement = std::max(scale.displacement, other.displacement);
  scale.velocity = std::max(scale.velocity, other.velocity);
}

}  // namespace

MotionScale motion_scale(const Test& test) {
  const Experiment& experiment = *test.experiment;
  const int floors = experiment.structure().size();
  if (floors == 0) return scale_of_trajectory(test);
  const bool sparse = experiment.whole(true).size() >= large_structure;
  LinearSystem whole = experiment.whole(sparse);
  if (experiment.affine()) return scale_of(test, whole, floors, true);
  MotionScale scale = scale_of(test, whole, floors, false);
  if (sparse) return scale;
  const LinearSystem own = experiment.structure().linear_system();
  Eigen::MatrixXd standing = Eigen::MatrixXd::Zero(whole.size(), whole.size());
  standing.topLeftCorner(floors, floors) = own.stiffness;
  const double lowest = natural_frequencies(whole).front();
  whole.stiffness = standing + 0.1 * (whole.stiffness - standing);
  widen(scale, scale_of(test, whole, floors, false));
  if (natural_frequencies(own).front() > 0.1 * lowest) widen(scale, scale_of(test, own, floors, false));
  return scale;
}

std::string text_of(const Runaway& runaway) {
  char text[256];
  std::snprintf(text, sizeof text, "%s passed %g times the test's own scale of %.3g m at t = %.4g s, and ",
                runaway.signal.c_str(), runaway_factor, runaway.scale, runaway.time);
  char end[64] = "was not finite in the end";
  if (std::isfinite(runaway.reached)) std::snprintf(end, sizeof end, "reached %.4g m", runaway.reached);
  return std::string(text) + end;
}

RunawayWatch::RunawayWatch(const Test& test, const MotionScale& scale) : scale_(scale) {
  const Experiment& experiment = *test.experiment;
  if (!(scale.displacement > 0)) return;
  for (int i = 0; i < experiment.structure().size(); ++i) {
    names_.push_back(Structure::name_of(i) + ".displacement");
    ports_.push_back(experiment.response().displacement[i]);
  }
  if (!ports_.empty()) return;
  const Row& row = experiment.loop().row();
  for (const Channel& channel : experiment.channels()) {
    const std::string name = channel.name() + ".measured";
    if (!row.has(name) || row.find(name).signal.unit != "m") continue;
    names_.push_back(name);
    ports_.push_back(row.find(name).port);
  }
}

void RunawayWatch::look(const Wires& row, double time) noexcept {
  const double most = runaway_factor * scale_.displacement;
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const double value = std::abs(row[ports_[i]]);
    if (value <= most) continue;
    const auto own = static_cast<std::ptrdiff_t>(i);
    if (first_ < 0) {
      first_ = own;
      time_ = time;
    }
    if (!(value <= reached_) && own == first_) reached_ = value;
  }
}

std::optional<Runaway> RunawayWatch::found() const {
  if (first_ < 0) return std::nullopt;
  return Runaway{time_, names_[static_cast<std::size_t>(first_)], reached_, scale_.displacement};
}

}  // namespace gusset

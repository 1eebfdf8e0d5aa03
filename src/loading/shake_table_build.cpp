// What a shake-table test computes before it begins.

#include <Eigen/LU>

#include "base/linear_plant.hpp"
#include "loading/shake_table.hpp"

namespace gusset {
namespace {

/// Numerical floors that the specimen loads.
std::vector<int> loaded_floors(const Partition& p) {
  std::vector<int> floors;
  for (int i = 0; i < static_cast<int>(p.numerical.size()); ++i) {
    if (i == p.base || !p.load_x.row(i).isZero(0) || !p.load_v.row(i).isZero(0)) floors.push_back(i);
  }
  return floors;
}

}  // namespace

std::vector<ForceEstimate> ShakeTableMethod::interface_estimates(const Partition& partition) {
  // They pull the floors where restoring forces hold them back.
  std::vector<ForceEstimate> estimates;
  for (const int floor : loaded_floors(partition)) estimates.push_back({{"interface", {{floor, -1.0}}}, 0});
  return estimates;
}

ShakeTableMethod::ShakeTableMethod(Parameters parameters, Model model, std::vector<Channel> channels,
                                   double dt, Layout& layout)
    : Method(std::move(channels), Profile::ramp, dt, layout, 0),
      p_(std::move(parameters)),
      integrator_(std::move(model.integrator)),
      kept_(model.state),
      storeys_(std::move(model.storeys), dt, layout),
      far_(std::move(model.far)),
      numerical_(static_cast<int>(p_.partition.numerical.size())),
      specimen_(static_cast<int>(p_.partition.experimental.size())),
      channels_count_(specimen_ + 1),
      shares_(load_shares(p_.partition, p_.split)) {
  x_ = layout.add("feedback", "displacement", "m", specimen_, 1e-6);
  v_ = layout.add("feedback", "velocity", "m/s", specimen_, 1e-5);
  a_ = layout.add("feedback", "acceleration", "m/s^2", specimen_, 1e-4);
  if (p_.shear) shear_ = layout.add("feedback", "shear", "N", 1, 1.0);
  commands_ = layout.add("method", "command", "SI", channels_count_, 1.0);
  corrects_.assign(static_cast<std::size_t>(p_.substeps), p_.feedback == Feedback::iterations);
  corrects_.back() = false;
  iterates_ = p_.feedback == Feedback::iterations;
  settles_ = iterates_ || (!storeys_.empty() && !open());
  if (iterates_ && p_.yielding) {
    largest_ = layout.add("method", "largest", "SI", channels_count_, 1.0, Layout::Kind::parameter);
    unresolved_ = layout.add("method", "unresolved", "-", 1, 1e-3, Layout::Kind::parameter);
  }
  build_model();
  if (iterates_) build_newton();
}

void ShakeTableMethod::build_model() {
  const Partition& p = p_.partition;
  model_ = open() ? p_.whole.size() : numerical_;
  base_ = open() && p.base >= 0 ? p.numerical[static_cast<std::size_t>(p.base)] : p.base;
  if (model_ > 0) inverse_mass_ = (open() ? p_.whole.mass : p.mass).inverse();
  damping_ = open() ? p_.whole.damping : p.damping;
  stiffness_ = open() ? p_.whole.stiffness : p.stiffness;
  influence_ = open() ? p_.whole.influence : p.influence;
  if (!open()) loaded_ = loaded_floors(p);
  interfaces_ = static_cast<int>(loaded_.size());
  for (int k = 0; k < interfaces_; ++k) {
    contributions_.push_back({k, loaded_[static_cast<std::size_t>(k)], -1.0});
  }
  for (std::size_t s = 0; s < storeys_.size(); ++s) {
    for (const auto& [dof, weight] : storeys_[s].interface.weights) {
      contributions_.push_back({interfaces_ + static_cast<int>(s), dof, weight});
    }
    across_ = across_ || far_[s] >= 0;
  }
  if (open() && numerical_ > 0) {
    measured_load_.resize(numerical_, 2 * specimen_);
    measured_load_ << p.mass.inverse() * p.load_x, p.mass.inverse() * p.load_v;
  }
}

/// J: how the commands of t_{i+1} answer to those of the trial, by the model of the structure at rest.
void ShakeTableMethod::build_newton() {
  const Partition& p = p_.rest;
  const CommandMap map = command_map(p, p_.split);
  const int n = numerical_;
  const int e = specimen_;
  const Eigen::MatrixXd inverse = physical_mass(p, p_.split).inverse();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2 * e, 2 * e);
  a.topRightCorner(e, e).setIdentity();
  a.bottomRows(e) << -inverse * p.specimen_stiffness, -inverse * p.specimen_damping;
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(2 * e, e + 1);
  b.bottomRows(e) << -Eigen::VectorXd::Ones(e), inverse;
  const LinearPlant specimen(a, b, dt_);
  const Eigen::MatrixXd motion =
      p_.ramp ? specimen.from_end : Eigen::MatrixXd(specimen.from_start + specimen.from_end);
  const Eigen::MatrixXd acceleration = a.bottomRows(e) * motion + b.bottomRows(e);
  Eigen::MatrixXd answer = map.specimen_x * motion.topRows(e) + map.specimen_v * motion.bottomRows(e) +
                           map.specimen_a * acceleration;
  if (n > 0) {
    const Eigen::MatrixXd per_mass = p.mass.inverse();
    Eigen::MatrixXd own_a = Eigen::MatrixXd::Zero(2 * n, 2 * n);
    own_a.topRightCorner(n, n).setIdentity();
    own_a.bottomRows(n) << -per_mass * p.stiffness, -per_mass * p.damping;
    Eigen::MatrixXd own_b = Eigen::MatrixXd::Zero(2 * n, n);
    own_b.bottomRows(n) = per_mass;
    const Eigen::MatrixXd force = p.load_x * motion.topRows(e) + p.load_v * motion.bottomRows(e);
    const Eigen::MatrixXd own = LinearPlant(own_a, own_b, dt_).from_end * force;
    answer += map.numerical_x * own.topRows(n) + map.numerical_v * own.bottomRows(n);
  }
  newton_ = (Eigen::MatrixXd::Identity(e + 1, e + 1) - answer).inverse();
}

/// The order of the scratch; with a null pointer its size.
ShakeTableMethod::Work ShakeTableMethod::work(double* lines) const noexcept {
  const auto n = static_cast<std::size_t>(model_);
  const std::size_t storeys = storeys_.size(), all = static_cast<std::size_t>(interfaces_) + storeys;
  Work w{};
  double* at = lines;
  const auto take = [&at](std::size_t size) noexcept {
    double* begin = at;
    at += size;
    return begin;
  };
  w.ground = take(2);
  w.forces = take(all);
  w.next = take(all);
  w.peek = take(all);
  double* line = take(all);
  w.change = take(all);
  w.storeys = {line + interfaces_, w.change + interfaces_, take(storeys)};
  w.far_x = take(storeys);
  w.far_v = take(storeys);
  w.base_rate = take(1);
  w.saved = take(static_cast<std::size_t>(kept_.last - kept_.first));
  w.x = take(n);
  w.v = take(n);
  w.a = take(n);
  w.integrator = at;
  return w;
}

std::size_t ShakeTableMethod::lines_size() const {
  const auto n = static_cast<std::size_t>(model_);
  const std::size_t storeys = storeys_.size(), all = static_cast<std::size_t>(interfaces_) + storeys;
  const std::size_t vectors =
      3 + (integrator_ != nullptr ? static_cast<std::size_t>(integrator_->work_vectors()) : 0);
  return 2 + 5 * all + 3 * storeys + 1 + static_cast<std::size_t>(kept_.last - kept_.first) + vectors * n;
}

}  // namespace gusset

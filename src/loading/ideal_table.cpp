#include "loading/ideal_table.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>

namespace gusset {

IdealTableMethod::IdealTableMethod(Parameters parameters, std::vector<Channel> channels, double dt,
                                   Layout& layout)
    : Method(std::move(channels), Profile::ramp, dt, layout, 0),
      p_(std::move(parameters)),
      numerical_(static_cast<int>(p_.partition.numerical.size())),
      specimen_(static_cast<int>(p_.partition.experimental.size())),
      channels_count_(specimen_ + 1),
      map_(command_map(p_.partition, p_.split)) {
  model_ = layout.add("numerical", "state", "SI", 2 * (numerical_ + specimen_), 1e-4);
  mirror_ = layout.add("specimen", "motion", "SI", 3 * specimen_, 1e-4);
  x_ = layout.add("feedback", "displacement", "m", specimen_, 1e-6);
  v_ = layout.add("feedback", "velocity", "m/s", specimen_, 1e-5);
  a_ = layout.add("feedback", "acceleration", "m/s^2", specimen_, 1e-4);
  commands_ = layout.add("method", "command", "SI", channels_count_, 1.0);
  build();
}

/// The specimen's equation with the commands put in, solved for ẍ_E:
///   M_e·ẍ_E + C_2·ẋ_E + K_2·x_E = −M_e·1·a_t + F,   [a_t; F] = … + A_e·ẍ_E
void IdealTableMethod::build() {
  const Partition& p = p_.partition;
  const int n = numerical_;
  const int e = specimen_;
  acceleration_n_ = Eigen::MatrixXd::Zero(n, 2 * n);
  acceleration_e_ = Eigen::MatrixXd::Zero(n, 2 * e);
  if (n > 0) {
    const Eigen::MatrixXd inverse = p.mass.inverse();
    acceleration_n_ << -inverse * p.stiffness, -inverse * p.damping;
    acceleration_e_ << inverse * p.load_x, inverse * p.load_v;
  }
  const int size = 2 * (n + e);
  const Eigen::MatrixXd mass = physical_mass(p, p_.split);
  // −M_e·1·a_t + F = load·[a_t; F].
  Eigen::MatrixXd load(e, e + 1);
  load << -mass * Eigen::VectorXd::Ones(e), Eigen::MatrixXd::Identity(e, e);
  const Eigen::MatrixXd effective = mass - load * map_.specimen_a;
  Eigen::MatrixXd right(e, size + 1);
  right << load * map_.numerical_x, load * map_.numerical_v, load * map_.specimen_x - p.specimen_stiffness,
      load * map_.specimen_v - p.specimen_damping, load * map_.ground;
  specimen_acceleration_ = effective.partialPivLu().solve(right);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(size, 1);
  a.block(0, n, n, n).setIdentity();
  a.block(n, 0, n, 2 * n) = acceleration_n_;
  a.block(n, 2 * n, n, 2 * e) = acceleration_e_;
  b.block(n, 0, n, 1) = -p.influence;
  a.block(2 * n, 2 * n + e, e, e).setIdentity();
  a.block(2 * n + e, 0, e, size) = specimen_acceleration_.leftCols(size);
  b.block(2 * n + e, 0, e, 1) = specimen_acceleration_.col(size);
  joined_ = LinearPlant(a, b, dt_);
}

std::vector<Method::Feed> IdealTableMethod::feeds() const {
  const std::size_t first = p_.table ? 1 : 0;
  return {{x_, "measured", "m", first}, {v_, "velocity", "m/s", first}, {a_, "acceleration", "m/s^2", first}};
}

void IdealTableMethod::commands(const double* numerical, const double* x, const double* v, const double* a,
                                double ground, double* u) const noexcept {
  Map out(u, channels_count_);
  out.noalias() = map_.numerical_x.lazyProduct(ConstMap(numerical, numerical_));
  out.noalias() += map_.numerical_v.lazyProduct(ConstMap(numerical + numerical_, numerical_));
  out.noalias() += map_.specimen_x.lazyProduct(ConstMap(x, specimen_));
  out.noalias() += map_.specimen_v.lazyProduct(ConstMap(v, specimen_));
  out.noalias() += map_.specimen_a.lazyProduct(ConstMap(a, specimen_));
  out += map_.ground * ground;
}

void IdealTableMethod::accelerations(const double* numerical, const double* x, const double* v, double ground,
                                     double* a) const noexcept {
  Map out(a, numerical_);
  out.noalias() = acceleration_n_.lazyProduct(ConstMap(numerical, 2 * numerical_));
  out.noalias() += acceleration_e_.leftCols(specimen_).lazyProduct(ConstMap(x, specimen_));
  out.noalias() += acceleration_e_.rightCols(specimen_).lazyProduct(ConstMap(v, specimen_));
  out -= p_.partition.influence * ground;
}

/// All floors relative to the ground.
void IdealTableMethod::respond(const double* numerical, const double* x, const double* v, const double* a,
                               double ground, const Response& response) const noexcept {
  std::array<double, most> own;
  accelerations(numerical, x, v, ground, own.data());
  const Partition& p = p_.partition;
  for (int i = 0; i < numerical_; ++i) {
    const int floor = p.numerical[static_cast<std::size_t>(i)];
    response.displacement[floor] = numerical[i];
    response.velocity[floor] = numerical[numerical_ + i];
    response.acceleration[floor] = own[static_cast<std::size_t>(i)];
  }
  const bool on_floor = p.base >= 0;
  for (int i = 0; i < specimen_; ++i) {
    const int floor = p.experimental[static_cast<std::size_t>(i)];
    response.displacement[floor] = x[i] + (on_floor ? numerical[p.base] : 0);
    response.velocity[floor] = v[i] + (on_floor ? numerical[numerical_ + p.base] : 0);
    response.acceleration[floor] = a[i] + (on_floor ? own[static_cast<std::size_t>(p.base)] : 0);
  }
}

void IdealTableMethod::begin(State& state, const Input& input, const Response& response, Piece* pieces,
                             double*) const noexcept {
  double* model = state.at(model_);
  double* u = state.at(commands_);
  const double now = input.acceleration;
  const double next = input.next_acceleration;
  respond(model, state.at(x_), state.at(v_), state.at(a_), now, response);
  const int size = 2 * (numerical_ + specimen_);
  std::array<double, most> to;
  Map out(to.data(), size);
  out.noalias() = joined_.transition.lazyProduct(ConstMap(model, size));
  out += joined_.from_start.col(0) * now;
  out += joined_.from_end.col(0) * next;
  std::copy_n(to.data(), size, model);
  std::array<double, most> model_a;
  Map acceleration(model_a.data(), specimen_);
  acceleration.noalias() = specimen_acceleration_.leftCols(size).lazyProduct(ConstMap(model, size));
  acceleration += specimen_acceleration_.col(size) * next;
  const double* model_x = model + 2 * numerical_;
  commands(model, model_x, model_x + specimen_, model_a.data(), next, u);
  std::copy_n(model_x, 2 * specimen_, state.at(mirror_));
  std::copy_n(model_a.data(), specimen_, state.at(mirror_) + 2 * specimen_);
  const int first = p_.table ? 0 : 1;
  for (int c = first; c < channels_count_; ++c) pieces[c - first] = {u[c], 0, 0};
}

LinearStart IdealTableMethod::specimen_start(const LinearStart& whole) const {
  return relative_to_base(p_.partition, whole);
}

void IdealTableMethod::start(State& state, const LinearStart& motion, const Input& input,
                             Command* targets) const {
  const LinearStart own = specimen_start(motion);
  double* model = state.at(model_);
  for (int i = 0; i < numerical_; ++i) {
    const int floor = p_.partition.numerical[static_cast<std::size_t>(i)];
    model[i] = motion.displacement(floor);
    model[numerical_ + i] = motion.velocity(floor);
  }
  for (int i = 0; i < specimen_; ++i) {
    model[2 * numerical_ + i] = own.displacement(i);
    model[2 * numerical_ + specimen_ + i] = own.velocity(i);
    state.at(mirror_)[i] = own.displacement(i);
    state.at(mirror_)[specimen_ + i] = own.velocity(i);
    state.at(mirror_)[2 * specimen_ + i] = own.acceleration(i);
  }
  commands(model, own.displacement.data(), own.velocity.data(), own.acceleration.data(), input.acceleration,
           state.at(commands_));
  const int first = p_.table ? 0 : 1;
  for (int c = first; c < channels_count_; ++c) targets[c - first] = {state.at(commands_)[c], 0, 0, 0};
}

}  // namespace gusset

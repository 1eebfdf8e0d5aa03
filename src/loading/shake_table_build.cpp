// What a shake-table test computes before it begins.

#include <Eigen/LU>

#include "loading/shake_table.hpp"

namespace gusset {

void ShakeTableMethod::build_numerical() {
  const Partition& p = p_.partition;
  const int n = numerical_;
  acceleration_n_ = Eigen::MatrixXd::Zero(n, 2 * n);
  acceleration_e_ = Eigen::MatrixXd::Zero(n, 2 * specimen_);
  if (n == 0) return;
  const Eigen::MatrixXd inverse = p.mass.inverse();
  acceleration_n_ << -inverse * p.stiffness, -inverse * p.damping;
  acceleration_e_ << inverse * p.load_x, inverse * p.load_v;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  a.topRightCorner(n, n).setIdentity();
  a.bottomRows(n) = acceleration_n_;
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(2 * n, n + 1);
  b.bottomLeftCorner(n, n) = inverse;
  b.bottomRightCorner(n, 1) = -p.influence;
  plant_ = LinearPlant(a, b, dt_);
}

/// The specimen's equation with the commands put in, solved for ẍ_E:
///   M_e·ẍ_E + C_2·ẋ_E + K_2·x_E = −M_e·1·a_t + F,   [a_t; F] = … + A_e·ẍ_E
void ShakeTableMethod::build_ideal() {
  const Partition& p = p_.partition;
  const int n = numerical_;
  const int e = specimen_;
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

/// J: how the commands of t_{i+1} answer to those of the trial, by the model of the specimen.
void ShakeTableMethod::build_newton() {
  const Partition& p = p_.partition;
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
  Eigen::MatrixXd answer = map_.specimen_x * motion.topRows(e) + map_.specimen_v * motion.bottomRows(e) +
                           map_.specimen_a * acceleration;
  if (n > 0) {
    const Eigen::MatrixXd force = p.load_x * motion.topRows(e) + p.load_v * motion.bottomRows(e);
    const Eigen::MatrixXd own = plant_.from_end.leftCols(n) * force;
    answer += map_.numerical_x * own.topRows(n) + map_.numerical_v * own.bottomRows(n);
  }
  newton_ = (Eigen::MatrixXd::Identity(e + 1, e + 1) - answer).inverse();
}

}  // namespace gusset

#include "rig/plant.hpp"

#include <Eigen/LU>

namespace gusset {

DriveModel DriveModel::with_states(Interface at, int count) {
  DriveModel model;
  model.at = std::move(at);
  model.a = Eigen::MatrixXd::Zero(count, count);
  model.displacement = model.velocity = model.input = Eigen::VectorXd::Zero(count);
  model.force = Eigen::RowVectorXd::Zero(count);
  return model;
}

Plant::Plant(const TestStructure& specimen, std::vector<DriveModel> drives)
    : freedoms_(specimen.size()), drives_(std::move(drives)) {
  const Eigen::Index n = freedoms_;
  const auto count = static_cast<Eigen::Index>(drives_.size());
  Eigen::MatrixXd mass = specimen.mass, damping = specimen.damping, stiffness = specimen.stiffness;
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(count, n);  // W
  Eigen::Index size = 2 * n;
  for (Eigen::Index c = 0; c < count; ++c) {
    const DriveModel& drive = drives_[static_cast<std::size_t>(c)];
    first_.push_back(static_cast<int>(size));
    size += drive.states();
    for (const auto& [i, wi] : drive.at.weights) {
      rows(c, i) = wi;
      for (const auto& [j, wj] : drive.at.weights) {
        mass(i, j) += wi * wj * drive.mass;
        damping(i, j) += wi * wj * drive.damping;
        stiffness(i, j) += wi * wj * (drive.stiffness - drive.force_displacement);
      }
    }
  }
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(mass);
  motion_.resize(n, 2 * n);
  motion_.leftCols(n) = -factor.solve(stiffness);
  motion_.rightCols(n) = -factor.solve(damping);
  effect_ = factor.solve(rows.transpose());

  a_ = Eigen::MatrixXd::Zero(size, size);
  a_.block(0, n, n, n).setIdentity();
  a_.block(n, 0, n, 2 * n) = motion_;
  b_ = Eigen::MatrixXd::Zero(size, count);
  loads_ = Eigen::MatrixXd::Zero(size, count);
  for (Eigen::Index c = 0; c < count; ++c) {
    const DriveModel& drive = drives_[static_cast<std::size_t>(c)];
    const Eigen::Index at = first_[static_cast<std::size_t>(c)], own = drive.states();
    if (drive.base) effect_.col(c).setConstant(-1);
    a_.block(at, at, own, own) = drive.a;
    a_.block(at, 0, own, n) += drive.displacement * rows.row(c);
    a_.block(at, n, own, n) += drive.velocity * rows.row(c);
    a_.block(n, at, n, own) = effect_.col(c) * drive.force;
    b_.block(at, c, own, 1) = drive.input;
    b_.block(n, c, n, 1) = drive.force_input * effect_.col(c);
    if (!drive.base) loads_.block(n, c, n, 1) = effect_.col(c);
  }

  // P of the drives that take hold of the specimen; a base has no row there.
  std::vector<Eigen::Index> held;
  for (Eigen::Index c = 0; c < count; ++c) {
    if (!drives_[static_cast<std::size_t>(c)].base) held.push_back(c);
  }
  const Eigen::MatrixXd own_rows = rows(held, Eigen::all);
  const Eigen::MatrixXd gram = own_rows * own_rows.transpose();
  const Eigen::MatrixXd projection = gram.isIdentity(0) ? own_rows : gram.inverse() * own_rows;
  specimen_rows_ = Eigen::MatrixXd::Zero(count, 2 * n);
  inertia_.resize(drives_.size());
  for (std::size_t h = 0; h < held.size(); ++h) {
    const auto row = static_cast<Eigen::Index>(h);
    specimen_rows_.row(held[h]).head(n) = projection.row(row) * specimen.stiffness;
    specimen_rows_.row(held[h]).tail(n) = projection.row(row) * specimen.damping;
    const Eigen::RowVectorXd inertia = projection.row(row) * specimen.mass;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (inertia(j) == 0) continue;
      inertia_[static_cast<std::size_t>(held[h])].push_back({static_cast<int>(j), inertia(j)});
    }
  }
}

double Plant::push(std::size_t drive, const double* z, double input) const noexcept {
  const DriveModel& model = drives_[drive];
  const double* d = z + first_[drive];
  double sum = 0;
  for (Eigen::Index i = 0; i < model.force.size(); ++i) sum += model.force(i) * d[i];
  return model.force_input == 0 ? sum : sum + model.force_input * input;
}

double Plant::acceleration(int freedom, const double* z, const double* pushes,
                           const double* remainders) const noexcept {
  double sum = 0;
  for (std::size_t c = 0; c < drives_.size(); ++c) {
    sum += (pushes[c] - remainders[c]) * effect_(freedom, static_cast<Eigen::Index>(c));
  }
  for (int j = 0; j < 2 * freedoms_; ++j) sum += motion_(freedom, j) * z[j];
  return sum;
}

double Plant::specimen_force(std::size_t drive, const double* z, const double* accelerations, double base,
                             double remainder) const noexcept {
  double sum = remainder;
  for (const Term& term : inertia_[drive]) sum += term.mass * (accelerations[term.freedom] + base);
  const auto row = static_cast<Eigen::Index>(drive);
  for (int j = 0; j < 2 * freedoms_; ++j) sum += specimen_rows_(row, j) * z[j];
  return sum;
}

}  // namespace gusset

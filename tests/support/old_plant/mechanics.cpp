#include "support/old_plant/mechanics.hpp"

#include <Eigen/LU>
#include <cmath>

#include "base/linear_system.hpp"
#include "rig/propagator.hpp"

namespace gusset::old {
namespace {

/// The specimen alone, its interface being degree of freedom 0.
LinearSystem alone(const Specimen& specimen) {
  LinearSystem system;
  for (Eigen::MatrixXd* matrix : {&system.mass, &system.damping, &system.stiffness}) {
    *matrix = Eigen::MatrixXd::Zero(1, 1);
  }
  system.influence = Eigen::VectorXd::Ones(1);
  specimen.join(system, Interface{"", {{0, 1.0}}});
  return system;
}

}  // namespace

bool specimen_linear(const RigContext& context) {
  Layout scrap;
  SpecimenContext own = context.specimen_context({&context.dt, 1});
  const SpecimenContext throwaway{own.document,
                                  own.section,
                                  own.name,
                                  scrap,
                                  own.durations,
                                  own.numerical_mass,
                                  own.numerical_stiffness,
                                  own.reference_frequency};
  return specimen_kind(context.specimen).make(throwaway)->affine();
}

int pieces_of(double duration, bool linear) {
  constexpr double longest = 1e-4;
  return linear ? 1 : std::max(1, static_cast<int>(std::ceil(duration / longest - 1e-9)));
}

Mechanics::Mechanics(const RigContext& context, const Own& own, std::span<const double> durations)
    : linear_(specimen_linear(context)) {
  // A linear specimen lives in the plant; state of its own would only stand still.
  Layout scrap;
  const SpecimenContext outer = context.specimen_context(durations);
  const SpecimenContext inner{outer.document,
                              outer.section,
                              outer.name,
                              linear_ ? scrap : outer.layout,
                              outer.durations,
                              outer.numerical_mass,
                              outer.numerical_stiffness,
                              outer.reference_frequency};
  specimen_ = specimen_kind(context.specimen).make(inner);
  LinearSystem system = alone(*specimen_);
  const Eigen::Index n = system.size();
  if (2 * n > Propagator::most_states - 8) {
    context.specimen.fail("kind", "the specimen has too many degrees of freedom for this rig",
                          "use a simpler specimen, or rig.kind = \"second-order\"");
  }
  const Eigen::RowVectorXd mass_row = system.mass.row(0);
  const Eigen::RowVectorXd damping_row = system.damping.row(0);
  const Eigen::RowVectorXd stiffness_row = system.stiffness.row(0);
  rigid_ = mass_row(0);
  mass_ = own.mass + rigid_;
  if (!(mass_ > 0)) {
    context.section.fail("mass", "nothing that this rig moves has mass",
                         "give rig.mass, of piston, rod and platen, e.g. mass = \"50 kg\"");
  }
  system.mass(0, 0) += own.mass;
  system.damping(0, 0) += own.damping;
  system.stiffness(0, 0) += own.stiffness;
  const Eigen::PartialPivLU<Eigen::MatrixXd> factor(system.mass);
  a_ = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  a_.topRightCorner(n, n).setIdentity();
  a_.bottomLeftCorner(n, n) = -factor.solve(system.stiffness);
  a_.bottomRightCorner(n, n) = -factor.solve(system.damping);
  b_ = Eigen::VectorXd::Zero(2 * n);
  b_.tail(n) = factor.solve(Eigen::VectorXd::Unit(n, 0));
  // Everything follows x at rest, so internal springs carry nothing.
  static_stiffness_ = stiffness_row.sum();
  for (Eigen::Index j = 0; j < 2 * n; ++j) acceleration_.push_back(a_(n, j));
  for (Eigen::Index j = 0; j < n; ++j) force_.push_back(stiffness_row(j));
  for (Eigen::Index j = 0; j < n; ++j) force_.push_back(damping_row(j));
}

double Mechanics::acceleration(const double* z, double drive) const noexcept {
  double sum = drive * b_(freedoms());
  for (std::size_t j = 0; j < acceleration_.size(); ++j) sum += acceleration_[j] * z[j];
  return sum;
}

double Mechanics::force(const double* z, double acceleration, double remainder) const noexcept {
  double sum = rigid_ * acceleration + remainder;
  for (std::size_t j = 0; j < force_.size(); ++j) sum += force_[j] * z[j];
  return sum;
}

double Mechanics::remainder(State& state, const double* z, const Motion& motion) const noexcept {
  if (linear_) return 0;
  return specimen_->advance(state, motion) - force(z, motion.acceleration, 0);
}

double Mechanics::start(State& state, double* z, double x, double displacement, double velocity) const {
  const int n = freedoms();
  for (int i = 0; i < n; ++i) {
    z[i] = x + (i > 0 ? displacement : 0);
    z[n + i] = i > 0 ? velocity : 0;
  }
  if (linear_) return 0;
  return specimen_->start(state, {x, 0, 0, 0, 0}, displacement, velocity) - force(z, 0, 0);
}

double Mechanics::static_force(double x) const { return static_stiffness_ * x; }

}  // namespace gusset::old

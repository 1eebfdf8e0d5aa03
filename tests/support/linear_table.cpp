#include "support/linear_table.hpp"

#include <Eigen/LU>

namespace gusset::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LinearTableTest::LinearTableTest(Settings settings)
    : s_(std::move(settings)),
      n_(s_.partition.mass.rows()),
      e_(s_.partition.specimen_mass.rows()),
      map_(command_map(s_.partition, s_.split)) {
  const Partition& p = s_.partition;
  const auto n = n_, e = e_;
  const MatrixXd mass = physical_mass(p, s_.split), inverse = mass.inverse();
  rates_ = MatrixXd::Zero(2 * e, 2 * e);
  rates_.topRightCorner(e, e).setIdentity();
  rates_.bottomRows(e) << -inverse * p.specimen_stiffness, -inverse * p.specimen_damping;
  inputs_ = MatrixXd::Zero(2 * e, e + 1);
  inputs_.bottomRows(e) << -VectorXd::Ones(e), inverse;
  specimen_ = LinearPlant(rates_, inputs_, s_.dt);

  const MatrixXd per_mass = p.mass.inverse();
  MatrixXd a = MatrixXd::Zero(2 * n, 2 * n), b = MatrixXd::Zero(2 * n, n + 1);
  a.topRightCorner(n, n).setIdentity();
  a.bottomRows(n) << -per_mass * p.stiffness, -per_mass * p.damping;
  b.bottomRows(n) << per_mass, -p.influence;
  numerical_ = LinearPlant(a, b, s_.dt);

  // The specimen's equation with the commands put in, solved for ẍ_E.
  MatrixXd load(e, e + 1);
  load << -mass * VectorXd::Ones(e), MatrixXd::Identity(e, e);
  MatrixXd right(e, 2 * (n + e) + 1);
  right << load * map_.numerical_x, load * map_.numerical_v, load * map_.specimen_x - p.specimen_stiffness,
      load * map_.specimen_v - p.specimen_damping, load * map_.ground;
  specimen_acceleration_ = (mass - load * map_.specimen_a).partialPivLu().solve(right);
  MatrixXd whole = MatrixXd::Zero(2 * (n + e), 2 * (n + e)), ground = MatrixXd::Zero(2 * (n + e), 1);
  whole.topLeftCorner(2 * n, 2 * n) = a;
  whole.block(n, 2 * n, n, 2 * e) << per_mass * p.load_x, per_mass * p.load_v;
  ground.block(n, 0, n, 1) = -p.influence;
  whole.block(2 * n, 2 * n + e, e, e).setIdentity();
  whole.bottomRows(e) = specimen_acceleration_.leftCols(2 * (n + e));
  ground.bottomRows(e) = specimen_acceleration_.rightCols(1);
  joined_ = LinearPlant(whole, ground, s_.dt);

  const MatrixXd motion = s_.ramp ? specimen_.from_end : MatrixXd(specimen_.from_start + specimen_.from_end);
  const MatrixXd force = p.load_x * motion.topRows(e) + p.load_v * motion.bottomRows(e);
  const MatrixXd own = numerical_.from_end.leftCols(n) * force;
  const MatrixXd jacobian = map_.specimen_x * motion.topRows(e) + map_.specimen_v * motion.bottomRows(e) +
                            map_.specimen_a * (rates_ * motion + inputs_).bottomRows(e) +
                            map_.numerical_x * own.topRows(n) + map_.numerical_v * own.bottomRows(n);
  newton_ = (MatrixXd::Identity(e + 1, e + 1) - jacobian).inverse();
}

VectorXd LinearTableTest::commands(const VectorXd& model, const Specimen& specimen, double ground) const {
  return map_.numerical_x * model.head(n_) + map_.numerical_v * model.segment(n_, n_) +
         map_.specimen_x * specimen.x + map_.specimen_v * specimen.v + map_.specimen_a * specimen.a +
         map_.ground * ground;
}

VectorXd LinearTableTest::numerical_step(const VectorXd& from, const Specimen& at_start,
                                         const Specimen& at_end, double ground, double next) const {
  const Partition& p = s_.partition;
  VectorXd start(n_ + 1), end(n_ + 1);
  start << p.load_x * at_start.x + p.load_v * at_start.v, ground;
  end << p.load_x * at_end.x + p.load_v * at_end.v, next;
  return numerical_.transition * from + numerical_.from_start * start + numerical_.from_end * end;
}

LinearTableTest::Specimen LinearTableTest::answer(const Specimen& from, const VectorXd& start,
                                                  const VectorXd& end) const {
  VectorXd z(2 * e_);
  z << from.x, from.v;
  z = (specimen_.transition * z + specimen_.from_start * start + specimen_.from_end * end).eval();
  const VectorXd rate = rates_ * z + inputs_ * end;
  return {z.head(e_), z.tail(e_), rate.tail(e_)};
}

VectorXd LinearTableTest::model_acceleration(const VectorXd& model, double ground) const {
  return specimen_acceleration_.leftCols(2 * (n_ + e_)) * model +
         specimen_acceleration_.col(2 * (n_ + e_)) * ground;
}

std::vector<VectorXd> LinearTableTest::run(const std::function<Input(std::int64_t)>& input,
                                           std::int64_t steps) {
  const Partition& p = s_.partition;
  const bool open = s_.feedback == Feedback::open_loop;
  VectorXd model = VectorXd::Zero(2 * n_ + (open ? 2 * e_ : 0));
  Specimen specimen{VectorXd::Zero(e_), VectorXd::Zero(e_), VectorXd::Zero(e_)};
  const auto of_model = [&](double ground) {
    return commands(model, {model.segment(2 * n_, e_), model.tail(e_), model_acceleration(model, ground)},
                    ground);
  };
  // At rest until t_0, when the ground's acceleration is there at once: it throws the whole structure back.
  const double first = input(0).acceleration;
  if (p.base < 0) specimen.a.setConstant(-first);
  VectorXd u = commands(model, specimen, first);
  std::vector<VectorXd> floors;
  for (std::int64_t step = 0; step <= steps; ++step) {
    const double now = input(step).acceleration, next = input(step).next_acceleration;
    VectorXd all(n_ + e_);
    for (Eigen::Index i = 0; i < n_; ++i) all(p.numerical[static_cast<std::size_t>(i)]) = model(i);
    for (Eigen::Index i = 0; i < e_; ++i) {
      all(p.experimental[static_cast<std::size_t>(i)]) = specimen.x(i) + (p.base >= 0 ? model(p.base) : 0);
    }
    floors.push_back(all);
    const VectorXd last = u;
    if (s_.feedback == Feedback::sampled) {
      u = commands(model, specimen, now);
      model = numerical_step(model, specimen, specimen, now, next);
      specimen = answer(specimen, s_.ramp ? last : u, u);
    } else if (open) {
      if (!s_.ramp) u = of_model(now);
      model = (joined_.transition * model + joined_.from_start.col(0) * now + joined_.from_end.col(0) * next)
                  .eval();
      if (s_.ramp) u = of_model(next);
      specimen = answer(specimen, s_.ramp ? last : u, u);
    } else {
      u += (commands(model, specimen, next) - u) / s_.substeps;
      Specimen trial;
      for (int k = 0; k < s_.substeps; ++k) {
        trial = answer(specimen, s_.ramp ? last : u, u);
        if (k + 1 == s_.substeps) break;
        const VectorXd wanted = commands(numerical_step(model, specimen, trial, now, next), trial, next);
        u += (newton_ * (wanted - u) / (s_.substeps - (k + 1))).eval();
      }
      model = numerical_step(model, specimen, trial, now, next);
      specimen = trial;
    }
  }
  return floors;
}

}  // namespace gusset::test

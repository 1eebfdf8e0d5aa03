#include "loading/split.hpp"

#include <Eigen/LU>

namespace gusset {
namespace {

double read_share(const Section& method, std::string_view key) {
  const double share = method.number(key, dim::none, 0.0);
  if (share >= 0 && share <= 1) return share;
  method.fail(key, method.name_of(key) + " is a share and must lie between 0 and 1",
              "write " + std::string(key) + " = 0.5");
}

}  // namespace

Split read_split(const Section& method, int storeys) {
  Split split;
  split.alpha_l = read_share(method, "alpha_l");
  split.alpha_p = read_share(method, "alpha_p");
  const Entry* entry = method.find("alpha_m");
  const bool list = entry != nullptr && entry->value.kind == Value::Kind::list;
  std::vector<double> shares =
      entry != nullptr ? method.list("alpha_m", dim::none) : std::vector<double>{0.0};
  split.one_storey = storeys == 1 && !list;
  if (!list) shares.assign(static_cast<std::size_t>(storeys), shares.front());
  if (shares.size() != static_cast<std::size_t>(storeys)) {
    method.fail("alpha_m",
                "method.alpha_m has " + std::to_string(shares.size()) + " values, but " +
                    std::to_string(storeys) + " storeys are experimental",
                "give one number for all of them, or one for each");
  }
  for (const double share : shares) {
    if (share >= 0 && share <= 1) continue;
    method.fail("alpha_m", "method.alpha_m is a share of the mass and must lie between 0 and 1",
                "write alpha_m = 0.25");
  }
  split.alpha_m = Eigen::Map<Eigen::VectorXd>(shares.data(), storeys);
  if (split.alpha_p > 0 && !split.one_storey) {
    method.fail("alpha_p",
                "alpha_p shares the force from above between table and actuator of a single storey (eq. 6); "
                "a table moves all storeys alike and cannot push one of several",
                "leave alpha_p out, or make one storey experimental with alpha_m a number");
  }
  const bool table = split.alpha_l > 0 || split.alpha_p > 0;
  if (table && (split.alpha_m.array() == 1).all()) {
    method.fail(split.alpha_l > 0 ? "alpha_l" : "alpha_p",
                "with alpha_m = 1 no mass stands in the laboratory, and a table cannot load a specimen "
                "that has none",
                "write alpha_l = 0 and alpha_p = 0, or lower alpha_m");
  }
  return split;
}

Eigen::MatrixXd physical_mass(const Partition& partition, const Split& split) {
  return (1 - split.alpha_m.array()).matrix().asDiagonal() * partition.specimen_mass;
}

LoadShares load_shares(const Partition& p, const Split& split) {
  const Eigen::Index e = p.specimen_mass.rows();
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(e);
  const Eigen::VectorXd total = p.specimen_mass * ones;
  const Eigen::MatrixXd virtual_mass = split.alpha_m.asDiagonal() * p.specimen_mass;
  Eigen::VectorXd on_base = Eigen::VectorXd::Zero(e + 1);
  Eigen::MatrixXd on_force = Eigen::MatrixXd::Zero(e + 1, e), on_own = on_force;
  on_own.bottomRows(e) = -virtual_mass;
  if (split.one_storey) {
    const double rest = 1 - split.alpha_m(0);
    if (split.alpha_l > 0) on_base(0) = split.alpha_l / rest;
    if (split.alpha_p > 0) on_force(0, 0) = -split.alpha_p / (rest * p.specimen_mass(0, 0));
    on_base(1) = -(1 - split.alpha_l) * p.specimen_mass(0, 0);
    on_force(1, 0) = 1 - split.alpha_p;
  } else {
    on_base(0) = split.alpha_l;
    on_base.tail(e) = -(1 - split.alpha_l) * (total - virtual_mass * ones) - virtual_mass * ones;
    on_force.bottomRows(e).setIdentity();
  }
  return {std::move(on_base), std::move(on_force), std::move(on_own)};
}

CommandMap command_map(const Partition& p, const Split& split) {
  const Eigen::Index n = p.mass.rows();
  const auto [on_base, on_force, on_own] = load_shares(p, split);
  CommandMap map;
  map.numerical_x = on_force * p.from_numerical_x;
  map.numerical_v = on_force * p.from_numerical_v;
  map.specimen_x = on_force * p.from_specimen_x;
  map.specimen_v = on_force * p.from_specimen_v;
  map.specimen_a = on_own;
  map.ground = on_base;
  if (p.base >= 0 && n > 0) {
    // ẍ_b = row b of M_N⁻¹·(−M_N·ι·ü_g − C_N·v_N − K_N·x_N + Q_x·x_E + Q_v·v_E).
    const Eigen::RowVectorXd row = p.mass.inverse().row(p.base);
    map.numerical_x -= on_base * (row * p.stiffness);
    map.numerical_v -= on_base * (row * p.damping);
    map.specimen_x += on_base * (row * p.load_x);
    map.specimen_v += on_base * (row * p.load_v);
    map.ground -= on_base * p.influence(p.base);
  }
  return map;
}

}  // namespace gusset

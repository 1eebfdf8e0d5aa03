#pragma once

#include "structure/partition.hpp"

namespace gusset {

/// How the load on the experimental storeys is shared between table and actuators (Shao 2011). With
/// ü_b the acceleration of the floor they stand on, ẍ_E theirs relative to it, P_2 the force from above:
///
///   physical mass   (1 − α_m)·M_2
///   many storeys, or α_m a list (eq. 3):
///     table         a_t = α_l·ü_b
///     actuators     F = −(1 − α_m)·M_2·1·(1 − α_l)·ü_b − α_m·M_2·(ẍ_E + 1·ü_b) + P_2
///   one storey (eq. 6):
///     table         a_t = α_l·ü_b/(1 − α_m) − α_p·P_2/((1 − α_m)·m_2)
///     actuator      F = −(1 − α_l)·m_2·ü_b − α_m·m_2·ẍ_E + (1 − α_p)·P_2
///
/// Put into (1 − α_m)·M_2·(ẍ_E + 1·a_t) + C_2·ẋ_E + K_2·x_E = F, either gives the specimen's equation of
/// Partition, whatever the coefficients.
struct Split {
  double alpha_l = 0, alpha_p = 0;
  Eigen::VectorXd alpha_m;
  bool one_storey = true;  ///< eq. 6

  bool massless() const { return (alpha_m.array() == 1).any(); }
};

/// Reads method.alpha_l, alpha_m, alpha_p; refuses combinations without meaning.
Split read_split(const Section& method, int storeys);

/// What the base's motion, the force from above and the specimen's own acceleration add to the commands:
///   [a_t; F] = base·ü_b + force·P_2 + own·ẍ_E
struct LoadShares {
  Eigen::VectorXd base;
  Eigen::MatrixXd force, own;
};
LoadShares load_shares(const Partition& partition, const Split& split);

/// The commands as they follow from motion and ground acceleration at one instant:
///   [a_t; F] = X_n·x_N + V_n·v_N + X_e·x_E + V_e·v_E + A_e·a_E + g·ü_g
/// ẍ_b in them is what the numerical part's equation of motion says.
struct CommandMap {
  Eigen::MatrixXd numerical_x, numerical_v, specimen_x, specimen_v, specimen_a;
  Eigen::VectorXd ground;
};
CommandMap command_map(const Partition& partition, const Split& split);

/// (1 − α_m)·M_2: what stands in the laboratory.
Eigen::MatrixXd physical_mass(const Partition& partition, const Split& split);

}  // namespace gusset

#pragma once

#include <Eigen/Core>
#include <vector>

#include "base/linear_system.hpp"
#include "document/document.hpp"
#include "structure/structure.hpp"

namespace gusset {

/// A structure cut at floors (Shao 2011, Fig. 2, eq. 2): the experimental storeys E, what is above
/// them (top, T) and what is below (bottom, B), its uppermost floor being b; without a bottom part b is
/// the ground. With x_E relative to floor b and everything else relative to the ground:
///
///   specimen    M_2·ẍ_E + C_2·ẋ_E + K_2·x_E = −M_2·1·ü_b + P_2         ü_b = ẍ_b + ü_g
///   numerical   M_N·ẍ_N + C_N·ẋ_N + K_N·x_N = −M_N·ι·ü_g + P_1 + P_3
///
/// The interface forces: P_1 on floor b and P_3 on the top part come from the specimen's motion,
///   P_1 + P_3 = Q_x·x_E + Q_v·ẋ_E
/// (the share of P_3 that floor b's own motion has stands in K_N and C_N, which so are not symmetric);
/// P_2 on the specimen from the storey above it, which deforms by x_T − x_b − x_E:
///   P_2 = U_x·x_N + U_v·ẋ_N + V_x·x_E + V_v·ẋ_E
struct Partition {
  std::vector<int> numerical;     ///< floors of B, then of T
  std::vector<int> experimental;  ///< floors of E, from below
  int base = -1;                  ///< index of b among `numerical`; −1: the ground

  Eigen::MatrixXd specimen_mass, specimen_damping, specimen_stiffness;  ///< M_2, C_2, K_2
  Eigen::MatrixXd mass, damping, stiffness;                             ///< M_N, C_N, K_N
  Eigen::VectorXd influence;                                            ///< ι of N
  Eigen::MatrixXd load_x, load_v;                                       ///< Q_x, Q_v
  Eigen::MatrixXd from_numerical_x, from_numerical_v;                   ///< U_x, U_v
  Eigen::MatrixXd from_specimen_x, from_specimen_v;                     ///< V_x, V_v
};

/// Reads [partition] experimental = [2]: consecutive storeys. Refuses a structure in which they touch
/// anything but the floors next to them.
Partition read_partition(const Section& section, const LinearSystem& whole);

/// The specimen's motion relative to floor b, given that of the whole structure.
LinearStart relative_to_base(const Partition& partition, const LinearStart& whole);

/// The numerical part as a structure of its own, in the order of `numerical`.
Structure numerical_structure(const Partition& partition);

/// Where a restoring force of the whole structure stands after the cut. It belongs to the side that owns its
/// storey: one between the uppermost experimental floor and the floor above stands in a numerical storey, is
/// computed from the measured motion of its lower end, and pulls the specimen through the actuators.
struct StoreyPlace {
  bool experimental = false;
  Interface at;  ///< in the coordinates of its side: `numerical` or `experimental`
  int far = -1;  ///< the experimental floor its lower end stands on, of a storey across the cut
};

/// `at` is the place in the whole structure, `section` what an error points to.
StoreyPlace place_of(const Partition& partition, const Section& section, const Interface& at);

}  // namespace gusset

#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gusset {

/// Where a specimen meets the numerical structure. With b the sparse vector of `weights`, the
/// interface moves by x = bᵀ·d and its force f loads the structure with b·f. A specimen on floor k
/// has b = e_k; one between floors k and k−1 (a brace or damper in storey k) has b = e_k − e_{k−1}.
struct Interface {
  std::string name;
  std::vector<std::pair<int, double>> weights;  ///< (degree of freedom, weight)

  /// How far the interface moves with a rigid motion of the ground: bᵀ·1.
  double ground_share() const {
    double sum = 0;
    for (const auto& [dof, weight] : weights) sum += weight;
    return sum;
  }
  /// bᵀ·v.
  double of(const double* values) const noexcept {
    double sum = 0;
    for (const auto& [dof, weight] : weights) sum += weight * values[dof];
    return sum;
  }
};

}  // namespace gusset

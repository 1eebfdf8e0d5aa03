#pragma once

#include "rig/plant_rig.hpp"

namespace gusset {

/// Several displacement channels that move a specimen, given by matrices, exactly as commanded. With q = [x, y],
/// x where channels take hold and y the rest,
///
///   M_yy·ÿ + C_yy·ẏ + K_yy·y = −M_yx·ẍ − C_yx·ẋ − K_yx·x       advanced exactly (matrix exponential):
///   φ = M_x·q̈ + C_x·q̇ + K_x·q                                  ẍ is constant over a sub-step
///
/// State: y and ẏ.
class ImposedRig final : public Rig {
 public:
  /// Each attachment is one degree of freedom.
  ImposedRig(const RigContext& context, PlantRig::Stand stand);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  std::vector<Signal> signals(std::size_t) const override { return {{"measured", "m"}, {"force", "N"}}; }
  void join(LinearSystem& system) const override;
  std::vector<double> frequencies() const override;

 private:
  static constexpr int most = 64;
  void measure(const State& state, RigRow row, const double* curvatures) const noexcept;

  TestStructure matrices_;
  std::vector<Interface> where_;  ///< of each degree of freedom in the whole structure; own ones nowhere
  std::vector<int> held_, free_;  ///< degrees of freedom
  Eigen::MatrixXd inverse_;       ///< M_yy⁻¹
  double dt_;
  Propagator propagator_;  ///< of [y, ẏ, x, ẋ] under ẍ
  Segment own_;
};

}  // namespace gusset

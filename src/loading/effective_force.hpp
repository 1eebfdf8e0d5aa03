#pragma once

#include <Eigen/Core>

#include "loading/method.hpp"

namespace gusset {

/// Effective force testing with virtual mass (Chen 2007): the structure stands in the laboratory with
/// only a part of its mass, M_e = M − M_v, M_v = diag(η)·M, on fixed ground, and actuators at its
/// floors apply what the ground motion and the missing mass would do:
///
///   M_e·ẍ + C·ẋ + r = −M·ι·a_g − M_v·ẍ = P                                  (eq. 2)
///
/// P depends on the acceleration it causes. `direct` takes the last measured one (eq. 4, 10):
///   P_{i+1} = −M·ι·a_g,i+1 − M_v·a_i
/// `iterations` goes there in n sub-steps, k = 0 … n−1 (eq. 5–7), a^(k) measured under P^(k):
///   P^(k+1) = P^(k) + (P̃ − P^(k))/(n − k)        P̃ = −M·ι·a_g,i+1 − M_v·(a^(k) + Δa)
///   Δa = −D⁻¹·(P^(k) + M·ι·a_g,i+1 + M_v·a^(k))   D = M + γΔt·C + βΔt²·K
/// P^(0) is the last step's P^(n). Δa is the Newton step towards equilibrium; it is applied at every
/// sub-step (`every`), or only before the last command (`last`, as printed), else Δa = 0. With `last`
/// sub-step k multiplies the force's error by about 1 − 1/((1 − η)(n − k)): for η = 0.95 and n = 10 that is
/// −1, −1.2 … −9, together 4862, before the last one takes it away.
///
/// State: the measured motion of the floors; P.
class EffectiveForceMethod final : public Method {
 public:
  struct Parameters {
    Eigen::VectorXd inertia;       ///< M·ι
    Eigen::VectorXd ratio;         ///< η of each floor
    Eigen::VectorXd virtual_mass;  ///< diagonal of M_v
    Eigen::MatrixXd equilibrium;   ///< D
    int substeps = 1;
    bool iterations = false;
    bool every = true;
    bool hold = false;  ///< `direct` at once instead of in a ramp over the step
  };
  EffectiveForceMethod(Parameters parameters, std::vector<Channel> channels, double dt, Layout& layout);

  void begin(State& state, const Input& input, const Response& response, Piece* pieces,
             double* lines) const noexcept override;
  void correct(int substep, State& state, const double* forces, const double* positions,
               const Response& response, Piece* pieces, double* lines) const noexcept override;
  std::size_t lines_size() const override { return 1; }
  int wires() const override { return 3; }
  std::vector<Feed> feeds() const override;
  std::vector<std::string> remarks() const override;
  void start(State& state, const LinearStart& motion, const Input& input, Command* targets) const override;

 private:
  using Vector = Eigen::Map<Eigen::VectorXd>;
  static constexpr int most_floors = 64;

  /// P^(k) → P^(k+1).
  void next(int k, double ground, State& state, const double* measured, Piece* pieces) const noexcept;

  Parameters p_;
  int size_;
  Eigen::MatrixXd inverse_;  ///< D⁻¹
  Segment displacement_, velocity_, acceleration_, ahead_, force_;
};

}  // namespace gusset

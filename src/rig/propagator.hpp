#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace gusset {

/// A linear plant z' = A·z + B·u, carried exactly over fixed times h inside the loop. With inputs that
/// are held, or that move linearly from u_0 to u_1 (see LinearPlant),
///
///   z(h) = Φ·z + Γ0·u_0 + Γ1·(u_1 − u_0),   Φ = e^{Ah},  Γ0 = ∫ e^{As} ds·B,  Γ1 = ∫ e^{As}(1 − s/h) ds·B
class Propagator {
 public:
  static constexpr int most_states = 512;

  Propagator() = default;
  /// One slot for each duration. At most `most_states` states.
  Propagator(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, std::span<const double> durations);

  /// Γ0 of an input, over the duration of a slot.
  Eigen::VectorXd gain(int input, int slot) const;

  /// Inputs held. @rt-safe
  void hold(double* z, const double* u, int slot) const noexcept;
  /// Inputs moving linearly by `change` from u. @rt-safe
  void ramp(double* z, const double* u, const double* change, int slot) const noexcept;

 private:
  int states_ = 0, inputs_ = 0, stride_ = 0;
  std::vector<double> rows_;  ///< slot by slot, row by row: Φ, Γ0, Γ1
};

}  // namespace gusset

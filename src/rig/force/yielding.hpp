#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "base/state.hpp"
#include "structure/restoring.hpp"

namespace gusset {

/// Yielding storeys of a specimen whose plant is otherwise linear. The plant holds their stiffness k̂ and
/// damping ĉ at rest; what they really do differs from that by a force on the floors, +b·e,
///
///   e = k̂·z + ĉ·ż − r(z, …)      z = bᵀx
///
/// which moves in a straight line over the sample, from e_0 to e_1:
///
///   x(h) = x_linear(h) + Σ (Γ_0·e_0 + Γ_1·e_1)
///
/// e_1 follows from x(h), and is found by fixed-point iteration: each pass comes nearer by a factor of
/// about k̂h²/6m. Second order in h.
///
/// State: e of each storey, and what the restoring forces keep.
class YieldingStoreys {
 public:
  /// What the storeys are at rest, to be put into the plant.
  static void add_at_rest(const std::vector<StoreyForce>& storeys, Eigen::MatrixXd& damping,
                          Eigen::MatrixXd& stiffness);

  YieldingStoreys() = default;
  /// Of a plant ẋ = A·x whose states begin with displacements and velocities of the floors.
  YieldingStoreys(std::shared_ptr<const std::vector<StoreyForce>> storeys, const Eigen::MatrixXd& a,
                  const Eigen::MatrixXd& mass, double dt, Layout& layout);

  bool empty() const noexcept { return storeys_ == nullptr || storeys_->empty(); }
  bool affine() const;

  void start(State& state, const double* x) const;
  /// From the linear plant's x at the end of a sample to the real one; `error` gets e then. A trial leaves
  /// the State where it was. @rt-safe
  void advance(bool trial, State& state, double* x, double* error) const noexcept;
  /// What e adds to the acceleration of a floor. @rt-safe
  double acceleration(const double* error, int floor) const noexcept;
  const double* error(const State& state) const noexcept { return state.at(error_); }

  static constexpr int most = 64;

 private:
  Stretch stretch(std::size_t storey, const double* x) const noexcept;
  double residual(std::size_t storey, const Stretch& at, double force) const noexcept;

  std::shared_ptr<const std::vector<StoreyForce>> storeys_;
  int floors_ = 0;
  Eigen::MatrixXd push_;  ///< M⁻¹·b, one column a storey
  Eigen::MatrixXd from_start_, from_end_;
  Segment error_;
};

}  // namespace gusset

#pragma once

#include "base/linear_system.hpp"
#include "rig/force/signals.hpp"
#include "rig/rig.hpp"

namespace gusset {

/// The test structure of an effective force test as the Newmark family models it (Chen 2007, eq. 8),
/// under forces that are applied perfectly:
///
///   x̃ = x_i + Δt·v_i + (½ − β)·Δt²·a_i        ṽ = v_i + (1 − γ)·Δt·a_i
///   M_e·a + C·(ṽ + γΔt·a) + r(x̃ + βΔt²·a) = P
///
/// Each sub-step gives the response at t_{i+1} *to the full Δt* under that sub-step's force, always
/// from the same state at t_i; only the last sub-step moves the state. `ahead` is the acceleration
/// that force would give one step later still: what is measured before the next step's first
/// correction (Chen 2007, eq. 6 with k = 0).
///
/// Yielding storeys are solved for by modified Newton iteration along their initial stiffness.
///
/// State: x, v, a of the floors, and what the restoring forces keep.
class NewmarkSpecimen final : public Rig {
 public:
  struct Parameters {
    double beta, gamma, dt;
    int substeps;
    TestStructure structure;
    std::vector<StoreyForce> storeys;
  };
  NewmarkSpecimen(Parameters parameters, Layout& layout);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  std::vector<Signal> signals(std::size_t channel) const override;
  std::vector<double> frequencies() const override;
  bool affine() const override;
  bool rewinds() const override { return substeps_ > 1; }

 private:
  void join_storeys(LinearSystem& system) const;
  using Vector = Eigen::Map<Eigen::VectorXd>;
  static constexpr int most_floors = 64;

  void predict(const double* x, const double* v, const double* a, double* tilde_x,
               double* tilde_v) const noexcept;
  /// The acceleration at the step's end; with x and v of then. Writes all three.
  void solve(State& state, RigRow row, double* x, double* v, double* a) const noexcept;
  Stretch stretch(std::size_t storey, const double* x, const double* v) const noexcept;

  double beta_, gamma_, dt_;
  int substeps_, size_;
  TestStructure structure_;
  std::vector<StoreyForce> storeys_;
  Eigen::MatrixXd inverse_;  ///< (M_e + γΔt·C + βΔt²·(K + Σ b·k̂·bᵀ))⁻¹
  Segment displacement_, velocity_, acceleration_;
};

}  // namespace gusset

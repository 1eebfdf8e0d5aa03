#pragma once

#include "integrate/integrator.hpp"

namespace gusset {

/// What every integrator needs of M·ẍ + C·ẋ + K·x = F, with the passes they share. Matrices that are
/// zero cost nothing.
class LinearModel {
 public:
  explicit LinearModel(const IntegratorContext& context);

  int size() const { return size_; }
  const BandMatrix& mass() const { return mass_; }
  const BandMatrix& damping() const { return damping_; }
  const BandMatrix& stiffness() const { return stiffness_; }
  /// K + Σ b·k̂·bᵀ: with the estimates of the forces that are measured.
  const BandMatrix& estimated_stiffness() const { return estimated_; }

  /// m·M + c·C + k·(K + Σ b·k̂·bᵀ).
  BandMatrix combine(double m, double c, double k) const;

  /// q = −M·ι·a_g − Σ b·f, f that of t_i + share·Δt. @rt-safe
  void load(double ground, const Load& load, double* q, double share = 0) const noexcept;
  /// q −= C·v + K·d; `work` has n entries. @rt-safe
  void subtract_internal(const double* d, const double* v, double* q, double* work) const noexcept;
  /// q −= Σ b·k̂·bᵀ·d. @rt-safe
  void subtract_estimated(const double* d, double* q) const noexcept;
  /// x = M⁻¹·x. @rt-safe
  void solve_mass(double* x) const noexcept;

 private:
  int size_;
  BandMatrix mass_, damping_, stiffness_, estimated_;
  bool damped_;
  std::vector<ForceEstimate> estimates_;
  std::vector<double> inertia_;
  std::vector<double> inverse_mass_;  ///< diagonal M
  BandFactor mass_factor_;            ///< else
};

/// Reads rho_inf, the spectral radius at infinite frequency: 0 to 1.
double read_rho(const Section& section);

}  // namespace gusset

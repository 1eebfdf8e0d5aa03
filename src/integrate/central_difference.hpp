#pragma once

#include "integrate/integrator.hpp"

namespace gusset {

/// Central difference method (Wu 2008, eq. 2.2–2.4), written in increments p_i = d_i − d_{i−1}:
///
///   a_i = (p_{i+1} − p_i)/Δt²,   v_i = (p_{i+1} + p_i)/(2Δt)
///   (M/Δt² + C/2Δt)·p_{i+1} = (M/Δt² − C/2Δt)·p_i + F_i − K·d_i
///   d_{i+1} = d_i + p_{i+1}
///
/// State: d, p (n each). The increments keep the small differences that d_{i+1} − 2d_i + d_{i−1}
/// would lose to rounding. Start: p_0 = Δt·v_0 − ½Δt²·a_0.
class CentralDifference final : public Integrator {
 public:
  explicit CentralDifference(const IntegratorContext& context);

  void advance(State& state, const Load& load, const Response& response) const noexcept override;
  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override;

 private:
  void advance_many(State& state, const Load& load, const Response& response) const noexcept;
  /// Tridiagonal K, and M and C diagonal (everything in one pass) or tridiagonal. @rt-safe
  void advance_shear(State& state, const Load& load, const Response& response) const noexcept;

  int size_;
  double dt_;
  double per_2dt_, per_dt2_;  ///< 1/(2Δt), 1/Δt²
  struct Single {
    double keep, gain, inertia, stiffness;
  };
  Single single_{};  ///< the coefficients below, for one degree of freedom
  BandMatrix stiffness_;
  std::vector<double> inertia_;
  bool diagonal_;             ///< M and C diagonal: no system of equations to solve
  std::vector<double> keep_;  ///< diagonal: (M/Δt² − C/2Δt)/(M/Δt² + C/2Δt)
  std::vector<double> gain_;  ///< diagonal: 1/(M/Δt² + C/2Δt)
  std::vector<double> push_;  ///< diagonal: the ground's M·ι/(M/Δt² + C/2Δt)
  bool shear_;                ///< tridiagonal K, C at most
  BandMatrix damping_;        ///< else: C/Δt …
  BandFactor factor_;         ///< … and the factors of M/Δt² + C/2Δt
};

}  // namespace gusset

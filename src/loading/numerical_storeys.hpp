#pragma once

#include <span>
#include <vector>

#include "integrate/integrator.hpp"
#include "structure/restoring.hpp"

namespace gusset {

/// Restoring forces of the numerical part: known at t_i, on their lines r ≈ c + k̂·bᵀd during the step (see
/// Integrator), tried at each correction, and moved for good at the end of the step. Their velocity at
/// t_i + θΔt is that of the parabola through the last three positions,
///
///   v = (p_{i+1} + (θ − ½)·(p_{i+1} − p_i))/Δt          at the end: (3·p_{i+1} − p_i)/(2Δt)
///
/// Where the structure's damping follows the tangent stiffness, C = a·M + b·K_t, the storey's force has the
/// viscous force less that K_0 put into C:  r − b·(k_0 − k_t)·v. In the elastic range that is r itself.
///
/// One end of a storey may stand in the laboratory: z = bᵀd − y, with y and ẏ measured. Only the numerical
/// end loads the numerical part.
///
/// State: the forces, directly behind what was claimed before: one array to the integrator.
class NumericalStoreys {
 public:
  /// What it keeps during a step, a number a storey each; in the loading's scratch.
  struct Scratch {
    double* lines;   ///< c
    double* change;  ///< of c, by the last trial
    double* rates;   ///< bᵀp_i
  };
  /// Motion of the far ends, a number a storey each; null: everything is numerical.
  struct Far {
    const double* displacement;
    const double* velocity;
  };

  /// `tangent_damping` is b, or 0 where C stays.
  NumericalStoreys(std::vector<StoreyForce> storeys, double dt, Layout& layout, double tangent_damping = 0);

  bool empty() const noexcept { return storeys_.empty(); }
  std::size_t size() const noexcept { return storeys_.size(); }
  const StoreyForce& operator[](std::size_t storey) const { return storeys_[storey]; }
  Segment forces() const { return forces_; }

  void start(State& state, const double* displacement, const double* velocity, Far far = {}) const;
  /// Before the integrator moves on from d and p. @rt-safe
  void hold(const State& state, const double* d, const double* p, const Scratch& to) const noexcept;
  /// The forces at the correction point of the step that led to d by p; moves the lines. @rt-safe
  void attempt(State& state, const double* d, const double* p, double point, const Scratch& scratch,
               Far far = {}) const noexcept;
  /// The forces at d, without moving the storeys. @rt-safe
  void look(State& state, const double* d, const double* p, const Scratch& scratch, Far far,
            double* forces) const noexcept;
  /// Moves the storeys for good. @rt-safe
  void settle(State& state, const double* d, const double* p, const Scratch& scratch,
              Far far = {}) const noexcept;

 private:
  /// The force that moving the storey so would give. @rt-safe
  double trial(std::size_t storey, State& state, const Stretch& stretch) const noexcept;
  Stretch stretch(std::size_t storey, const double* d, const double* p, double point, const Scratch& scratch,
                  Far far) const noexcept;

  std::vector<StoreyForce> storeys_;
  std::vector<double> stiffness_;  ///< k̂
  std::vector<double> tangent_;    ///< b of each storey
  double dt_;
  Segment forces_;
};

}  // namespace gusset

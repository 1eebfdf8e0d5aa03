#pragma once

#include "integrate/linear_model.hpp"

namespace gusset {

/// Schemes that keep a velocity beside displacement and increment. State: d, p, v (n each), and what
/// the scheme itself adds.
class MotionIntegrator : public Integrator {
 public:
  /// d = d_0, p = Δt·v_0 − ½Δt²·a_0 (the increment that led there), v = v_0.
  void start(State& state, const double* displacement, const double* velocity,
             const double* acceleration) const override;

 protected:
  explicit MotionIntegrator(const IntegratorContext& context);

  LinearModel model_;
  double dt_;
  Segment velocity_;
};

}  // namespace gusset

#pragma once

#include "rig/rig.hpp"

namespace gusset {

/// An actuator with its controller, as a second-order system, followed exactly by the specimen:
///
///   x'' + 2ζω·x' + ω²·x = ω²·u(t − τ)
///
/// The command u moves linearly from sample to sample (a staircase would make the acceleration jump),
/// and the equation is solved exactly over each linear part:
///
///   [x, x'](h) = Φ(h)·[x, x'] + Γ0(h)·u_0 + Γ1(h)·(u_1 − u_0)
///
/// With τ = (m + f)·δ a sub-step sees the last f·δ of one linear part and the first (1 − f)·δ of the
/// next, as in the delay rig. The lag at low frequency is τ + 2ζ/ω.
///
/// State: x, x'; the commands still on their way and the one before them, in order of age.
/// The specimen gets x and x' of the end of each part, with the mean acceleration between, which is
/// what moves its own mass rightly; where its force follows the acceleration at once, with the
/// acceleration at the end.
class SecondOrderRig final : public Rig {
 public:
  SecondOrderRig(const RigContext& context, double frequency, double damping_ratio, double delay);

  double advance(State& state, const Command& command, double* measured) const noexcept override;
  void start(State& state, const Motion& motion, double displacement, double velocity,
             double* measured) const override;
  const Specimen& specimen() const override { return *specimen_; }

 private:
  /// Φ, Γ0 and Γ1 over one duration.
  struct Transition {
    double xx, xv, x0, x1, vx, vv, v0, v1, duration;
  };
  Transition transition(double duration) const;
  Motion move(double* x, double from, double to, int slot) const noexcept;

  double omega_, zeta_;
  bool end_acceleration_;
  int whole_;        ///< m
  double fraction_;  ///< f
  Transition parts_[2];
  Segment motion_, history_;
  std::unique_ptr<Specimen> specimen_;
};

extern const RigKind second_order_rig_kind;

}  // namespace gusset

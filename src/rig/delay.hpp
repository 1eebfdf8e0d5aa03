#pragma once

#include "rig/rig.hpp"

namespace gusset {

/// The specimen follows the command a time τ late, exactly: x(t) = command(t − τ).
///
/// With τ = (m + f)·δ, δ the rig's step and 0 ≤ f < 1, a sub-step sees the last f·δ of the command
/// piece issued m + 1 sub-steps ago and then the first (1 − f)·δ of the one issued m sub-steps ago;
/// each has constant acceleration, so the specimen's solution stays exact for fractions of a step.
///
/// State: the command's position, velocity and acceleration at the end of each sub-step still on
/// its way, in order of age. A shift register, not a ring with a moving head: the one-step matrix of
/// a ring is a permutation, whose spectral radius is 1 whether the loop is stable or not.
/// Before t_0 the command rests on its first value.
class DelayRig final : public SpecimenRig {
 public:
  DelayRig(const RigContext& context, double delay);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  const Specimen& specimen() const override { return *specimen_; }

 private:
  double dt_;
  int whole_;        ///< m
  double fraction_;  ///< f·δ [s]; 0 if the delay is a whole number of sub-steps
  Segment history_;  ///< 3 entries an age, the youngest first
  std::unique_ptr<Specimen> specimen_;
};

extern const RigKind delay_rig_kind;

}  // namespace gusset

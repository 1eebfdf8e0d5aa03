#pragma once

#include "rig/rig.hpp"

namespace gusset {

/// The specimen moves exactly as commanded. No state of its own.
class IdealRig final : public Rig {
 public:
  explicit IdealRig(const RigContext& context);

  double advance(State& state, const Command& command, double* measured) const noexcept override;
  void start(State& state, const Motion& motion, double displacement, double velocity,
             double* measured) const override;
  const Specimen& specimen() const override { return *specimen_; }

 private:
  std::unique_ptr<Specimen> specimen_;
};

/// A force that follows the acceleration at once cannot be had from a ramp, whose acceleration is a
/// series of impulses: refused where nothing smooths it.
void require_acceleration(const RigContext& context);

extern const RigKind ideal_rig_kind;

}  // namespace gusset

#pragma once

#include "rig/rig.hpp"

namespace gusset {

/// The specimen moves exactly as commanded. No state of its own.
class IdealRig final : public SpecimenRig {
 public:
  explicit IdealRig(const RigContext& context);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  const Specimen& specimen() const override { return *specimen_; }

 private:
  std::unique_ptr<Specimen> specimen_;
};

/// A force that follows the acceleration at once cannot be had from a ramp, whose acceleration is a
/// series of impulses: refused where nothing smooths it.
void require_acceleration(const RigContext& context);

extern const RigKind ideal_rig_kind;

}  // namespace gusset

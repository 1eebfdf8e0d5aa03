#include "rig/ideal.hpp"

namespace gusset {

void require_acceleration(const RigContext& context) {
  if (has_acceleration(context.profile)) return;
  const SpecimenTraits traits =
      specimen_kind(context.specimen).traits(context.document, context.specimen, context.numerical_mass);
  if (!traits.acceleration) return;
  context.specimen.fail("kind",
                        "a mass cannot follow a command whose velocity jumps, as that of a ramp and of "
                        "p1, p2 and p3 does: the force would be a series of impulses",
                        "use method.profile = \"b-spline\" or a rig with dynamics of its own");
}

IdealRig::IdealRig(const RigContext& context) {
  require_acceleration(context);
  specimen_ = specimen_kind(context.specimen).make(context.specimen_context({&context.dt, 1}));
}

double IdealRig::advance(State& state, const Command& command, double* measured) const noexcept {
  measured[0] = command.value;
  const double force = specimen_->advance(state, motion_of(command));
  measured[1] = force;
  return force;
}

void IdealRig::start(State& state, const Motion& motion, double displacement, double velocity,
                     double* measured) const {
  measured[0] = motion.displacement;
  measured[1] = specimen_->start(state, motion, displacement, velocity);
}

const RigKind ideal_rig_kind{
    "ideal",
    "the specimen moves exactly as commanded",
    "x = command",
    {},
    [](const RigContext& context) -> std::unique_ptr<Rig> { return std::make_unique<IdealRig>(context); }};

}  // namespace gusset

#include "rig/ideal.hpp"

#include "rig/force/kinds.hpp"

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

IdealRig::IdealRig(const RigContext& context) : SpecimenRig(context) {
  require_acceleration(context);
  specimen_ = specimen_kind(context.specimen).make(context.specimen_context({&context.dt, 1}));
}

void IdealRig::advance(State& state, RigRow row, bool) const noexcept {
  const Command& command = row.command(0);
  double* measured = row.signals(0);
  measured[0] = command.value;
  const double force = specimen_->advance(state, motion_of(command));
  measured[1] = force;
}

void IdealRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  const Motion motion = motion_of(row.command(0));
  double* measured = row.signals(0);
  measured[0] = motion.displacement;
  measured[1] = specimen_->start(state, motion, specimen.displacement(0), specimen.velocity(0));
}

const RigKind ideal_rig_kind{
    "ideal",
    "the specimen moves exactly as commanded; forces and table acceleration are what is commanded",
    "x = command;  F = F_d;  a_t = a_d",
    {Control::displacement, Control::force, Control::acceleration},
    {},
    [](const RigContext& context) -> std::unique_ptr<Rig> {
      if (context.channels.front().control != Control::displacement) return make_perfect_forces(context);
      return std::make_unique<IdealRig>(context);
    }};

}  // namespace gusset

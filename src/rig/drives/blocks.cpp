#include "rig/drives/blocks.hpp"

#include "rig/plant_kinds.hpp"
#include "rig/plant_rig.hpp"
#include "rig/servo_parameters.hpp"

namespace gusset {

DriveModel BlocksDrive::model() const {
  DriveModel model = DriveModel::with_states({}, 3);
  model.mass = p_.mass;
  model.damping = p_.damping;
  model.stiffness = p_.stiffness;
  model.velocity(0) = -p_.a2;
  model.a(0, 0) = -p_.a3;
  model.a(0, 1) = 1;
  model.a(1, 2) = 1;
  model.displacement(2) = -p_.gain * p_.b0;
  model.a(2, 1) = -p_.b2;
  model.a(2, 2) = -p_.b1;
  model.input(2) = p_.gain * p_.b0;
  model.force(0) = 1;
  return model;
}

namespace {

std::unique_ptr<Rig> make(const RigContext& context) {
  const Section& s = context.section;
  const auto optional = [&](const char* key, const Dimension& dimension) {
    return s.has(key) ? s.non_negative(key, dimension) : 0.0;
  };
  Blocks blocks{};
  blocks.gain = s.positive("gain", dim::none, 1);
  blocks.b0 = s.positive("b0", dim::none);
  blocks.b1 = s.non_negative("b1", dim::none);
  blocks.b2 = s.non_negative("b2", dim::none);
  blocks.a2 = s.non_negative("a2", dim::none);
  blocks.a3 = s.non_negative("a3", dim::none);
  blocks.mass = optional("mass", dim::mass);
  blocks.damping = optional("damping", dim::damping);
  blocks.stiffness = optional("stiffness", dim::stiffness);
  blocks.delay = optional("delay", dim::time);
  blocks.force_delay = read_force_delay(s, context.dt);
  return std::make_unique<PlantRig>(context, std::make_unique<BlocksDrive>(blocks));
}

}  // namespace

const RigKind blocks_rig_kind{
    "blocks",
    "a small rig in blocks: gain, valve, actuator, specimen, and both feedbacks",
    "i'' + b1 i' + b2 i = b0 gain (u(t - delay) - x),  F' + a3 F = i - a2 x',\n"
    "m x'' + c x' + k x = F - f, f the specimen's force; u linear between samples\n"
    "x/u = gain b0 / [(s^2 + b1 s + b2)((s + a3)(m s^2 + c s + k) + a2 s) + gain b0]",
    {Control::displacement},
    {{"gain", "-", "1", "of the command"},
     {"b0", "-", "", "of the valve; gain b0 alone counts"},
     {"b1", "-", "", "of the valve [1/s]"},
     {"b2", "-", "", "of the valve [1/s^2]"},
     {"a2", "-", "", "natural velocity feedback [N/m]"},
     {"a3", "-", "", "of the actuator [1/s]"},
     {"mass", "kg", "0 kg", "m of the rig, beside the specimen's"},
     {"damping", "N*s/m", "0 N*s/m", "c of the rig"},
     {"stiffness", "N/m", "0 N/m", "k of the rig"},
     {"delay", "s", "0 s", "of the command; need not be a multiple of rig.dt"},
     {"force_delay", "s", "0", "of the measured force; a bare number counts samples"}},
    make};

}  // namespace gusset

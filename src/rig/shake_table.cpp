#include "rig/drives/servo.hpp"
#include "rig/plant_rig.hpp"
#include "rig/servo_kinds.hpp"

namespace gusset {
namespace {

std::unique_ptr<Rig> make(const RigContext& context, const std::vector<ServoSet>& sets,
                          const char* fallback) {
  ServoParameters p = read_servo(context.section, sets, fallback);
  p.force_delay = read_force_delay(context.section, context.dt);
  return std::make_unique<PlantRig>(context, std::make_unique<ServoDrive>(p, context.dt));
}

constexpr const char* equations =
    "u = Kp (xc - x) + Ki int(xc - x) + Kd (xc' - x') + Kff xc' + Kdp dp, sampled and held\n"
    "q = valve(k_q u(t - tau)),  V/(4 beta) dp' = q - A x' - (C_l + K_c) dp\n"
    "m x'' = A dp - c x' - f, f the specimen's force, solved with it exactly";

}  // namespace

const RigKind shake_table_rig_kind{
    "shake-table",
    "a shake table with PID, feed-forward and pressure control (Conte & Trombetti 2000)",
    equations,
    {Control::displacement},
    servo_keys("rice-like", "\"rice-like\", \"lnec\", \"tsinghua\", or \"own\": all numbers given here"),
    [](const RigContext& context) { return make(context, table_sets(), "rice-like"); }};

const RigKind actuator_rig_kind{
    "actuator",
    "a linear servo-hydraulic actuator in a digital displacement loop",
    equations,
    {Control::displacement},
    servo_keys("own", "\"carrion-spencer\", \"lnec\", \"tsinghua\", or \"own\": all numbers given here"),
    [](const RigContext& context) { return make(context, actuator_sets(), "own"); }};

}  // namespace gusset

#include "rig/delay.hpp"
#include "rig/ideal.hpp"
#include "rig/nonlinear.hpp"
#include "rig/plant_kinds.hpp"
#include "rig/rig.hpp"
#include "rig/second_order.hpp"
#include "rig/servo_kinds.hpp"

namespace gusset {

const std::vector<const RigKind*>& rig_kinds() {
  static const std::vector<const RigKind*> kinds{
      &ideal_rig_kind,
      &delay_rig_kind,
      &second_order_rig_kind,
      &shake_table_rig_kind,
      &actuator_rig_kind,
      &nonlinear_rig_kind,
      &transfer_rig_kind,
      &blocks_rig_kind,
  };
  return kinds;
}

std::unique_ptr<Rig> make_rig(const RigContext& context) {
  return find_kind(rig_kinds(), context.section, "ideal").make(context);
}

}  // namespace gusset

#pragma once

#include "supervise/limits/limit.hpp"

namespace gusset {

extern const LimitKind non_finite_limit, stroke_limit, velocity_limit, acceleration_limit, force_limit,
    tracking_limit, energy_limit, stale_limit, frozen_limit, deadline_limit, link_limit, recorder_limit,
    rig_limit, no_motion_limit, sensor_limit, tare_limit;

}  // namespace gusset

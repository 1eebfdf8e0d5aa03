#pragma once

#include <string>
#include <vector>

#include "analysis/needs.hpp"
#include "realtime/ways.hpp"

namespace gusset {

/// What people have to look at before a rig moves, with the numbers of this very test: what it needs, what the limits
/// allow, what the controller's own interlocks have to be set to. The program prints it, and the run file keeps it.
std::string pretest_checklist(const Test& test, const Review& review, const RealtimeSettings& settings);

}  // namespace gusset

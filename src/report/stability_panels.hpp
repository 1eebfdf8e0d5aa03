#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/stability.hpp"
#include "report/run_panels.hpp"

namespace gusset {

/// ρ against the amplitude of the device that moves most; none of a linear loop.
std::vector<Panel> amplitude_panels(const StabilityReport& stability);

/// What the verdict on a nonlinear loop comes from, name and value.
std::vector<std::pair<std::string, std::string>> stability_facts(const StabilityReport& stability);

}  // namespace gusset

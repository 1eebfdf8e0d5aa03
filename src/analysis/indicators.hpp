#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/table.hpp"

namespace gusset {

/// sqrt(Σ(y − x)²/Σx²): how far y is from x; 0 if both are zero.
double normalized_rms_error(const std::vector<double>& x, const std::vector<double>& y);

/// max|y − x| / max|x|.
double peak_error(const std::vector<double>& x, const std::vector<double>& y);

/// max|x|, NaN samples left out.
double peak(const std::vector<double>& x);

/// Peaks of every channel ("peak.storey1.displacement"), errors against the exact response
/// ("error.storey1.displacement.nrmse", ".peak") and of the tracking ("tracking.NAME.nrmse", ".peak",
/// and those of tracking.hpp: ".indicator" [target's unit, squared], ".fei.amplitude", ".fei.delay" [s],
/// ".fei.frequency" [Hz], ".correlation_delay" [s], ".energy_error" (of a
/// motion), ".subspace.slope", ".width").
void summarize(const std::vector<Table>& tables, std::vector<std::pair<std::string, double>>& summary);

}  // namespace gusset

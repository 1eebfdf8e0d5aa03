#pragma once

#include "reproduce/reproduce.hpp"

namespace gusset::reproduce {

/// Figs. 7, 8 and 10 to 12; `whole`: the frequency of the whole structure is 1 Hz (Wu 2009), not that
/// of the numerical part (Wu 2008).
void add_rig_cases(std::vector<CaseEntry>& cases, bool whole);

/// The largest magnitude in the last fifth of the time over that in the fifth around the middle,
/// where the start has died away.
double growth(const Simulation& simulation, const std::string& channel);

}  // namespace gusset::reproduce

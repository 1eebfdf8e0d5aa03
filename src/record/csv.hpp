#pragma once

#include <string>

#include "record/run.hpp"

namespace gusset {

/// CSV with the header `time [s],name [unit],…`, one row a time of the "structure" table, 17
/// significant digits so that reading it back is exact. Channels of faster tables are taken at the
/// rows' times (every k-th sample); with `table` given, that table alone at its own rate.
std::string to_csv(const Run& run, const std::string& table = {});

}  // namespace gusset

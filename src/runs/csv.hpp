#pragma once

#include <string>

#include "runs/run.hpp"

namespace gusset {

/// CSV with the header `time [s],name [unit],…`, one row a time of the "structure" table, numbers
/// with as many digits (up to 17) as reading them back exactly needs; NaN where a sample was not
/// taken. Channels of faster tables are taken at the rows' times (every k-th sample), as
/// TABLE.NAME where an earlier column has the name; with `table` given, that table alone at its own
/// rate. Throws InputError if a table's samples do not fall on the rows' times, and for an unknown
/// table.
std::string to_csv(const Run& run, const std::string& table = {});

}  // namespace gusset

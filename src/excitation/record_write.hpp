#pragma once

#include <string>
#include <vector>

#include "excitation/record.hpp"

namespace gusset {

/// CSV with the header `time [s],acceleration [m/s^2]` and as many digits as reading back exactly
/// needs; further columns, e.g. {"displacement [m]", values}, behind.
struct RecordColumn {
  std::string header;
  std::vector<double> values;
};
std::string to_csv(const Record& record, const std::vector<RecordColumn>& more = {});

/// PEER AT2: in g, five samples a line, seven digits behind the point.
std::string to_at2(const Record& record);

/// A table of numbers, column after column, all of one length.
std::string to_csv(const std::vector<RecordColumn>& columns);

}  // namespace gusset

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/channel.hpp"

namespace gusset {

/// One recorded signal, e.g. "storey1.displacement" in "m". NaN marks a sample that was not taken.
struct Trace {
  std::string name;
  std::string unit;
  std::vector<double> values;
  std::optional<Control> control = {};  ///< of a channel's target and command
};

/// Channels sampled together at start, start + step, start + 2 step, … A test has one table at the
/// integrator's step and, where the rig is faster, one at the rig's.
struct Table {
  std::string name;  ///< "structure", "rig", "reference"
  double start = 0;  ///< time of the first sample [s]
  double step = 0;   ///< time between samples [s]
  std::vector<Trace> channels;

  std::size_t rows() const { return channels.empty() ? 0 : channels.front().values.size(); }
};

}  // namespace gusset

#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace gusset {

/// One recorded signal, e.g. "storey1.displacement" in "m". NaN marks a sample that was not taken.
struct Channel {
  std::string name;
  std::string unit;
  std::vector<double> values;
};

/// Channels sampled together at start, start + step, start + 2 step, … A test has one table at the
/// integrator's step and, where the rig is faster, one at the rig's.
struct Table {
  std::string name;  ///< "structure", "rig", "reference"
  double start = 0;  ///< time of the first sample [s]
  double step = 0;   ///< time between samples [s]
  std::vector<Channel> channels;

  std::size_t rows() const { return channels.empty() ? 0 : channels.front().values.size(); }
};

/// Everything a finished test leaves behind: what was asked, by which version, and what came out.
struct Run {
  std::string title;
  std::string version;                 ///< of Gusset
  std::string experiment_name;         ///< the experiment file's path as given
  std::string experiment_text;         ///< the experiment file, whole
  std::vector<std::string> overrides;  ///< --set assignments
  std::string created;                 ///< UTC, ISO 8601
  std::vector<Table> tables;
  std::vector<std::pair<std::string, double>> summary;  ///< scalar results, SI

  /// The first channel of that name in the order of the tables, or, where two tables share a name,
  /// the one of "TABLE.NAME" (e.g. "reference.storey1.displacement"); null if there is none.
  const Channel* find(const std::string& name) const;
};

}  // namespace gusset

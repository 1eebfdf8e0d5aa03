#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/table.hpp"

namespace gusset {

/// Something that happened during a test.
struct Event {
  double time = 0;       ///< [s], on the tables' clock
  std::string severity;  ///< "information", "indicate", "hold", "ramp-down", "interlock"
  std::string source;    ///< who noticed: "supervisor", "recorder", "link" …
  std::string text;
};

/// How often a duration fell between edges[i] (included) and edges[i + 1] (not included).
struct RunHistogram {
  std::string name;            ///< "wake-up", "compute", "link"
  std::string unit;            ///< of edges and maximum
  std::vector<double> edges;   ///< one more than counts; both empty if nothing was counted
  std::vector<double> counts;  ///< whole numbers
  double overflow = 0;         ///< how many lay at or beyond the last edge
  double maximum = 0;          ///< the largest of all, overflow included
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
  std::vector<Event> events;                            ///< in the order they were recorded
  std::vector<RunHistogram> histograms;
  /// Reports that came with the test, by name: "readiness", "environment", "analysis" as JSON.
  std::vector<std::pair<std::string, std::string>> texts;

  /// The first channel of that name in the order of the tables, or, where two tables share a name,
  /// the one of "TABLE.NAME" (e.g. "reference.storey1.displacement"); null if there is none.
  const Trace* find(const std::string& name) const;
};

}  // namespace gusset

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"
#include "analysis/loop_listing.hpp"
#include "runs/run.hpp"

namespace gusset {

/// What the report shows beside the run's own data.
struct ReportExtras {
  std::string file;                                         ///< the run file's name
  std::vector<std::pair<std::string, Limits>> limits;       ///< of each channel, by its name
  std::optional<Analysis> analysis;                         ///< of the experiment kept in the run
  std::optional<LoopListing> loop;                          ///< its stages
  std::optional<double> planned;                            ///< how long the test was to last [s]
  std::string problem;                                      ///< why limits and analysis are absent
  std::vector<std::pair<std::string, std::string>> hashes;  ///< name, digits
};

/// One HTML page that holds all there is to say about a run: experiment, its loop, stability, response,
/// hysteresis, tracking, energy, timing, limits and events, environment, hashes. A section without
/// data is left out.
std::string run_report(const Run& run, const ReportExtras& extras);

}  // namespace gusset

#pragma once

#include <string>
#include <vector>

#include "analysis/analysis.hpp"
#include "report/plot.hpp"
#include "runs/run.hpp"

/// The figures of a run's report. Each function gives as many as the run has data for, none rather
/// than an empty one.
namespace gusset {

struct Panel {
  std::vector<plot::Figure> figures;  ///< one below the other
  std::string caption;
};

/// A specimen's channel as the run has it; pointers are null where a signal was not recorded.
struct RunChannel {
  std::string name;
  const Table* table = nullptr;
  const Trace *target = nullptr, *command = nullptr, *measured = nullptr, *force = nullptr;

  /// What is to follow the target: the measured motion, or under force control the force.
  const Trace* followed() const;
};
std::vector<RunChannel> run_channels(const Run& run);

std::vector<Panel> response_panels(const Run& run);
std::vector<Panel> hysteresis_panels(const RunChannel& channel);
std::vector<Panel> tracking_panels(const RunChannel& channel);
std::vector<Panel> energy_panels(const Run& run);
/// Histograms of the durations of a real-time run.
std::vector<Panel> timing_panels(const Run& run);
/// Eigenvalues against the unit circle.
std::vector<Panel> eigenvalue_panels(const Analysis& analysis);

/// The run in one picture: ground motion, the top storey against the exact response, the first
/// specimen's force. Panels one below the other; those without data are left out.
std::vector<plot::Figure> overview(const Run& run);

/// Whether any sample is a number.
bool has_data(const std::vector<double>& values);
/// Whether any sample is a number other than zero.
bool has_motion(const std::vector<double>& values);

}  // namespace gusset

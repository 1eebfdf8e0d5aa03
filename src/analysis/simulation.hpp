#pragma once

#include <functional>
#include <optional>
#include <string>

#include "analysis/runaway.hpp"
#include "base/table.hpp"
#include "build/test.hpp"
#include "supervise/settings.hpp"

namespace gusset {

/// Why a simulation ended before its time.
struct Stop {
  double time = 0;
  std::string channel;  ///< what went out of bounds
  double value = 0;
  std::optional<double> limit;  ///< absent: the number was not finite any more
};

struct Simulation {
  std::vector<Table> tables;  ///< "structure"; "rig" if it is faster; "reference"
  std::optional<Stop> stop;
  std::optional<Runaway> runaway;  ///< it went to its end, or to its stop, and was lost before
  std::vector<std::pair<std::string, double>> summary;
  std::vector<std::string> numerical;  ///< what only an error of integration explains; empty: nothing
};

struct SimulationOptions {
  bool reference = true;                 ///< the exact response of the whole structure beside it
  std::function<void(double)> progress;  ///< called now and then with the share done
  LimitSettings limits = {};             ///< what happens when a limit is passed
};

/// Sentences about forces that the rigs of a test cannot make, from the largest force of each channel.
std::vector<std::string> unreachable_forces(const Experiment& experiment, const std::vector<double>& largest);

/// Adds the table "reference", the exact response of the whole structure at the times of the first
/// table, where there is one: the test is affine and not too large.
void add_reference(const Test& test, std::vector<Table>& tables);

/// Bytes that `simulate` will need for its tables.
double memory_needed(const Test& test, bool reference);

/// Calls `step` from t_0 to the end of the test, as fast as the machine goes. Ends early when a
/// limit of the experiment is passed or a number is not finite any more; what was recorded until
/// then stays. A response that runs away without passing either is recorded to the end, and told.
Simulation simulate(const Test& test, const SimulationOptions& options = {});

}  // namespace gusset

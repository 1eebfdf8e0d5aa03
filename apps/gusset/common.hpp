#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/runaway.hpp"
#include "base/quantity_text.hpp"
#include "session/open.hpp"
#include "supervise/judge.hpp"

namespace gusset::app {

using Json = nlohmann::ordered_json;  // keys stay in the order in which they were written

/// FILE, --set and --json, which most verbs share.
struct ExperimentOptions {
  std::string file;
  std::vector<std::string> assignments;
  bool json = false;

  void add_to(CLI::App& command);
};

/// Opens the experiment that the options name. Throws InputError.
Loaded load(const ExperimentOptions& options);

/// Prints one JSON object on standard output. Numbers that are not finite become null.
void print(const Json& object);
Json number(double value);
Json number(const std::optional<double>& value);

/// A limit that was passed: cause, signal, value, limit and instant; null if none was.
Json passed_json(const std::optional<Finding>& passed, const Experiment& experiment);
/// A response that ran away: signal, instant, how far it went, the test's own scale; null if it did not.
Json runaway_json(const std::optional<Runaway>& runaway);
/// "damper.force reached 12 kN at t = 3.2 s, beyond the limit of 10 kN".
std::string passed_text(const Finding& passed, const Experiment& experiment);

/// A progress bar on standard error if that is a terminal and the work takes longer than a moment;
/// empty otherwise.
std::function<void(double)> progress_bar(const std::string& label);

/// Half of the machine's memory, the most a simulation may ask for.
double memory_limit();

}  // namespace gusset::app

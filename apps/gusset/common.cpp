#include "common.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "session/answers.hpp"

namespace gusset::app {

void ExperimentOptions::add_to(CLI::App& command) {
  command.add_option("FILE", file, "experiment file, or the name of a shipped one (gusset list)")->required();
  command
      .add_option("--set", assignments,
                  "override a key, e.g. --set specimen.mass_ratio=0.5 or --set \"integrator.dt=5 ms\"")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_flag("--json", json, "print one JSON object on standard output and nothing else");
}

Loaded load(const ExperimentOptions& options) { return open_experiment(options.file, options.assignments); }

void print(const Json& object) { std::cout << object.dump(2) << '\n'; }

Json number(double value) { return json_number(value); }

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json passed_json(const std::optional<Finding>& passed, const Experiment& experiment) {
  return to_json(passed, experiment.channels());
}

Json runaway_json(const std::optional<Runaway>& runaway) {
  if (!runaway) return nullptr;
  return {{"signal", runaway->signal},
          {"time", runaway->time},
          {"reached", number(runaway->reached)},
          {"scale", number(runaway->scale)}};
}

std::string passed_text(const Finding& passed, const Experiment& experiment) {
  const std::string unit = unit_of(passed);
  return signal_of(passed, experiment.channels()) + " reached " + readable(std::abs(passed.value), unit) +
         " at t = " + readable(passed.time, "s") + ", beyond the limit of " + readable(passed.limit, unit);
}

std::function<void(double)> progress_bar(const std::string& label) {
  if (isatty(STDERR_FILENO) == 0) return {};
  const auto begun = std::chrono::steady_clock::now();
  return [label, begun, shown = false](double share) mutable {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
    if (!shown && spent.count() < 0.5) return;
    shown = true;
    const int filled = static_cast<int>(share * 40);
    std::string bar(static_cast<std::size_t>(filled), '#');
    bar.resize(40, '.');
    std::fprintf(stderr, "\r%s [%s] %3.0f %%", label.c_str(), bar.c_str(), share * 100);
    if (share >= 1) std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
  };
}

double memory_limit() {
  return 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace gusset::app

#include "common.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <thread>

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

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json passed_json(const std::optional<Finding>& passed, const Experiment& experiment) {
  if (!passed) return nullptr;
  return {{"cause", name_of(passed->cause)}, {"signal", signal_of(*passed, experiment.channels())},
          {"unit", unit_of(*passed)},        {"value", number(passed->value)},
          {"limit", number(passed->limit)},  {"time", passed->time}};
}

std::string passed_text(const Finding& passed, const Experiment& experiment) {
  const std::string unit = unit_of(passed);
  return signal_of(passed, experiment.channels()) + " reached " + readable(std::abs(passed.value), unit) +
         " at t = " + readable(passed.time, "s") + ", beyond the limit of " + readable(passed.limit, unit);
}

std::string environment_json() {
  utsname system{};
  uname(&system);
  std::string processor, line;
  std::ifstream file("/proc/cpuinfo");
  while (processor.empty() && std::getline(file, line)) {
    if (line.starts_with("model name")) processor = line.substr(line.find(':') + 2);
  }
  return Json{{"host", system.nodename},
              {"system", std::string(system.sysname) + " " + system.release + ", " + system.machine},
              {"processor", processor},
              {"cores", std::thread::hardware_concurrency()},
#ifdef __clang__
              {"compiler", "Clang " __clang_version__}}
#else
              {"compiler", "GCC " __VERSION__}}
#endif
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string now_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
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

#include "analysis/simulation.hpp"

#include <chrono>
#include <cmath>
#include <iostream>

#include "base/version.hpp"
#include "common.hpp"
#include "runs/atomic_file.hpp"
#include "runs/run_file.hpp"
#include "session/environment.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace simulate_private {

struct Options {
  ExperimentOptions experiment;
  std::string out;
  bool force = false;
};

void require_memory(const Loaded& loaded) {
  const double needed = memory_needed(loaded.test, true);
  if (needed <= memory_limit()) return;
  loaded.document.top().fail(
      "duration",
      "the results would take " + brief(needed / 1e9) + " GB, more than half of this machine's memory",
      "shorten the duration, or lengthen integrator.dt or rig.dt");
}

/// `when` is put after what happened: " at t = 0.5 s", or nothing.
std::string describe(const Stop& stop, const std::string& unit, const std::string& when) {
  if (!stop.limit) return stop.channel + " is not a finite number any more" + when + ": the test is unstable";
  return stop.channel + " reached " + readable(stop.value, unit) + when + ", beyond the limit of " +
         readable(*stop.limit, unit);
}

std::string unit_of(const std::string& channel) {
  if (channel.ends_with(".force")) return "N";
  if (channel.ends_with(".dissipated")) return "J";
  if (channel.ends_with(".velocity")) return "m/s";
  if (channel.ends_with(".tracking_error")) return "m";
  if (channel.ends_with(".energy")) return "J";
  if (channel.ends_with(".acceleration")) return "m/s^2";
  return "m";
}

/// The unit a channel of the results has.
std::string unit_of(const Simulation& simulation, const std::string& name) {
  for (const Table& table : simulation.tables) {
    for (const Trace& channel : table.channels) {
      if (channel.name == name) return channel.unit;
    }
  }
  return unit_of(name);
}

/// "tracking.damper.indicator" is about "damper.target".
std::string target_of(const std::string& name) {
  const std::size_t begin = std::string_view("tracking.").size();
  return name.substr(begin, name.rfind('.') - begin) + ".target";
}

void print_human(const Loaded& loaded, const Simulation& simulation, double seconds) {
  const Experiment& experiment = loaded.experiment();
  std::cout << experiment.title() << "\n\n"
            << loaded.test.steps << " steps of " << readable(experiment.dt(), "s");
  if (experiment.substeps() > 1) {
    std::cout << ", rig at " << readable(experiment.rig_dt(), "s");
  }
  std::cout << "; " << readable(loaded.test.duration, "s") << " of test in " << readable(seconds, "s")
            << "\n\npeaks\n";
  for (const auto& [name, value] : simulation.summary) {
    if (!name.starts_with("peak.")) continue;
    const std::string channel = name.substr(5);
    std::printf("   %-28s %s\n", channel.c_str(), readable(value, unit_of(simulation, channel)).c_str());
  }
  bool header = false;
  for (const auto& [name, value] : simulation.summary) {
    if (name.starts_with("peak.")) continue;
    if (!header) std::puts("\nerrors and tracking");
    header = true;
    const bool share = name.ends_with(".nrmse") || name.ends_with(".peak") || name.ends_with(".energy_error");
    const std::string unit = name.ends_with("delay")       ? "s"
                             : name.ends_with("frequency") ? "Hz"
                             : name.ends_with("indicator") ? unit_of(simulation, target_of(name)) + "^2"
                                                           : "";
    std::printf("   %-42s %s\n", name.c_str(),
                share ? (brief(100 * value) + " %").c_str() : readable(value, unit).c_str());
  }
  std::fflush(stdout);
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  options->experiment.add_to(command);
  command.add_option("--out", options->out, "write the results to this HDF5 file")->type_name("RUN.h5");
  command.add_flag("--force", options->force, "overwrite an existing file");
  return [options] {
    const Loaded loaded = load(options->experiment);
    if (!options->out.empty()) require_writable(options->out, options->force);
    require_memory(loaded);

    const auto begun = std::chrono::steady_clock::now();
    SimulationOptions how;
    how.progress = progress_bar("simulating");
    how.limits = loaded.realtime;
    Simulation simulation = simulate(loaded.test, how);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
    if (how.progress) how.progress(1);

    if (!options->out.empty()) {
      Run run;
      run.title = loaded.experiment().title();
      run.version = version;
      run.experiment_name = loaded.document.name();
      run.experiment_text = loaded.document.text();
      run.overrides = loaded.document.assignments();
      run.created = now_utc();
      run.tables = simulation.tables;
      run.summary = simulation.summary;
      run.texts.emplace_back("environment", environment_json());
      if (simulation.runaway) {
        run.events.push_back({simulation.runaway->time, "indicate", "simulate",
                              "the response ran away: " + text_of(*simulation.runaway)});
      }
      if (simulation.stop) {
        run.events.push_back({simulation.stop->time, "interlock", "simulate",
                              describe(*simulation.stop, unit_of(simulation, simulation.stop->channel), "")});
      }
      write_run(options->out, run, options->force);
    }
    if (options->experiment.json) {
      Json summary = Json::object();
      for (const auto& [name, value] : simulation.summary) summary[name] = number(value);
      Json stop = nullptr;
      if (simulation.stop) {
        stop = {{"time", simulation.stop->time},
                {"channel", simulation.stop->channel},
                {"value", number(simulation.stop->value)},
                {"limit", number(simulation.stop->limit)}};
      }
      print({{"title", loaded.experiment().title()},
             {"dt", loaded.experiment().dt()},
             {"rig_dt", loaded.experiment().rig_dt()},
             {"steps", loaded.test.steps},
             {"completed", !simulation.stop && !simulation.runaway},
             {"stop", stop},
             {"runaway", runaway_json(simulation.runaway)},
             {"numerical", simulation.numerical},
             {"out", options->out.empty() ? Json(nullptr) : Json(options->out)},
             {"summary", summary}});
    } else {
      print_human(loaded, simulation, spent.count());
      if (!options->out.empty()) std::cout << "\nresults in " << options->out << '\n';
    }
    for (const std::string& sentence : simulation.numerical) std::cerr << "gusset: " << sentence << '\n';
    if (simulation.stop) {
      std::cerr << "gusset: stopped early: "
                << describe(*simulation.stop, unit_of(simulation, simulation.stop->channel),
                            " at t = " + brief(simulation.stop->time) + " s")
                << "\n  what was recorded until then is kept; see `gusset analyze` for the cause\n";
      return bad;
    }
    if (simulation.runaway) {
      std::cerr
          << "gusset: the response ran away: " << text_of(*simulation.runaway)
          << "\n  see `gusset analyze` for the cause; [limits] displacement stops such a test in time\n";
      return bad;
    }
    return simulation.numerical.empty() ? good : bad;
  };
}

}  // namespace simulate_private

const Verb simulate_verb{
    "simulate", "rehearse the whole test on the virtual rig, as fast as the machine goes",
    "Channels are storeyN.displacement|velocity|acceleration (relative to the ground), NAME.target|"
    "command|measured|force for each specimen, and reference.* (the exact response of the whole "
    "structure).\n"
    "Exit status 1 if a limit was passed, the response ran away, or a force is beyond what the rig can "
    "make.\n"
    "Example: gusset simulate wu-pure-inertia --out run.h5",
    simulate_private::add};

}  // namespace gusset::app

#include "realtime/replay.hpp"

#include <cstdio>
#include <iostream>

#include "common.hpp"
#include "open_run.hpp"
#include "runs/atomic_file.hpp"
#include "runs/run_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace replay_private {

struct Options {
  std::string run, out;
  std::vector<std::string> assignments;
  bool json = false, force = false;
};

/// Span and fade of the run, which came from its command line.
Span span_of(const Run& run) {
  Span span;
  for (const auto& [name, text] : run.texts) {
    if (name != "run") continue;
    const Json facts = Json::parse(text, nullptr, false);
    if (!facts.is_object()) continue;
    span.share = facts.value("span", 1.0);
    span.fade_in = facts.value("fade_in", 0.0);
  }
  return span;
}

/// The run with the new commands beside the recorded ones.
Run with_replay(const Run& run, const Replay& replayed, double dt,
                const std::vector<std::string>& assignments) {
  Run result = run;
  result.overrides.insert(result.overrides.end(), assignments.begin(), assignments.end());
  Table table{"replay", dt, dt, {}};
  for (const ReplayedChannel& channel : replayed.channels) {
    table.channels.push_back({"replay." + channel.name, channel.unit, channel.replayed});
    table.channels.push_back({"recorded." + channel.name, channel.unit, channel.recorded});
  }
  result.tables.push_back(std::move(table));
  return result;
}

int act(const Options& options) {
  if (!options.out.empty()) require_writable(options.out, options.force);
  const Run run = open_run(options.run);
  std::vector<std::string> assignments = run.overrides;
  assignments.insert(assignments.end(), options.assignments.begin(), options.assignments.end());
  const Loaded loaded = load_text(run.experiment_text, run.experiment_name, assignments);
  const Replay replayed = replay(loaded.test, run, span_of(run), options.run);
  if (!options.out.empty()) {
    write_run(options.out, with_replay(run, replayed, loaded.experiment().rig_dt(), options.assignments),
              options.force);
  }
  const bool what_if = !options.assignments.empty();
  if (options.json) {
    Json channels = Json::array();
    for (const ReplayedChannel& channel : replayed.channels) {
      channels.push_back({{"name", channel.name},
                          {"unit", channel.unit},
                          {"different", channel.different},
                          {"largest", number(channel.largest)},
                          {"nrms", number(channel.rms)}});
    }
    print({{"run", options.run},
           {"commands", replayed.commands},
           {"missing", replayed.missing},
           {"identical", replayed.identical()},
           {"first_difference", number(replayed.first_difference)},
           {"what_if", what_if},
           {"channels", channels},
           {"out", options.out.empty() ? Json(nullptr) : Json(options.out)}});
  } else {
    std::cout << run.title << "\n\n"
              << replayed.commands << " commands computed again from the recorded feedback\n";
    for (const ReplayedChannel& channel : replayed.channels) {
      if (channel.different == 0) {
        std::cout << "   " << channel.name << ": the same, bit for bit\n";
      } else {
        std::cout << "   " << channel.name << ": " << channel.different << " differ, by up to "
                  << readable(channel.largest, channel.unit) << " (" << brief(100 * channel.rms)
                  << " % rms)\n";
      }
    }
    if (replayed.missing > 0) {
      std::cout << replayed.missing << " rows after a gap in the record are left out\n";
    }
    if (!options.out.empty()) std::cout << "\nboth in " << options.out << ", table replay\n";
  }
  if (replayed.commands == 0) {
    std::cerr << "gusset: the run holds no command: it was not armed, or ended before its first\n";
    return bad;
  }
  if (replayed.identical() || what_if) return good;
  std::cerr << "gusset: the commands differ from t = " << brief(*replayed.first_difference)
            << " s on: the record, the program or a file it reads has changed\n";
  return bad;
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RUN", options->run, "run file of gusset run or simulate")->required();
  command
      .add_option("--set", options->assignments,
                  "what if: another parameter on the same feedback, e.g. --set compensator.kind=inverse")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--out", options->out, "the run with a table of both commands")->type_name("RUN.h5");
  command.add_flag("--force", options->force, "overwrite an existing file");
  command.add_flag("--json", options->json, "print one JSON object on standard output and nothing else");
  return [options] { return act(*options); };
}

}  // namespace replay_private

const Verb replay_verb{
    "replay", "compute the commands of a run again from its recorded feedback",
    "The commands follow from the experiment and the feedback alone, so they must be those of the run, "
    "bit for bit. With --set: what another compensator would have commanded on the same feedback.\n"
    "Exit status 1 if they differ without --set.\n"
    "Example: gusset replay run.h5\n"
    "         gusset replay run.h5 --set compensator.kind=polynomial --out what-if.h5",
    replay_private::add};

}  // namespace gusset::app

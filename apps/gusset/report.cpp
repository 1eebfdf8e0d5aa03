#include "report/run_report.hpp"

#include <iostream>

#include "common.hpp"
#include "open_run.hpp"
#include "report/run_panels.hpp"
#include "runs/atomic_file.hpp"
#include "runs/digest.hpp"
#include "runs/run_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace report_private {

struct Options {
  std::string run, out, picture;
  bool force = false, json = false;
};

/// Limits and stability follow from the experiment kept in the run; where it cannot be built any
/// more (its record is gone, a newer version refuses it) the report says why and goes on.
void analyse(const Run& run, ReportExtras& extras) {
  try {
    const Loaded loaded = load_text(run.experiment_text, run.experiment_name, run.overrides);
    for (const Channel& channel : loaded.experiment().channels()) {
      extras.limits.emplace_back(channel.name(), channel.limits);
    }
    extras.loop = list_loop(loaded.experiment());
    extras.planned = loaded.test.duration;
    if (loaded.experiment().structure().size() > 0) extras.analysis = analyze(loaded.document, loaded.test);
  } catch (const InputError& error) {
    extras.problem = error.what();
  }
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RUN", options->run, "a run file (gusset simulate --out)")->required();
  command.add_option("--out", options->out, "the page to write (default: RUN with .html)")
      ->type_name("REPORT.html");
  command.add_option("--picture", options->picture, "an overview of the run as a picture by itself")
      ->type_name("FILE.svg");
  command.add_flag("--force", options->force, "overwrite existing files");
  command.add_flag("--json", options->json, "print what was written as one JSON object");
  return [options] {
    if (options->out.empty()) {
      const bool h5 = options->run.ends_with(".h5");
      options->out = options->run.substr(0, options->run.size() - (h5 ? 3 : 0)) + ".html";
    }
    require_writable(options->out, options->force);
    if (!options->picture.empty()) require_writable(options->picture, options->force);
    const Run run = open_run(options->run);
    ReportExtras extras;
    extras.file = options->run;
    extras.hashes = {{"SHA-256 of the run file", sha256(read_file(options->run))},
                     {"SHA-256 of the experiment file", sha256(run.experiment_text)}};
    analyse(run, extras);
    const std::string page = run_report(run, extras);
    write_atomically(options->out, page, options->force);
    if (!options->picture.empty()) {
      write_atomically(options->picture, plot::svg(overview(run)), options->force);
    }
    if (options->json) {
      Json sections = Json::array();
      for (std::size_t at = page.find("<section id=\""); at != std::string::npos;
           at = page.find("<section id=\"", at + 1)) {
        const std::size_t from = at + 13;
        sections.push_back(page.substr(from, page.find('"', from) - from));
      }
      print({{"run", options->run},
             {"out", options->out},
             {"bytes", page.size()},
             {"sections", sections},
             {"stable", extras.analysis ? Json(extras.analysis->stable) : Json(nullptr)}});
    } else {
      std::cout << "report in " << options->out << '\n';
    }
    return good;
  };
}

}  // namespace report_private

const Verb report_verb{
    "report", "a run file as one HTML page with all its plots",
    "The page needs nothing else: no network, no script. It follows the reader's light or dark "
    "setting, prints in light, and holds the experiment, a picture of its loop, its stability (analysed "
    "again from the "
    "file kept in the run), response, hysteresis, tracking, energy, timing, limits and events, the "
    "machine's readiness, and hashes: whatever the run has data for.\n"
    "Example: gusset report run.h5 --out report.html",
    report_private::add};

}  // namespace gusset::app

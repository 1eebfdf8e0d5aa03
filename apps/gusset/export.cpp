#include <iostream>

#include "common.hpp"
#include "open_run.hpp"
#include "runs/atomic_file.hpp"
#include "runs/csv.hpp"
#include "runs/run_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace export_private {

struct Options {
  std::string run, csv, table;
  bool force = false;
  bool json = false;
};

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RUN", options->run, "a run file (gusset simulate --out)")->required();
  command.add_option("--csv", options->csv, "write CSV to this file; - or absent: standard output")
      ->type_name("FILE.csv");
  command.add_option("--table", options->table,
                     "only this table, at its own rate: structure, rig or reference");
  command.add_flag("--force", options->force, "overwrite an existing file");
  command.add_flag("--json", options->json, "print what was written as one JSON object");
  return [options] {
    const bool to_stdout = options->csv.empty() || options->csv == "-";
    if (to_stdout && options->json) {
      throw InputError({"--json", 0, 0}, "standard output cannot hold both the CSV and the JSON",
                       "name a file with --csv FILE.csv");
    }
    if (!to_stdout) require_writable(options->csv, options->force);
    const Run run = open_run(options->run);
    const std::string text = to_csv(run, options->table);
    if (to_stdout) {
      std::cout << text << std::flush;
      if (!std::cout) {
        throw InputError({"standard output", 0, 0}, "could not write all of the CSV",
                         "is the disk full or the pipe closed?");
      }
      return good;
    }
    write_atomically(options->csv, text, options->force);
    const auto rows = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
    if (options->json) {
      print({{"run", options->run}, {"csv", options->csv}, {"rows", rows}});
    } else {
      std::cout << rows << " rows in " << options->csv << '\n';
    }
    return good;
  };
}

}  // namespace export_private

const Verb export_verb{
    "export", "a run file as CSV",
    "The first column is `time [s]`; the others are named `channel [unit]`. Channels of a faster rig "
    "are taken at the integrator's times unless --table rig is given.\n"
    "Example: gusset export run.h5 --csv run.csv",
    export_private::add};

}  // namespace gusset::app

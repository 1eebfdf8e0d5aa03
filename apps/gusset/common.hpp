#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/document.hpp"
#include "excitation/record_formats.hpp"
#include "experiment/experiment.hpp"
#include "realtime/settings.hpp"
#include "report/quantity_text.hpp"

namespace gusset::app {

using Json = nlohmann::ordered_json;  // keys stay in the order in which they were written

/// FILE, --set and --json, which most verbs share.
struct ExperimentOptions {
  std::string file;
  std::vector<std::string> assignments;
  bool json = false;

  void add_to(CLI::App& command);
};

/// An experiment file, read and built.
struct Loaded {
  Document document;
  Experiment experiment;
  RealtimeSettings realtime;
};

/// Reads the file, applies --set, builds the experiment and refuses keys nobody knows. The file may
/// also be the name of a shipped experiment ("wu-pure-inertia"). Throws InputError.
Loaded load(const ExperimentOptions& options);

/// A record in any format. The name means a file of `records/`, or a path from the folder of the file
/// `folder_of` or from here. Throws InputError.
Record load_record(const std::string& name, const Where& where, const std::string& folder_of,
                   const RecordHints& hints);

/// The same from text, e.g. the one kept in a run file; records are looked for from `path`.
Loaded load_text(const std::string& text, const std::string& path,
                 const std::vector<std::string>& assignments);

/// A shipped record, or a path from here. Throws InputError at `where`.
std::shared_ptr<const Record> shipped_record(const std::string& name, const Where& where);

/// Finds records as an experiment file at `path` would.
RecordLoader record_loader(const std::string& path);

/// Folders with shipped `experiments/` and `records/`: the source tree's or the installed one.
std::vector<std::string> data_folders();

/// Prints one JSON object on standard output. Numbers that are not finite become null.
void print(const Json& object);
Json number(double value);
Json number(const std::optional<double>& value);

/// "2026-01-31T12:00:00Z".
std::string now_utc();

/// The machine and the build, as one JSON object: host, system, processor, cores, compiler.
std::string environment_json();

/// A progress bar on standard error if that is a terminal and the work takes longer than a moment;
/// empty otherwise.
std::function<void(double)> progress_bar(const std::string& label);

/// Half of the machine's memory, the most a simulation may ask for.
double memory_limit();

}  // namespace gusset::app

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "build/test.hpp"
#include "document/document.hpp"
#include "excitation/record_formats.hpp"
#include "realtime/settings.hpp"

// From names and paths to experiments and records. The loop's library parses text; files are read here.

namespace gusset {

/// An experiment file, read and built.
struct Loaded {
  Document document;
  Test test;
  RealtimeSettings realtime;

  const Experiment& experiment() const { return *test.experiment; }
};

/// Reads the file, applies the assignments ("rig.delay=2 ms"), builds the test and refuses keys nobody
/// knows. The file may also be the name of a shipped experiment ("wu-pure-inertia"). Throws InputError.
Loaded open_experiment(const std::string& file, const std::vector<std::string>& assignments);

/// The same from text, e.g. the one kept in a run file; records are looked for from `path`.
Loaded load_text(const std::string& text, const std::string& path,
                 const std::vector<std::string>& assignments);

/// A record in any format. The name means a file of `records/`, or a path from the folder of the file
/// `folder_of` or from here. Throws InputError.
Record load_record(const std::string& name, const Where& where, const std::string& folder_of,
                   const RecordHints& hints);

/// A shipped record, or a path from here. Throws InputError at `where`.
std::shared_ptr<const Record> shipped_record(const std::string& name, const Where& where);

/// Finds records as an experiment file at `path` would.
RecordLoader record_loader(const std::string& path);

/// Folders with shipped `experiments/` and `records/`: the source tree's or the installed one.
std::vector<std::string> data_folders();

}  // namespace gusset

#include "runs/recover.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "common.hpp"
#include "runs/atomic_file.hpp"
#include "runs/raw_sink.hpp"
#include "runs/run_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace recover_private {

namespace fs = std::filesystem;
constexpr std::string_view raw_ending = ".raw";

struct Options {
  std::string path, out;
  bool force = false, keep = false, json = false;
};

/// The raw recordings that PATH means: itself, the one beside a run file, or all in a folder.
std::vector<std::string> recordings(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!path.ends_with(raw_ending) && fs::exists(raw_path_of(path), error)) {
      return {raw_path_of(path)};
    }
    if (!fs::exists(path, error)) {
      throw InputError({path, 0, 0}, "there is no raw recording of that name",
                       "name a file RUN.h5.raw, or the folder it is in");
    }
    return {path};
  }
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (entry.is_regular_file(error) && entry.path().extension() == raw_ending) {
      found.push_back(entry.path().string());
    }
  }
  if (found.empty()) {
    throw InputError({path, 0, 0}, "there is no raw recording (RUN.h5.raw) in the folder",
                     "a run that ended in order leaves none; look for RUN.h5");
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The process was killed between putting the run file in place and removing the raw recording.
bool finished_already(const std::string& out, const Recovery& recovery) {
  std::error_code error;
  if (!recovery.complete || !fs::exists(out, error)) return false;
  try {
    const Run there = read_run(out);
    if (there.created != recovery.run.created || there.title != recovery.run.title) return false;
    for (const Table& table : recovery.run.tables) {
      const auto same = std::find_if(there.tables.begin(), there.tables.end(),
                                     [&](const Table& one) { return one.name == table.name; });
      if (same == there.tables.end() || same->rows() != table.rows()) return false;
    }
    return true;
  } catch (const InputError&) {
    return false;
  }
}

struct Restored {
  std::string raw, out;
  Recovery recovery;
  bool removed = false;
  bool whole() const {
    return recovery.damaged_bytes == 0 && recovery.missing_segments == 0 && recovery.missing_rows == 0;
  }
};

Restored restore(const std::string& raw, const Options& options) {
  Restored result;
  result.raw = raw;
  result.out = options.out;
  if (result.out.empty()) {
    if (!raw.ends_with(raw_ending)) {
      throw InputError({raw, 0, 0}, "the name of the run file does not follow from it",
                       "give it with --out RUN.h5");
    }
    result.out = raw.substr(0, raw.size() - raw_ending.size());
  }
  const RawLock lock(raw);
  result.recovery = recover_run(raw);
  if (!finished_already(result.out, result.recovery)) {
    write_run(result.out, result.recovery.run, options.force);
    // Read back before anything is removed.
    if (read_run(result.out).tables.size() != result.recovery.run.tables.size()) {
      throw InputError({result.out, 0, 0}, "the run file does not read back as it was written",
                       "check the disk (dmesg); the raw recording is untouched");
    }
  }
  const bool evidence = result.recovery.damaged_bytes > 0 || result.recovery.missing_segments > 0;
  if (!options.keep && !evidence) result.removed = ::unlink(raw.c_str()) == 0;
  return result;
}

double last_time(const Run& run) {
  double last = 0;
  for (const Table& table : run.tables) {
    if (table.rows() == 0) continue;
    last = std::max(last, table.start + static_cast<double>(table.rows() - 1) * table.step);
  }
  return last;
}

Json to_json(const Restored& one) {
  Json rows = Json::object();
  for (const Table& table : one.recovery.run.tables) rows[table.name] = table.rows();
  return {{"raw", one.raw},
          {"out", one.out},
          {"complete", one.recovery.complete},
          {"whole", one.whole()},
          {"last_time", number(last_time(one.recovery.run))},
          {"rows", rows},
          {"events", one.recovery.run.events.size()},
          {"segments", one.recovery.segments},
          {"torn_bytes", one.recovery.torn_bytes},
          {"damaged_bytes", one.recovery.damaged_bytes},
          {"missing_segments", one.recovery.missing_segments},
          {"missing_rows", one.recovery.missing_rows},
          {"lost_records", one.recovery.lost_records},
          {"raw_removed", one.removed},
          {"notes", one.recovery.notes}};
}

void print_human(const Restored& one) {
  std::cout << one.out << ": " << one.recovery.run.title << "\n   ";
  for (const Table& table : one.recovery.run.tables) {
    std::cout << table.rows() << " rows of " << table.name << ", ";
  }
  std::cout << one.recovery.run.events.size()
            << " events, until t = " << readable(last_time(one.recovery.run), "s") << '\n';
  for (const std::string& note : one.recovery.notes) std::cout << "   " << note << '\n';
  if (!one.removed) std::cout << "   the raw recording stays: " << one.raw << '\n';
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("PATH", options->path, "RUN.h5.raw, RUN.h5, or a folder with raw recordings")
      ->required();
  command.add_option("--out", options->out, "the run file to write; else the name without .raw")
      ->type_name("RUN.h5");
  command.add_flag("--force", options->force, "overwrite an existing file");
  command.add_flag("--keep", options->keep, "keep the raw recording");
  command.add_flag("--json", options->json, "print one JSON object on standard output");
  return [options] {
    const std::vector<std::string> raw = recordings(options->path);
    if (raw.size() > 1 && !options->out.empty()) {
      throw InputError({"--out", 0, 0},
                       "there are " + std::to_string(raw.size()) + " raw recordings in " + options->path,
                       "name one of them, or leave out --out");
    }
    Json list = Json::array();
    bool whole = true;
    for (const std::string& path : raw) {
      const Restored one = restore(path, *options);
      whole = whole && one.whole();
      if (options->json) {
        list.push_back(to_json(one));
      } else {
        print_human(one);
      }
    }
    if (options->json) print({{"whole", whole}, {"recoveries", list}});
    return whole ? good : bad;
  };
}

}  // namespace recover_private

const Verb recover_verb{
    "recover", "a killed run's raw recording as a run file",
    "A test that is killed leaves RUN.h5.raw. Everything in it becomes RUN.h5; at most the last 0.2 s "
    "are missing. The raw recording is removed once the run file is in place, unless a part of it "
    "is damaged.\n"
    "Exit status 1 if samples before the end are missing.\n"
    "Example: gusset recover run.h5.raw",
    recover_private::add};

}  // namespace gusset::app

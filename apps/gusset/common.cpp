#include "common.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <thread>

#include "record/atomic_file.hpp"
#include "structure/matrix_text.hpp"

namespace gusset::app {
namespace fs = std::filesystem;

void ExperimentOptions::add_to(CLI::App& command) {
  command.add_option("FILE", file, "experiment file, or the name of a shipped one (gusset list)")
      ->required();
  command
      .add_option("--set", assignments,
                  "override a key, e.g. --set specimen.mass_ratio=0.5 or --set \"integrator.dt=5 ms\"")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_flag("--json", json, "print one JSON object on standard output and nothing else");
}

std::vector<std::string> data_folders() {
  std::vector<std::string> folders;
  std::error_code ignored;
  // Beside the program first: an unpacked package works wherever it lies.
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "../share/gusset";
  for (const fs::path& folder :
       {beside, fs::path(GUSSET_SOURCE_DATA_DIR), fs::path(GUSSET_INSTALL_DATA_DIR)}) {
    if (!fs::is_directory(folder / "experiments", ignored)) continue;
    const std::string path = fs::canonical(folder, ignored).string();
    if (std::find(folders.begin(), folders.end(), path) == folders.end()) folders.push_back(path);
  }
  return folders;
}

namespace {

std::string find_experiment(const std::string& name) {
  std::error_code ignored;
  // A bare word means a shipped experiment even where a file of that name lies about.
  const bool bare = name.find_first_of("./") == std::string::npos;
  if (!bare && fs::exists(name, ignored)) return name;
  if (name.find('/') == std::string::npos || name.starts_with("experiments/")) {
    for (const std::string& folder : data_folders()) {
      for (const char* extension : {"", ".toml"}) {
        const fs::path path =
            fs::path(folder) / "experiments" / (fs::path(name).filename().string() + extension);
        if (fs::is_regular_file(path, ignored)) return path.string();
      }
    }
  }
  return name;
}

}  // namespace

Record load_record(const std::string& name, const Where& where, const std::string& folder_of,
                   const RecordHints& hints) {
  std::vector<fs::path> candidates{fs::path(folder_of).parent_path() / name, fs::path(name)};
  for (const std::string& folder : data_folders()) {
    candidates.push_back(fs::path(folder) / "records" / (name + ".csv"));
    candidates.push_back(fs::path(folder) / "records" / name);
  }
  for (const fs::path& path : candidates) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) continue;
    return parse_record(read_file(path.string()), path.string(), hints);
  }
  std::vector<std::string> known;
  for (const std::string& folder : data_folders()) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fs::path(folder) / "records", ignored)) {
      known.push_back(entry.path().stem().string());
    }
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  std::string fix = "give a path to a record, or the name of a shipped one";
  if (!views.empty()) fix += ": " + alternatives(views);
  throw InputError(where, "there is no record \"" + name + "\"", fix);
}

std::shared_ptr<const Record> shipped_record(const std::string& name, const Where& where) {
  return std::make_shared<const Record>(load_record(name, where, "", {}));
}

RecordLoader record_loader(const std::string& path) {
  return [path](const std::string& name, const Where& where) {
    return std::make_shared<const Record>(load_record(name, where, path, {}));
  };
}

Loaded load(const ExperimentOptions& options) {
  const std::string path = find_experiment(options.file);
  return load_text(read_file(path), path, options.assignments);
}

Loaded load_text(const std::string& text, const std::string& path,
                 const std::vector<std::string>& assignments) {
  Document document = Document::parse(text, path);
  for (const std::string& assignment : assignments) document.set(assignment);
  embed_matrices(document, [&](const std::string& name, const Where& where) {
    for (const fs::path& candidate : {fs::path(path).parent_path() / name, fs::path(name)}) {
      std::error_code ignored;
      if (fs::is_regular_file(candidate, ignored)) return read_file(candidate.string());
    }
    throw InputError(where, "there is no file \"" + name + "\"",
                     "give a path from the experiment file's folder, or from here");
  });
  BuildOptions build;
  build.loader = record_loader(path);
  Experiment experiment = Experiment::build(document, build);
  RealtimeSettings realtime = read_realtime(document);
  document.reject_unknown();
  return {std::move(document), std::move(experiment), std::move(realtime)};
}

void print(const Json& object) { std::cout << object.dump(2) << '\n'; }

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
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
  return 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace gusset::app

#include "session/open.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "runs/atomic_file.hpp"
#include "structure/matrix_text.hpp"

namespace gusset {
namespace fs = std::filesystem;

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

Loaded open_experiment(const std::string& file, const std::vector<std::string>& assignments) {
  const std::string path = find_experiment(file);
  return load_text(read_file(path), path, assignments);
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
  Test test = make_test(document, record_loader(path));
  RealtimeSettings realtime = read_realtime(document);
  document.reject_unknown();
  return {std::move(document), std::move(test), std::move(realtime)};
}

}  // namespace gusset

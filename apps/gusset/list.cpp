#include <algorithm>
#include <filesystem>
#include <iostream>

#include "common.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace list_private {

namespace fs = std::filesystem;

struct Shipped {
  std::string name, title, file;
};

std::vector<Shipped> shipped_experiments() {
  std::vector<Shipped> found;
  for (const std::string& folder : data_folders()) {
    for (const auto& entry : fs::directory_iterator(fs::path(folder) / "experiments")) {
      if (entry.path().extension() != ".toml") continue;
      const std::string file = entry.path().string();
      const Document document = Document::parse(read_file(file), file);
      found.push_back({entry.path().stem().string(), document.top().text("title", ""), file});
    }
    if (!found.empty()) break;  // the source tree's stand before the installed ones
  }
  std::sort(found.begin(), found.end(), [](const Shipped& a, const Shipped& b) { return a.name < b.name; });
  return found;
}

std::function<int()> add(CLI::App& command) {
  auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "print one JSON object on standard output and nothing else");
  return [json] {
    const std::vector<Shipped> all = shipped_experiments();
    if (*json) {
      Json experiments = Json::array();
      for (const Shipped& one : all) {
        experiments.push_back({{"name", one.name}, {"title", one.title}, {"file", one.file}});
      }
      print({{"experiments", experiments}});
      return good;
    }
    std::size_t width = 0;
    for (const Shipped& one : all) width = std::max(width, one.name.size());
    for (const Shipped& one : all) {
      std::cout << one.name << std::string(width + 2 - one.name.size(), ' ') << one.title << '\n';
    }
    return good;
  };
}

}  // namespace list_private

const Verb list_verb{"list", "shipped experiments with their titles",
                     "Each can be given by its name to the other verbs, or copied from the folder "
                     "shown by --json.\nExample: gusset list",
                     list_private::add};

}  // namespace gusset::app

#include "reproduce/reproduce.hpp"

#include <cmath>
#include <filesystem>
#include <iostream>

#include "common.hpp"
#include "runs/atomic_file.hpp"
#include "verb.hpp"

namespace gusset::app {
namespace reproduce_private {

using reproduce::CaseEntry;
using reproduce::Done;
using reproduce::Paper;
using reproduce::Quantity;

struct Options {
  std::string which, out;
  bool list = false, force = false, json = false;
};

/// The cases that PAPER or PAPER/CASE names; all of them without it.
std::vector<std::pair<const Paper*, const CaseEntry*>> select(const std::string& which) {
  std::vector<std::pair<const Paper*, const CaseEntry*>> chosen;
  std::vector<std::string> names;
  const std::string paper_name = which.substr(0, which.find('/'));
  for (const Paper& paper : reproduce::papers()) {
    names.emplace_back(paper.name);
    for (const CaseEntry& entry : paper.cases) {
      const std::string full = std::string(paper.name) + "/" + entry.name;
      if (paper_name == paper.name) names.push_back(full);
      if (which.empty() || which == paper.name || which == full) chosen.emplace_back(&paper, &entry);
    }
  }
  if (chosen.empty()) {
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view close = nearest(which, views);
    throw InputError({"reproduce", 0, 0}, "there is no paper or case \"" + which + "\"",
                     (close.empty() ? std::string() : "did you mean " + std::string(close) + "? ") +
                         "There are " + alternatives(views));
  }
  return chosen;
}

Json to_json(const Quantity& quantity, const Paper& paper, const CaseEntry& entry) {
  const auto shown = [&](const std::optional<double>& value) -> Json {
    if (!value) return nullptr;
    if (quantity.statement) return *value != 0;
    return number(*value);
  };
  return {{"paper", paper.name},
          {"case", entry.name},
          {"quantity", quantity.name},
          {"paper_value", shown(quantity.paper)},
          {"value", shown(quantity.value)},
          {"deviation", number(quantity.deviation())},
          {"agrees", quantity.agrees()},
          {"reason", quantity.agrees() ? "" : quantity.reason},
          {"expected", shown(quantity.expected)},
          {"acceptable", quantity.acceptable()}};
}

void describe(const Done& done) {
  std::printf("%s/%s  %s\n", done.paper->name, done.entry->name, done.entry->title);
  for (const Quantity& quantity : done.result.quantities) {
    const char* verdict = quantity.agrees() ? "agrees"
                          : quantity.acceptable()
                              ? (quantity.paper ? "differs, see the reason" : "as expected")
                              : "DIFFERS";
    if (quantity.statement) {
      std::printf("   %-66s %s%s\n", quantity.name.c_str(), quantity.value != 0 ? "yes: " : "no: ", verdict);
    } else {
      std::printf("   %-66s %s\n      paper %s, Gusset %s\n", quantity.name.c_str(), verdict,
                  quantity.paper ? brief(*quantity.paper).c_str() : "prints none",
                  brief(quantity.value).c_str());
    }
    if (!quantity.agrees() && !quantity.reason.empty()) {
      std::printf("      %s\n", quantity.reason.c_str());
    }
  }
  std::fflush(stdout);
}

/// Makes the folder before the work begins, and refuses to write over an older gallery.
void prepare(const Options& options) {
  namespace fs = std::filesystem;
  std::error_code problem;
  fs::create_directories(options.out, problem);
  if (!fs::is_directory(options.out)) {
    throw InputError({options.out, 0, 0}, "the folder could not be made: " + problem.message(),
                     "name a folder that may be written");
  }
  require_writable((fs::path(options.out) / "index.html").string(), options.force);
}

void write_results(const std::vector<Done>& done, const Json& summary, const Options& options) {
  const std::filesystem::path folder = options.out;
  const auto write = [&](const std::string& name, const std::string& bytes) {
    write_atomically((folder / name).string(), bytes, options.force);
  };
  for (const Done& one : done) {
    for (const reproduce::Picture& picture : one.result.pictures) {
      write(std::string(one.paper->name) + "-" + picture.name + ".svg", picture.svg);
    }
  }
  write("summary.json", summary.dump(2) + "\n");
  write("index.html", reproduce::gallery(done));
}

std::function<int()> add(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("PAPER", options->which, "a paper or one of its cases (default: all)")
      ->type_name("[PAPER[/CASE]]");
  command.add_option("--out", options->out, "write pictures, summary.json and index.html there")
      ->type_name("FOLDER");
  command.add_flag("--list", options->list, "only name papers and cases");
  command.add_flag("--force", options->force, "overwrite existing files");
  command.add_flag("--json", options->json, "print one JSON object on standard output and nothing else");
  return [options] {
    const auto chosen = select(options->which);
    if (options->list) {
      Json cases = Json::array();
      for (const auto& [paper, entry] : chosen) {
        cases.push_back({{"paper", paper->name}, {"case", entry->name}, {"title", entry->title}});
        if (!options->json) std::printf("%s/%s  %s\n", paper->name, entry->name, entry->title);
      }
      if (options->json) print({{"cases", cases}});
      return good;
    }
    if (!options->out.empty()) prepare(*options);
    reproduce::Context context;
    context.document = [](const std::string& name, const std::vector<std::string>& assignments) {
      ExperimentOptions which;
      which.file = name;
      which.assignments = assignments;
      return load(which).document;
    };
    context.loader = [](const std::string& name, const Where& where) { return shipped_record(name, where); };
    const auto progress = options->json ? progress_bar("reproducing") : std::function<void(double)>();
    std::vector<Done> done;
    Json cases = Json::array();
    bool acceptable = true;
    for (const auto& [paper, entry] : chosen) {
      done.push_back({paper, entry, entry->run(context)});
      for (const Quantity& quantity : done.back().result.quantities) {
        cases.push_back(to_json(quantity, *paper, *entry));
        acceptable = acceptable && quantity.acceptable();
      }
      if (!options->json) describe(done.back());
      if (progress) progress(static_cast<double>(done.size()) / static_cast<double>(chosen.size()));
    }
    const Json summary{{"cases", cases}, {"agrees", acceptable}};
    if (!options->out.empty()) write_results(done, summary, *options);
    if (options->json) {
      print(summary);
    } else if (!options->out.empty()) {
      std::cout << "\ngallery in " << (std::filesystem::path(options->out) / "index.html").string() << '\n';
    }
    if (!acceptable) std::cerr << "gusset: something that should agree with a paper does not\n";
    return acceptable ? good : bad;
  };
}

}  // namespace reproduce_private

const Verb reproduce_verb{
    "reproduce", "the papers' figures and tables, computed anew, with their numbers beside ours",
    "Each case is computed from the shipped experiments by the code that runs tests. Where a paper "
    "is wrong or does not say enough, the reason is given, and an independent calculation takes its "
    "place. With --out: every figure as SVG, a gallery (index.html) and summary.json.\n"
    "Exit status 1 if anything that should agree does not.\n"
    "Examples: gusset reproduce --list\n"
    "          gusset reproduce wu-2009/fig-3a\n"
    "          gusset reproduce --out gallery",
    reproduce_private::add};

}  // namespace gusset::app

#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "golden/data.hpp"
#include "support/documents.hpp"

namespace gusset::test {

/// A test whose numbers are held fast.
struct Case {
  std::string name;
  std::string base;
  std::vector<std::string> assignments;
  double extra_delay = 0;  ///< [s]

  friend void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }
};

inline std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

inline std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

/// Reads cases.txt; its head says what is in it.
inline std::vector<Case> parse_cases(const std::string& text) {
  std::vector<Case> cases;
  std::map<std::string, std::vector<std::string>> shorthands;
  for_each_line(text, [&](const std::string& line) {
    const std::size_t colon = line.find(':');
    const std::string name = line.substr(0, colon);
    std::vector<std::string> items;
    for (const std::string& item : split_at(line.substr(colon + 1), ';')) {
      if (!item.starts_with('$')) {
        items.push_back(item);
        continue;
      }
      const std::vector<std::string>& more = shorthands.at(item);
      items.insert(items.end(), more.begin(), more.end());
    }
    if (name.starts_with('$')) {
      shorthands[name] = items;
      return;
    }
    Case& next = cases.emplace_back(Case{name, items.front(), {}, 0});
    for (std::size_t i = 1; i < items.size(); ++i) {
      const std::string front = "delay in front=";
      if (items[i].starts_with(front)) {
        next.extra_delay = std::stod(items[i].substr(front.size())) * 1e-3;
      } else {
        next.assignments.push_back(items[i]);
      }
    }
  });
  return cases;
}

/// Those of cases.txt, and every shipped experiment as it is.
inline std::vector<Case> golden_cases() {
  std::vector<Case> cases = parse_cases(read_file(in_golden("cases.txt")));
  for (const std::string& name : shipped_names()) {
    cases.push_back({"experiment-" + name, name, {}, 0});
  }
  return cases;
}

inline Document document_of(const Case& test) {
  const std::string own = in_golden("bases/" + test.base + ".toml");
  if (!std::filesystem::exists(own)) return shipped(test.base, test.assignments);
  Document document = Document::parse(read_file(own), own);
  for (const std::string& assignment : test.assignments) document.set(assignment);
  return document;
}

/// Builds the test. A key that nothing reads would make a case that holds nothing fast: refused.
inline Test build(const Case& test, const Document& document) {
  Test built = make_test(document, shipped_records(), {.late = test.extra_delay});
  // Keys of what is around the loop.
  for (const char* other : {"limits", "limits.actions", "realtime"}) {
    for (const Entry& entry : document.section(other).entries) document.section(other).find(entry.key);
  }
  document.reject_unknown();
  return built;
}

/// As far as the strong part of El Centro, which makes everything yield, and no more steps than are
/// quick.
inline std::int64_t steps_of(const Test& test) {
  const Experiment& experiment = *test.experiment;
  const auto wanted = static_cast<std::int64_t>(std::ceil(3.0 / experiment.dt()));
  const auto most = 12000 / experiment.substeps();
  return std::min(
      {std::clamp<std::int64_t>(wanted, 300, most < 300 ? 300 : most), std::int64_t{4000}, test.steps});
}

}  // namespace gusset::test

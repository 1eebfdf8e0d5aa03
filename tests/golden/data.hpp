#pragma once

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "golden/digest.hpp"
#include "runs/atomic_file.hpp"

namespace gusset::test {

/// A field or signal that has another name since the data were made.
struct Rename {
  std::string kind;  ///< of lines it applies to; empty: all
  std::string from, to;
};

inline std::string in_golden(const std::string& path) {
  return (std::filesystem::path(GUSSET_SOURCE_DIR) / "tests" / "golden" / path).string();
}

/// Calls use(line) for each line of a text that is neither empty nor a comment.
template <class Use>
void for_each_line(const std::string& text, Use use) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty() && line.front() != '#') use(line);
  }
}

/// "old -> new", or "state old -> new" for lines of one kind.
inline std::vector<Rename> parse_renames(const std::string& text) {
  std::vector<Rename> renames;
  for_each_line(text, [&](const std::string& line) {
    std::istringstream words(line);
    std::vector<std::string> parts;
    for (std::string word; words >> word;) parts.push_back(word);
    if (parts.size() == 3) parts.insert(parts.begin(), "");
    if (parts.size() != 4 || parts[2] != "->") throw std::runtime_error("not a rename: " + line);
    renames.push_back({parts[0], parts[1], parts[3]});
  });
  return renames;
}

/// A star at the end of both names stands for any rest.
inline bool renamed_by(const Rename& rename, Line& line) {
  if (!rename.kind.empty() && rename.kind != line.kind) return false;
  if (rename.from.ends_with('*') && rename.to.ends_with('*')) {
    const std::string head = rename.from.substr(0, rename.from.size() - 1);
    if (!line.name.starts_with(head)) return false;
    line.name = rename.to.substr(0, rename.to.size() - 1) + line.name.substr(head.size());
    return true;
  }
  if (line.name != rename.from) return false;
  line.name = rename.to;
  return true;
}

inline void renamed_by(const std::vector<Rename>& renames, Digest& digest) {
  for (Line& line : digest) {
    std::any_of(renames.begin(), renames.end(), [&](const Rename& r) { return renamed_by(r, line); });
  }
}

inline std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

inline std::string hash_text(std::uint64_t hash) {
  char text[24];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

inline std::string to_text(const Digest& digest) {
  std::string text;
  for (const Line& line : digest) {
    text += line.kind + " " + line.name + " " + hash_text(line.hash) + " " + number_text(line.value) +
            (line.unit.empty() ? "" : " " + line.unit) + "\n";
  }
  return text;
}

inline Digest parse_digest(const std::string& text) {
  Digest digest;
  for_each_line(text, [&](const std::string& line) {
    std::istringstream words(line);
    std::string hash, value;
    Line& next = digest.emplace_back();
    words >> next.kind >> next.name >> hash >> value >> next.unit;
    next.hash = std::strtoull(hash.c_str(), nullptr, 16);
    next.value = std::strtod(value.c_str(), nullptr);
  });
  return digest;
}

/// Where the library of mathematical functions is another one, this much of the largest quantity of
/// the same kind and unit: far above what rounding does in some thousand steps, far below what a
/// change of the loop does.
constexpr double tolerance = 1e-9;

/// Says what differs, one line each; empty if nothing does. `exact`: to the bit.
inline std::vector<std::string> differences(const Digest& expected, const Digest& found, bool exact) {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, const Line*> there;
  std::map<Key, double> scale;
  for (const Line& line : found) there[{line.kind, line.name}] = &line;
  for (const Line& line : expected) {
    double& largest = scale[{line.kind, line.unit}];
    largest = std::max(largest, line.value);
  }
  std::vector<std::string> all;
  std::vector<Key> order, found_order;
  const auto published = [](const Line& line) { return line.kind == "start" || line.kind == "row"; };
  for (const Line& line : expected) {
    const auto at = there.find({line.kind, line.name});
    const std::string name = line.kind + " " + line.name;
    if (at == there.end()) {
      all.push_back(name + " is missing");
      continue;
    }
    if (published(line)) order.emplace_back(line.kind, line.name);
    const Line& now = *at->second;
    if (now.unit != line.unit) {
      all.push_back(name + ": the unit is \"" + now.unit + "\", was \"" + line.unit + "\"");
    }
    const bool counts = line.kind == "branch" || line.kind == "transitions";
    const double allowed = counts ? 0 : tolerance * scale[{line.kind, line.unit}];
    const bool same =
        exact || std::isnan(line.value) ? now.hash == line.hash : std::abs(now.value - line.value) <= allowed;
    if (!same) {
      all.push_back(name + ": found " + number_text(now.value) + " (" + hash_text(now.hash) + "), expected " +
                    number_text(line.value) + " (" + hash_text(line.hash) + ")");
    }
  }
  std::map<Key, int> known;
  for (const Line& line : expected) ++known[{line.kind, line.name}];
  for (const Line& line : found) {
    if (!known.contains({line.kind, line.name})) {
      all.push_back(line.kind + " " + line.name + " is new");
    } else if (published(line)) {
      found_order.emplace_back(line.kind, line.name);
    }
  }
  if (order != found_order) {
    const auto [was, now] = std::mismatch(order.begin(), order.end(), found_order.begin(), found_order.end());
    all.push_back("the signals are published in another order" +
                  (was == order.end() || now == found_order.end()
                       ? std::string()
                       : ": " + now->second + " where " + was->second + " was"));
  }
  return all;
}

}  // namespace gusset::test

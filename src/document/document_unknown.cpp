#include <algorithm>

#include "document/document.hpp"

namespace gusset {
namespace {

std::string bracketed(std::string_view path) {
  return path.empty() ? "the top of the file" : '[' + std::string(path) + ']';
}

bool is_below(std::string_view path, std::string_view parent) {
  return path.size() > parent.size() && path.starts_with(parent) && path[parent.size()] == '.';
}

void add_once(std::vector<std::string_view>& names, std::string_view name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

}  // namespace

/// What readers asked of a section: the keys they found and those they did not.
std::vector<std::string_view> Document::known_keys(const Section& section) const {
  std::vector<std::string_view> keys(section.asked_.begin(), section.asked_.end());
  for (const Entry& entry : section.entries) {
    if (entry.used) add_once(keys, entry.key);
  }
  return keys;
}

/// Sections somebody asked for, there or not, and those above them.
std::vector<std::string_view> Document::known_sections() const {
  std::vector<std::string_view> paths;
  const auto add_with_parents = [&](std::string_view path) {
    for (std::size_t end = path.find('.'); end != std::string_view::npos; end = path.find('.', end + 1)) {
      add_once(paths, path.substr(0, end));
    }
    add_once(paths, path);
  };
  for (const Section& section : sections_) {
    if (section.known_ && !section.path.empty()) add_with_parents(section.path);
  }
  for (const Section& section : absent_) add_with_parents(section.path);
  return paths;
}

void Document::reject(const Section& section, const Entry& entry) const {
  const std::string key = '`' + entry.key + '`';
  const std::string cause = "unknown key " + key + " in " + bracketed(section.path);
  const std::string own_path = section.name_of(entry.key);
  const auto sections = known_sections();
  if (std::ranges::find(sections, own_path) != sections.end()) {
    throw InputError(entry.where, own_path + " is a value, but a section is needed",
                     "write [" + own_path + "] on a line of its own, and its keys below it");
  }

  std::vector<std::string> owners;
  const auto note_owner = [&](const Section& other) {
    const auto keys = known_keys(other);
    if (&other == &section || std::ranges::find(keys, entry.key) == keys.end()) return;
    owners.push_back(bracketed(other.path));
  };
  for (const Section& other : sections_) note_owner(other);
  for (const Section& other : absent_) note_owner(other);
  constexpr std::size_t most_owners = 3;  // a key at home everywhere ("kind") says nothing
  if (!owners.empty() && owners.size() <= most_owners) {
    throw InputError(
        entry.where, cause,
        key + " belongs in " + alternatives({owners.begin(), owners.end()}) + "; move or remove it");
  }

  const auto keys = known_keys(section);
  if (const std::string_view near = nearest(entry.key, keys); !near.empty()) {
    throw InputError(entry.where, cause, "did you mean `" + std::string(near) + "`?");
  }
  std::string fix = "remove it";
  if (!keys.empty()) fix += "; keys used here are " + alternatives(keys);
  throw InputError(entry.where, cause, fix);
}

void Document::reject(const Section& section) const {
  const std::string_view path = section.path;
  const std::size_t dot = path.rfind('.');
  const std::string_view parent = dot == std::string_view::npos ? "" : path.substr(0, dot);
  const std::string_view last = dot == std::string_view::npos ? path : path.substr(dot + 1);

  if (const Section* above = lookup(parent)) {
    const auto keys = known_keys(*above);
    if (std::ranges::find(keys, last) != keys.end()) {
      throw InputError(
          section.where, section.path + " is a table, but a value is needed",
          "write " + std::string(last) + " = VALUE; a list with a unit is { values = […], unit = \"…\" }");
    }
  }
  const auto known = known_sections();
  const bool in_array =
      !last.empty() && std::ranges::all_of(last, [](char c) { return c >= '0' && c <= '9'; });
  if (in_array && std::ranges::find(known, parent) != known.end()) {
    const std::string base(parent);
    throw InputError(section.where, "[[" + base + "]] is a list of tables, but only one is used",
                     "write [" + base + "] with single brackets, once");
  }
  const std::string cause = "unknown section " + bracketed(path);
  if (const std::string_view near = nearest(path, known); !near.empty()) {
    throw InputError(section.where, cause, "did you mean " + bracketed(near) + "?");
  }
  std::string fix = "remove it";
  if (!known.empty()) fix += "; sections used here are " + alternatives(known);
  throw InputError(section.where, cause, fix);
}

void Document::reject_unknown() const {
  for (const Section& section : sections_) {
    const bool known = section.known_ || section.path.empty() ||
                       (section.entries.empty() && std::ranges::any_of(sections_, [&](const Section& other) {
                          return other.known_ && is_below(other.path, section.path);
                        }));
    if (!known) reject(section);
    for (const Entry& entry : section.entries) {
      if (!entry.used) reject(section, entry);
    }
  }
}

}  // namespace gusset

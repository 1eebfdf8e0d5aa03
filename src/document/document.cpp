#include "document/document.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "document/document_parse.hpp"

namespace gusset {
namespace {

/// "a.b.c" is section "a.b", key "c".
std::pair<std::string_view, std::string_view> split(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {{}, path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// The number of a table in an array of tables, or 0 if it is a name.
std::size_t index_of(std::string_view component) {
  std::size_t index = 0;
  const char* last = component.data() + component.size();
  const auto [end, problem] = std::from_chars(component.data(), last, index);
  return problem == std::errc() && end == last ? index : 0;
}

bool is_path(std::string_view path) {
  while (true) {
    const auto [section, key] = split(path);
    if (!detail::is_key(key)) return false;
    if (key.size() == path.size()) return true;
    path = section;
  }
}

}  // namespace

Document Document::parse(std::string_view text, std::string name) {
  Document document;
  document.sections_ = detail::flatten_toml(text, name);
  document.text_ = text;
  document.name_ = std::move(name);
  return document;
}

const Section* Document::lookup(std::string_view path) const {
  for (const Section& section : sections_) {
    if (section.path == path) return &section;
  }
  return nullptr;
}

const Section* Document::only(std::string_view path) const {
  if (const Section* section = lookup(path)) return section;
  const std::string first = std::string(path) + ".1";
  const Section* section = lookup(first);
  return section != nullptr && count(path) == 1 ? section : nullptr;
}

std::size_t Document::count(std::string_view path) const {
  std::size_t found = 0;
  while (lookup(std::string(path) + '.' + std::to_string(found + 1))) ++found;
  return found;
}

const Section& Document::absent(std::string_view path) const {
  for (const Section& section : absent_) {
    if (section.path == path) return section;
  }
  Section& section = absent_.emplace_back();
  section.path = path;
  section.where.file = name_;
  section.absent_ = true;
  section.tracking_ = tracking_;
  if (!tracking_) return section;
  for (const Section& other : sections_) {
    const std::string line = " on line " + std::to_string(other.where.line);
    if (other.path == section.path + ".1") {
      section.where = other.where;
      section.hint_ =
          "only one is expected, so write [" + section.path + "] instead of [[" + section.path + "]]" + line;
    } else if (const std::size_t distance = edit_distance(other.path, path);
               !other.known_ && distance <= 2 && 3 * distance <= path.size()) {
      section.hint_ = "or is [" + other.path + "]" + line + " a misspelling of it?";
    }
  }
  return section;
}

const Section& Document::section(std::string_view path) const {
  const Section* section = only(path);
  if (!section) return absent(path);
  if (tracking_) section->known_ = true;
  return *section;
}

bool Document::has_section(std::string_view path) const {
  const Section& found = section(path);
  return !found.absent_;
}

std::vector<const Section*> Document::sections(std::string_view path) const {
  if (lookup(path)) return {&section(path)};
  std::vector<const Section*> result;
  const std::size_t number = count(path);
  for (std::size_t i = 1; i <= number; ++i) {
    result.push_back(&section(std::string(path) + '.' + std::to_string(i)));
  }
  if (result.empty()) absent(path);
  return result;
}

const Value* Document::find(std::string_view path) const {
  const auto [section_path, key] = split(path);
  const Section* section = only(section_path);
  const Entry* entry = section ? section->lookup(key) : nullptr;
  return entry ? &entry->value : nullptr;
}

void Document::set_number(std::string_view path, double value, const Dimension& dimension) {
  const bool finite = std::isfinite(value);
  if (const Value* existing = finite ? find(path) : nullptr) {
    // The document is ours to change; find() is const only so that readers can share it.
    Value& target = const_cast<Value&>(*existing);
    target.kind = dimension == dim::none ? Value::Kind::number : Value::Kind::quantity;
    target.number = value;
    target.dimension = dimension;
    target.text.clear();
    target.numbers.clear();
    target.texts.clear();
    target.rows = 0;
    target.unit_problem.clear();
    return;
  }
  const Where where{std::string(path), 0, 0};
  if (!finite) throw InputError(where, "the value is not a finite number", "give a finite one");
  if (!is_path(path)) {
    throw InputError(where, "not a key", "write section.key, as in specimen.mass_ratio");
  }
  const auto [section_path, key] = split(path);
  Entry entry{.key = std::string(key), .value = {}, .where = where};
  entry.value.kind = dimension == dim::none ? Value::Kind::number : Value::Kind::quantity;
  entry.value.number = value;
  entry.value.dimension = dimension;
  put(open(section_path, where), std::move(entry));
}

void Document::set(std::string_view assignment) {
  const Where where{"--set " + std::string(assignment), 0, 0};
  const std::size_t equals = assignment.find('=');
  const std::string_view path = trimmed(assignment.substr(0, equals));
  if (equals == std::string_view::npos || !is_path(path)) {
    throw InputError(where, "not an assignment to a key",
                     "write --set section.key=value, as in --set specimen.mass_ratio=0.5");
  }
  const std::string_view value = trimmed(assignment.substr(equals + 1));
  if (value.empty()) {
    throw InputError(where, "no value after '='",
                     "write --set " + std::string(path) + "=VALUE; an empty text is \"\"");
  }
  const std::deque<Section> flat = detail::flatten_assignment(path, value, where.file);
  const auto apply = [&](Document& document) {
    for (const Section& source : flat) {
      const bool only_on_the_way = source.entries.empty() && source.path != path;
      if (only_on_the_way) continue;
      Section& target = document.open(source.path, where);
      for (const Entry& entry : source.entries) document.put(target, entry);
    }
  };
  Document trial = *this;  // all or nothing: a bad key must not leave half of a table behind
  apply(trial);
  apply(*this);
  assignments_.emplace_back(assignment);
}

/// The section to write to; makes it, and refuses what the file could not have said either.
Section& Document::open(std::string_view path, const Where& where) {
  if (const Section* existing = only(path)) return const_cast<Section&>(*existing);
  const std::string name(path);
  if (count(path) > 0) {
    throw InputError(where, name + " is a list of tables",
                     "name one of them: " + name + ".1 to " + name + '.' + std::to_string(count(path)));
  }
  auto [parent, last] = split(path);
  if (const std::size_t index = index_of(last); index > 0 && !parent.empty()) {
    const std::string base(parent);
    if (lookup(base)) {
      throw InputError(where, "there is one [" + base + "], not a list of tables",
                       "write " + base + ".key without a number");
    }
    if (const std::size_t present = count(base); index != present + 1) {
      throw InputError(
          where, "there is no " + name + ": the file has " + std::to_string(present) + " [[" + base + "]]",
          "the next one would be " + base + '.' + std::to_string(present + 1));
    }
    std::tie(parent, last) = split(parent);
  }
  if (const Section& above = open(parent, where); above.lookup(last)) {
    throw InputError(where, above.name_of(last) + " is a value, not a section",
                     "write --set " + above.name_of(last) + "=VALUE");
  }
  Section& section = sections_.emplace_back();
  section.path = path;
  section.where = where;
  section.tracking_ = tracking_;
  return section;
}

void Document::put(Section& section, Entry entry) {
  const std::string name = section.name_of(entry.key);
  if (lookup(name) || count(name) > 0) {
    throw InputError(entry.where, name + " is a section, not a value",
                     "name a key in it: --set " + name + ".key=value");
  }
  for (Entry& existing : section.entries) {
    if (existing.key != entry.key) continue;
    existing = std::move(entry);
    return;
  }
  section.entries.push_back(std::move(entry));
}

void Document::stop_tracking() {
  tracking_ = false;
  for (Section& section : sections_) section.tracking_ = false;
  for (Section& section : absent_) section.tracking_ = false;
}

}  // namespace gusset

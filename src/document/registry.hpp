#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.hpp"
#include "document/parameter.hpp"

namespace gusset {

/// The line of a table of kinds that `kind = "…"` of the section names; an unknown name is an error
/// with the nearest one. An empty fallback makes the key compulsory; `also` is a name that the caller
/// has dealt with, for the list in the message.
template <class Kind>
const Kind& find_kind(const std::vector<const Kind*>& kinds, const Section& section,
                      std::string_view fallback = {}, std::string_view also = {}) {
  // The common case first, without building a list of names: maps come here 1e5 times a second.
  if (const Entry* entry = section.find("kind")) {
    for (const Kind* kind : kinds) {
      if (entry->value.text == kind->name) return *kind;
    }
  }
  std::vector<std::string_view> names;
  for (const Kind* kind : kinds) names.emplace_back(kind->name);
  if (!also.empty()) names.push_back(also);
  const auto name = section.choice("kind", names, fallback);
  for (const Kind* kind : kinds) {
    if (name == kind->name) return *kind;
  }
  return *kinds.front();
}

/// A kind that a program brings along, behind those of the table. Its name must be new.
template <class Kind>
void add_to(std::vector<const Kind*>& kinds, const Kind& kind) {
  for (const Kind* other : kinds) {
    if (std::string_view(other->name) == kind.name) {
      throw std::logic_error("there is a kind \"" + std::string(kind.name) + "\" already");
    }
  }
  kinds.push_back(&kind);
}
template <class Kind>
void remove_from(std::vector<const Kind*>& kinds, const Kind& kind) {
  kinds.erase(std::remove(kinds.begin(), kinds.end(), &kind), kinds.end());
}

/// A kind of one's own, in its table for as long as this lives: for programs that link the library. Made
/// before an experiment with that kind is opened, by one thread.
template <class Kind>
class AddedKind {
 public:
  explicit AddedKind(const Kind& kind) : kind_(kind) { add_kind(kind); }
  ~AddedKind() { remove_kind(kind_); }
  AddedKind(const AddedKind&) = delete;
  AddedKind& operator=(const AddedKind&) = delete;

 private:
  const Kind& kind_;
};

}  // namespace gusset

#pragma once

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

}  // namespace gusset

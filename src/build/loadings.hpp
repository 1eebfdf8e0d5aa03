#pragma once

#include <vector>

#include "document/registry.hpp"

namespace gusset {

class Builder;

/// A line of the table of loadings: how motion and loads of the structure become goals of the channels, which
/// is what `method.kind` names.
struct LoadingKind {
  const char* name;
  const char* summary;
  const char* equations;
  std::vector<Parameter> parameters;  ///< of [method]
  void (*read)(Builder&);             ///< reads specimens, numerical part, loading and rigs into the parts
};

const std::vector<const LoadingKind*>& loading_kinds();

}  // namespace gusset

#pragma once

#include <string>

namespace gusset {

/// "2026-01-31T12:00:00Z".
std::string now_utc();

/// The machine and the build, as one JSON object: host, system, processor, cores, compiler.
std::string environment_json();

}  // namespace gusset

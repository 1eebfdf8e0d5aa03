#pragma once

#include <string>

#include "runs/run.hpp"

namespace gusset::app {

/// Reads a run file, and says on standard error where nothing vouches for what is in it. Throws InputError.
Run open_run(const std::string& path);

}  // namespace gusset::app

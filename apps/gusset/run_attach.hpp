#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace gusset::app {

/// `gusset run --attach RUN.h5`: a look at a test that runs in another process, or a command to it.
struct AttachOptions {
  std::string run;
  bool status = false, hold = false, resume = false, stop = false, at_once = false;

  bool wanted() const { return !run.empty(); }
  void add_to(CLI::App& command);
};

int attach(const AttachOptions& options, bool json);

}  // namespace gusset::app

#pragma once

#include <string>

#include "common.hpp"

namespace gusset::app {

/// `check --loop`: the stages of a test in the order in which they run.
struct LoopOptions {
  bool loop = false, force = false;
  std::string svg;

  void add_to(CLI::App& command);
};

/// Prints the loop, or writes its picture; the exit status.
int show_loop(const LoopOptions& options, const ExperimentOptions& experiment);

}  // namespace gusset::app

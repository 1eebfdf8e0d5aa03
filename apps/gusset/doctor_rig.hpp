#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gusset::app {

/// `gusset doctor [FILE] --rig URL`.
struct RigDoctorOptions {
  std::string file, url, key, silence = "1.5 s";
  std::vector<std::string> assignments, amounts;
  bool arm = false, try_nan = false;

  void add_to(CLI::App& command);
};

/// Examines the rig and prints what it does right and wrong. Returns the exit status; throws InputError.
int examine_rig_for(const RigDoctorOptions& options, bool json);

}  // namespace gusset::app

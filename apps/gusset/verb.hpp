#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <vector>

namespace gusset::app {

// Exit status of every verb.
inline constexpr int good = 0;       ///< done, and the answer is good
inline constexpr int bad = 1;        ///< done, and the answer is bad: unstable, limit passed
inline constexpr int bad_input = 2;  ///< bad input or usage

/// A sub-command: one file each, one line in the table of main.cpp. What the file keeps to itself stands
/// in a namespace called after it, so that several can be compiled as one (see GUSSET_PRECOMPILE).
struct Verb {
  const char* name;
  const char* summary;
  const char* details;  ///< shown below the options by --help: examples, exit status
  /// Adds the options and returns what runs once they are parsed; it returns the exit status.
  std::function<int()> (*add)(CLI::App& command);
};

extern const Verb list_verb;
extern const Verb check_verb;
extern const Verb analyze_verb;
extern const Verb map_verb;
extern const Verb bode_verb;
extern const Verb simulate_verb;
extern const Verb export_verb;
extern const Verb reference_verb;
extern const Verb identify_verb;
extern const Verb run_verb;
extern const Verb rig_verb;
extern const Verb replay_verb;
extern const Verb record_verb;
extern const Verb response_verb;
extern const Verb split_verb;
extern const Verb report_verb;
extern const Verb compare_verb;
extern const Verb reproduce_verb;
extern const Verb completion_verb;
extern const Verb recover_verb;
extern const Verb doctor_verb;

}  // namespace gusset::app

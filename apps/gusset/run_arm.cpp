#include "run_arm.hpp"

#include <poll.h>
#include <unistd.h>

#include <iostream>

#include "base/error.hpp"
#include "common.hpp"

namespace gusset::app {

bool operator_arms(const Test& test, const std::string& checklist, bool arm) {
  if (!arm && isatty(STDIN_FILENO) == 0) {
    throw InputError({"--rig", 0, 0}, "the rig is real, and nobody has armed the test",
                     "add --arm once the laboratory is clear, or start it on a terminal");
  }
  std::cerr << checklist << '\n';
  if (arm) return true;
  std::cerr
      << "The rig is real. This test reads where it stands, moves it to where the test starts, runs for "
      << readable(test.duration, "s") << " and moves it back.\n";
  std::cerr << "Type arm and press Enter to go on; anything else ends it: " << std::flush;
  std::string line;
  std::getline(std::cin, line);
  return line == "arm";
}

}  // namespace gusset::app

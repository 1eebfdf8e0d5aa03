#include "run_arm.hpp"

#include <poll.h>
#include <unistd.h>

#include <iostream>

#include "base/error.hpp"
#include "common.hpp"

namespace gusset::app {

bool operator_arms(const Experiment& experiment, double duration, bool arm) {
  if (arm) return true;
  if (isatty(STDIN_FILENO) == 0) {
    throw InputError({"--rig", 0, 0}, "the rig is real, and nobody has armed the test",
                     "add --arm once the laboratory is clear, or start it on a terminal");
  }
  std::cerr
      << "The rig is real. This test reads where it stands, moves it to where the test starts, runs for "
      << readable(duration, "s") << " and moves it back:\n";
  for (const Channel& channel : experiment.channels()) {
    const Limits& limits = channel.limits;
    std::cerr << "  " << channel.name() << ": ";
    const auto say = [](const char* what, const std::optional<double>& limit, const char* unit) {
      if (limit) std::cerr << what << " up to " << readable(*limit, unit) << "  ";
    };
    say("displacement", limits.displacement, "m");
    say("velocity", limits.velocity, "m/s");
    say("force", limits.force, "N");
    std::cerr << '\n';
  }
  std::cerr << "Type arm and press Enter to go on; anything else ends it: " << std::flush;
  std::string line;
  std::getline(std::cin, line);
  return line == "arm";
}

}  // namespace gusset::app

#include "rig/assembly.hpp"

namespace gusset {

std::vector<Signal> actuator_signals() {
  return {{"measured", "m"}, {"force", "N"}, {"velocity", "m/s"}, {"acceleration", "m/s^2"}};
}

}  // namespace gusset

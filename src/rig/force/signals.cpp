#include "rig/force/signals.hpp"

#include <numbers>

namespace gusset {

std::vector<Signal> actuator_signals() {
  return {{"measured", "m"}, {"force", "N"}, {"velocity", "m/s"}, {"acceleration", "m/s^2"}};
}

std::vector<Signal> table_signals() {
  return {{"measured", "m/s^2"}, {"displacement", "m"}, {"velocity", "m/s"}};
}

TableStroke read_table_stroke(const Section& table) {
  return {table.positive("highpass", dim::frequency, 0.5 * 2 * std::numbers::pi),
          table.non_negative("highpass_damping", dim::none, std::numbers::sqrt2 / 2)};
}

}  // namespace gusset

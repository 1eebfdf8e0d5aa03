#include "supervise/guard.hpp"

#include <cmath>

namespace gusset {

bool beyond(double value, const std::optional<double>& limit) noexcept {
  return limit && !(std::abs(value) <= *limit);
}

Cause check_command(const Guard& guard, const Command& command) noexcept {
  if (!std::isfinite(command.value) || !std::isfinite(command.rate) || !std::isfinite(command.curvature) ||
      !std::isfinite(command.start_rate)) {
    return Cause::non_finite;
  }
  if (guard.force_control) {
    return beyond(command.value, guard.own) ? guard.own_cause : Cause::none;
  }
  if (beyond(command.value, guard.displacement)) return Cause::stroke;
  if (beyond(command.rate, guard.velocity)) return Cause::velocity;
  if (beyond(command.curvature, guard.acceleration)) return Cause::acceleration;
  return Cause::none;
}

bool too_fast(const Guard& guard, double distance, double seconds) noexcept {
  constexpr double rounding = 1 + 1e-9;
  return !guard.force_control && guard.velocity &&
         !(std::abs(distance) <= *guard.velocity * seconds * rounding);
}

}  // namespace gusset

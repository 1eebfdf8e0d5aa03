#pragma once

#include <optional>

#include "base/channel.hpp"
#include "base/motion.hpp"
#include "supervise/cause.hpp"

namespace gusset {

/// How far a channel may go, whoever asks. One a channel.
struct Guard {
  bool force_control = false;     ///< the command is no displacement: a force, or an acceleration
  Cause own_cause = Cause::none;  ///< then: what the command itself may break,
  std::optional<double> own;      ///< and where
  std::optional<double> displacement, velocity, acceleration, force;
  std::optional<double> tracking_error, energy;
  std::optional<double> force_error;  ///< between target and measured force, in force control
  std::optional<double> tare;         ///< largest force at rest that may be tared away
};

/// What a command would break, `none` if it is allowed. @rt-safe
Cause check_command(const Guard& guard, const Command& command) noexcept;

/// Whether going `distance` in `seconds` would break the velocity's limit, whatever velocity the command
/// itself announces. @rt-safe
bool too_fast(const Guard& guard, double distance, double seconds) noexcept;

/// Beyond a limit, if there is one; NaN is beyond every limit. @rt-safe
bool beyond(double value, const std::optional<double>& limit) noexcept;

}  // namespace gusset

#pragma once

#include <cstdint>

namespace gusset {

/// What a limit does when it is passed, in order of severity.
enum class Action : std::uint8_t { none, indicate, hold, ramp_down, interlock };

inline const char* name_of(Action action) {
  constexpr const char* names[] = {"none", "indicate", "hold", "ramp-down", "interlock"};
  return names[static_cast<int>(action)];
}

}  // namespace gusset

#pragma once

#include <cstdint>

namespace gusset {

/// What an event led to, in the order of severity. The numbers stand in raw recordings.
enum class Severity : std::uint8_t {
  information = 0,
  indicate = 1,
  hold = 2,
  ramp_down = 3,
  interlock = 4,
};

inline const char* to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::information: return "information";
    case Severity::indicate: return "indicate";
    case Severity::hold: return "hold";
    case Severity::ramp_down: return "ramp-down";
    case Severity::interlock: return "interlock";
  }
  return "unknown";
}

}  // namespace gusset

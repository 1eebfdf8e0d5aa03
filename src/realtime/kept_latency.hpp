#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gusset {

/// How late this machine wakes a loop, measured for long enough to mean something, and kept: in
/// $XDG_STATE_HOME/gusset/latency.json (~/.local/state without that).
struct KeptLatency {
  std::string machine;     ///< name of the machine
  std::string kernel;      ///< release and version
  double seconds = 0;      ///< measured for this long
  std::int64_t worst = 0;  ///< [ns]
  std::string when;        ///< date of the measurement, UTC
};

inline constexpr double least_measured = 120;  ///< [s] less is not kept, and does not count

/// "5 min", "90 s".
std::string in_words(double seconds);

/// This machine under this kernel, nothing measured yet.
KeptLatency this_machine();
/// The measurement of this machine and kernel; nothing if there is none, or it was too short.
std::optional<KeptLatency> kept_latency();
/// Keeps a measurement. False if it is too short to be kept, or cannot be written.
bool keep_latency(const KeptLatency& measured);

}  // namespace gusset

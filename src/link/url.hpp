#pragma once

#include <cstdint>
#include <string>

namespace gusset {

/// Where a rig is: "local:", "shm:NAME", "udp://host:port", "tcp://host:port", "plugin:/path.so",
/// "memory:PATH".
struct Url {
  std::string text;  ///< as given
  std::string scheme;
  std::string name;  ///< of the memory, or path of the library
  std::string host;  ///< numeric or a name
  std::uint16_t port = 0;
};

/// Throws InputError naming `option` and what would be right.
Url parse_url(const std::string& text, const std::string& option);

}  // namespace gusset

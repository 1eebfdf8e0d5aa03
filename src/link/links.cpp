// The table of links: one line a scheme.

#include <ctime>

#include "base/error.hpp"
#include "link/link.hpp"
#include "link/plugin.hpp"
#include "link/shm.hpp"
#include "link/tcp.hpp"
#include "link/udp.hpp"

namespace gusset {

std::int64_t monotonic_now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1'000'000'000 * static_cast<std::int64_t>(now.tv_sec) + now.tv_nsec;
}

std::unique_ptr<Link> connect_link(const Url& url, const Hello& mine, const LinkOptions& options) {
  if (url.scheme == "shm") return connect_shm(url, mine, options);
  if (url.scheme == "udp") return connect_udp(url, mine, options);
  if (url.scheme == "tcp") return connect_tcp(url, mine, options);
  if (url.scheme == "plugin") return connect_plugin(url, mine, options);
  throw InputError({"--rig", 0, 0}, url.scheme + ": cannot be called", "name a rig that listens");
}

std::unique_ptr<ServerLink> listen_link(const Url& url, const Hello& mine, const LinkOptions& options) {
  if (url.scheme == "shm") return listen_shm(url, mine, options);
  if (url.scheme == "udp") return listen_udp(url, mine, options);
  if (url.scheme == "tcp") return listen_tcp(url, mine, options);
  throw InputError({"--listen", 0, 0}, "a rig cannot listen at " + url.scheme + ":",
                   "write shm:NAME, udp://127.0.0.1:7400 or tcp://127.0.0.1:7400");
}

}  // namespace gusset

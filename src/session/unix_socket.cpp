#include "session/unix_socket.hpp"

#include <fcntl.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace gusset {

UnixPath::UnixPath(std::string path) : path_(std::move(path)) {}

template <class Call>
int UnixPath::with_address(Call call) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string name = path_;
  Socket folder;  // a file descriptor
  if (name.size() >= sizeof address.sun_path) {
    const std::filesystem::path path(path_);
    const std::string parent = path.has_parent_path() ? path.parent_path().string() : ".";
    folder = Socket(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return errno;
    name = "/proc/self/fd/" + std::to_string(folder.get()) + "/" + path.filename().string();
    if (name.size() >= sizeof address.sun_path) return ENAMETOOLONG;
  }
  std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
  return call(reinterpret_cast<const sockaddr*>(&address), socklen_t{sizeof address}) == 0 ? 0 : errno;
}

int UnixPath::bind(int socket) const {
  return with_address([&](const sockaddr* address, socklen_t size) { return ::bind(socket, address, size); });
}

int UnixPath::connect(int socket) const {
  return with_address(
      [&](const sockaddr* address, socklen_t size) { return ::connect(socket, address, size); });
}

Peer peer_of(int socket) {
  ucred facts{};
  socklen_t size = sizeof facts;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &facts, &size) != 0) return {};
  return {facts.pid, static_cast<int>(facts.uid)};
}

}  // namespace gusset

#pragma once

#include <string>

#include "link/socket.hpp"

namespace gusset {

/// A Unix-domain socket in the file system, its path of any length: beyond the 107 bytes of an address it is
/// reached through the open folder (/proc/self/fd).
class UnixPath {
 public:
  explicit UnixPath(std::string path);
  const std::string& path() const { return path_; }

  /// 0 or the error.
  int bind(int socket) const;
  int connect(int socket) const;

 private:
  template <class Call>
  int with_address(Call call) const;

  std::string path_;
};

/// Who is at the other end, as the kernel knows it.
struct Peer {
  int pid = 0, uid = -1;
};
Peer peer_of(int socket);

}  // namespace gusset

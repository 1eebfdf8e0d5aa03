#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>

#include "link/link.hpp"

namespace gusset {

/// An Internet address of either family.
struct Address {
  sockaddr_storage storage{};
  socklen_t size = sizeof(sockaddr_storage);

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  bool loopback() const;
  std::uint16_t port() const;
  friend bool operator==(const Address& a, const Address& b);
};

/// The address that the URL names. Throws InputError naming `option`.
Address resolve(const Url& url, const std::string& option);

/// Beyond this machine nobody may move anything without the shared key.
void require_key(const Url& url, const Address& address, const LinkOptions& options,
                 const std::string& option);

/// A file descriptor that is closed at the end.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int file) : file_(file) {}
  Socket(Socket&& other) noexcept : file_(other.file_) { other.file_ = -1; }
  Socket& operator=(Socket&& other) noexcept;
  ~Socket();
  int get() const { return file_; }
  explicit operator bool() const { return file_ >= 0; }
  void reset();

 private:
  int file_ = -1;
};

/// Non-blocking. Throws InputError naming `option` if it cannot be made.
Socket make_socket(const Address& address, int type, const std::string& option, const Url& url);

/// Waits for input on either (negative: none) until CLOCK_MONOTONIC shows `until`. @rt-safe
void poll_until(int first, int second, std::int64_t until) noexcept;
/// On any of them. @rt-safe
void poll_until(pollfd* files, std::size_t count, std::int64_t until) noexcept;

}  // namespace gusset

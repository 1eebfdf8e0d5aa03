#include "link/socket.hpp"

#include <netdb.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "link/futex.hpp"

namespace gusset {

bool Address::loopback() const {
  if (storage.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage);
    return (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage);
  return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr) != 0;
}

std::uint16_t Address::port() const {
  if (storage.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port);
}

bool operator==(const Address& a, const Address& b) {
  if (a.storage.ss_family != b.storage.ss_family || a.port() != b.port()) return false;
  if (a.storage.ss_family == AF_INET) {
    return reinterpret_cast<const sockaddr_in&>(a.storage).sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in&>(b.storage).sin_addr.s_addr;
  }
  return std::memcmp(&reinterpret_cast<const sockaddr_in6&>(a.storage).sin6_addr,
                     &reinterpret_cast<const sockaddr_in6&>(b.storage).sin6_addr, sizeof(in6_addr)) == 0;
}

Address resolve(const Url& url, const std::string& option) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = url.scheme == "tcp" ? SOCK_STREAM : SOCK_DGRAM;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(url.host.c_str(), std::to_string(url.port).c_str(), &hints, &list);
  if (error != 0 || list == nullptr) {
    throw InputError({option, 0, 0}, "there is no host \"" + url.host + "\": " + gai_strerror(error),
                     "write a name or a number, e.g. " + url.scheme + "://127.0.0.1:7400");
  }
  Address address;
  std::memcpy(&address.storage, list->ai_addr, list->ai_addrlen);
  address.size = list->ai_addrlen;
  freeaddrinfo(list);
  return address;
}

void require_key(const Url& url, const Address& address, const LinkOptions& options,
                 const std::string& option) {
  if (!options.key.empty() && options.key.size() < 16) {
    throw InputError({"--key", 0, 0}, "the shared key has fewer than 16 bytes",
                     "make one with: head -c 32 /dev/urandom > key");
  }
  if (address.loopback() || !options.key.empty()) return;
  throw InputError({option, 0, 0}, url.text + " is not on this machine, and anybody there could move the rig",
                   "give both ends the same key with --key FILE (head -c 32 /dev/urandom > FILE), or "
                   "use 127.0.0.1");
}

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}
Socket::~Socket() { reset(); }
void Socket::reset() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

Socket make_socket(const Address& address, int type, const std::string& option, const Url& url) {
  Socket made(::socket(address.storage.ss_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!made) {
    throw InputError({option, 0, 0}, url.text + ": " + std::strerror(errno), "check the address");
  }
  return made;
}

void poll_until(int first, int second, std::int64_t until) noexcept {
  pollfd files[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  poll_until(files, 2, until);
}

void poll_until(pollfd* files, std::size_t count, std::int64_t until) noexcept {
  const timespec wait = to_timespec(until - monotonic_now());
  ppoll(files, count, &wait, nullptr);
}

}  // namespace gusset

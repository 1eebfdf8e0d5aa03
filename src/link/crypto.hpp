#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gusset {

/// Eight random bytes of the system.
std::uint64_t random_number();

/// HMAC-SHA-256 of frames (RFC 2104). Both keyed hash states are made once: signing then only copies
/// them, and neither allocates nor locks, which OpenSSL's own HMAC does for each message.
class Hmac {
 public:
  static constexpr std::size_t size = 32;
  using Digest = std::array<unsigned char, size>;

  explicit Hmac(std::string_view key);
  Digest sign(const void* bytes, std::size_t count) const noexcept;  ///< @rt-safe
  /// In constant time. @rt-safe
  bool verify(const void* bytes, std::size_t count, const unsigned char* digest) const noexcept;

 private:
  static constexpr std::size_t state_size = 128;  ///< room for a SHA256_CTX
  alignas(8) std::array<unsigned char, state_size> inner_, outer_;
};

}  // namespace gusset

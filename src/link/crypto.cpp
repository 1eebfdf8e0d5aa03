// The SHA256_* functions are deprecated in OpenSSL 3 in favour of an interface that allocates for each
// message; they are what a real-time thread can use.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "link/crypto.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <cstring>
#include <stdexcept>

namespace gusset {

std::uint64_t random_number() {
  std::uint64_t number = 0;
  if (RAND_bytes(reinterpret_cast<unsigned char*>(&number), sizeof number) != 1) {
    throw std::runtime_error("the system gives no random numbers");
  }
  return number;
}

Hmac::Hmac(std::string_view key) {
  static_assert(sizeof(SHA256_CTX) <= state_size && Hmac::size == SHA256_DIGEST_LENGTH);
  unsigned char block[SHA256_CBLOCK] = {};
  if (key.size() > sizeof block) {
    SHA256(reinterpret_cast<const unsigned char*>(key.data()), key.size(), block);
  } else {
    std::memcpy(block, key.data(), key.size());
  }
  const auto prepare = [&](unsigned char pad, unsigned char* state) {
    unsigned char padded[SHA256_CBLOCK];
    for (std::size_t i = 0; i < sizeof block; ++i) {
      padded[i] = static_cast<unsigned char>(block[i] ^ pad);
    }
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, padded, sizeof padded);
    std::memcpy(state, &context, sizeof context);
  };
  prepare(0x36, inner_.data());
  prepare(0x5c, outer_.data());
}

Hmac::Digest Hmac::sign(const void* bytes, std::size_t count) const noexcept {
  SHA256_CTX context;
  Digest digest;
  std::memcpy(&context, inner_.data(), sizeof context);
  SHA256_Update(&context, bytes, count);
  SHA256_Final(digest.data(), &context);
  std::memcpy(&context, outer_.data(), sizeof context);
  SHA256_Update(&context, digest.data(), digest.size());
  SHA256_Final(digest.data(), &context);
  return digest;
}

bool Hmac::verify(const void* bytes, std::size_t count, const unsigned char* digest) const noexcept {
  const Digest own = sign(bytes, count);
  return CRYPTO_memcmp(own.data(), digest, own.size()) == 0;
}

}  // namespace gusset

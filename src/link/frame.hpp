#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "link/crypto.hpp"
#include "link/message.hpp"

namespace gusset {

/// The frame of udp:// and tcp://, little-endian, no padding:
///
///    0  4  "GSF1"
///    4  2  u16 version, 1
///    6  2  u16 type: 1 hello, 2 welcome, 3 refused, 4 command, 5 feedback, 6 goodbye
///    8  8  u64 session: of the rig's choice, in every frame after the welcome; in a hello the caller's
///   16  8  u64 sequence; in a welcome the number of the hello it answers
///   24  8  i64 time of the test [ns]
///   32  8  i64 step
///   40  4  i32 sub-step
///   44  4  u32 phase
///   48  4  u32 cause
///   52  4  u32 count: of the f64 that follow, or of the bytes of text (types 1 to 3)
///   56  …  payload
///    …  4  u32 CRC-32 of all bytes before
///    … 32  HMAC-SHA-256 of all bytes before; only where both ends have a key
enum class FrameType : std::uint16_t { hello = 1, welcome, refused, command, feedback, goodbye };

inline constexpr std::size_t frame_head = 56;
inline constexpr std::size_t largest_frame = 60 * 1024;  ///< one UDP datagram

struct LinkFrame {
  FrameType type = FrameType::hello;
  std::uint64_t session = 0;
  Message message;
  const unsigned char* payload = nullptr;
  std::uint32_t count = 0;

  std::string_view text() const { return {reinterpret_cast<const char*>(payload), count}; }
};

/// Writes and reads frames in a buffer of its own. @rt-safe but for the constructor.
class FrameCodec {
 public:
  explicit FrameCodec(const std::string& key);

  /// The bytes stay good until the next call.
  std::string_view encode(FrameType type, std::uint64_t session, const Message& message, const double* values,
                          std::size_t count) noexcept;
  std::string_view encode(FrameType type, std::uint64_t session, const Message& message,
                          std::string_view text) noexcept;

  /// A whole frame, nothing before or after it; false for anything else, a wrong signature included.
  bool decode(const unsigned char* bytes, std::size_t size, LinkFrame& frame) const noexcept;
  /// How many bytes the frame that begins here has; 0 if more of it is needed to know, and more than
  /// largest_frame if it is no frame.
  std::size_t size_of(const unsigned char* bytes, std::size_t size) const noexcept;

 private:
  std::string_view seal(std::size_t size) noexcept;
  void head(FrameType type, std::uint64_t session, const Message& message, std::uint32_t count) noexcept;

  std::vector<unsigned char> buffer_;
  std::optional<Hmac> hmac_;
};

}  // namespace gusset

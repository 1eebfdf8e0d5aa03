#include "link/frame.hpp"

#include <bit>
#include <cstring>

#include "runs/seal.hpp"

namespace gusset {
namespace {

static_assert(std::endian::native == std::endian::little, "frames are written as they lie in memory");

constexpr char magic[5] = "GSF1";
constexpr std::uint16_t frame_version = 1;

template <class T>
void put(unsigned char* at, T value) noexcept {
  std::memcpy(at, &value, sizeof value);
}
template <class T>
T get(const unsigned char* at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

bool has_text(FrameType type) {
  return type == FrameType::hello || type == FrameType::welcome || type == FrameType::refused;
}

std::uint32_t crc_of(const unsigned char* bytes, std::size_t size) noexcept {
  return crc32({reinterpret_cast<const char*>(bytes), size});
}

}  // namespace

FrameCodec::FrameCodec(const std::string& key) : buffer_(largest_frame) {
  if (!key.empty()) hmac_.emplace(key);
}

void FrameCodec::head(FrameType type, std::uint64_t session, const Message& message,
                      std::uint32_t count) noexcept {
  unsigned char* b = buffer_.data();
  std::memcpy(b, magic, 4);
  put(b + 4, frame_version);
  put(b + 6, static_cast<std::uint16_t>(type));
  put(b + 8, session);
  put(b + 16, message.sequence);
  put(b + 24, message.time);
  put(b + 32, message.step);
  put(b + 40, message.substep);
  put(b + 44, static_cast<std::uint32_t>(message.phase));
  put(b + 48, message.cause);
  put(b + 52, count);
}

std::string_view FrameCodec::seal(std::size_t size) noexcept {
  put(buffer_.data() + size, crc_of(buffer_.data(), size));
  size += 4;
  if (hmac_) {
    const Hmac::Digest digest = hmac_->sign(buffer_.data(), size);
    std::memcpy(buffer_.data() + size, digest.data(), digest.size());
    size += digest.size();
  }
  return {reinterpret_cast<const char*>(buffer_.data()), size};
}

std::string_view FrameCodec::encode(FrameType type, std::uint64_t session, const Message& message,
                                    const double* values, std::size_t count) noexcept {
  head(type, session, message, static_cast<std::uint32_t>(count));
  if (count > 0) std::memcpy(buffer_.data() + frame_head, values, 8 * count);
  return seal(frame_head + 8 * count);
}

std::string_view FrameCodec::encode(FrameType type, std::uint64_t session, const Message& message,
                                    std::string_view text) noexcept {
  constexpr std::size_t most = largest_frame - frame_head - 4 - Hmac::size;
  text = text.substr(0, most);
  head(type, session, message, static_cast<std::uint32_t>(text.size()));
  std::memcpy(buffer_.data() + frame_head, text.data(), text.size());
  return seal(frame_head + text.size());
}

std::size_t FrameCodec::size_of(const unsigned char* bytes, std::size_t size) const noexcept {
  if (std::memcmp(bytes, magic, size < 4 ? size : 4) != 0) return largest_frame + 1;
  if (size < frame_head) return 0;
  const auto type = static_cast<FrameType>(get<std::uint16_t>(bytes + 6));
  const std::uint64_t count = get<std::uint32_t>(bytes + 52);
  const std::uint64_t whole = frame_head + (has_text(type) ? 1 : 8) * count + 4 + (hmac_ ? Hmac::size : 0);
  return whole > largest_frame ? largest_frame + 1 : static_cast<std::size_t>(whole);
}

bool FrameCodec::decode(const unsigned char* bytes, std::size_t size, LinkFrame& frame) const noexcept {
  if (size < frame_head + 4 || size > largest_frame || size_of(bytes, size) != size) return false;
  if (get<std::uint16_t>(bytes + 4) != frame_version) return false;
  const std::uint16_t type = get<std::uint16_t>(bytes + 6);
  if (type < 1 || type > 6) return false;
  std::size_t end = size;
  if (hmac_) {
    end -= Hmac::size;
    if (!hmac_->verify(bytes, end, bytes + end)) return false;
  }
  end -= 4;
  if (crc_of(bytes, end) != get<std::uint32_t>(bytes + end)) return false;
  frame.type = static_cast<FrameType>(type);
  frame.session = get<std::uint64_t>(bytes + 8);
  frame.message = {get<std::uint64_t>(bytes + 16),
                   get<std::int64_t>(bytes + 24),
                   get<std::int64_t>(bytes + 32),
                   get<std::int32_t>(bytes + 40),
                   static_cast<LinkPhase>(get<std::uint32_t>(bytes + 44)),
                   get<std::uint32_t>(bytes + 48)};
  frame.count = get<std::uint32_t>(bytes + 52);
  frame.payload = bytes + frame_head;
  return true;
}

}  // namespace gusset

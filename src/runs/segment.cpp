#include "runs/segment.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "runs/atomic_file.hpp"
#include "runs/seal.hpp"

namespace gusset {
namespace {

static_assert(std::endian::native == std::endian::little,
              "raw recordings are written as they stand in memory");

constexpr std::string_view magic = "GUSSEGM1";
constexpr std::size_t checked = segment_header_size - 4;

template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

template <class T>
T get(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

}  // namespace

std::string make_segment(const SegmentHeader& header, std::string_view payload) {
  std::string bytes;
  bytes.reserve(segment_header_size + payload.size());
  bytes += magic;
  put(bytes, static_cast<std::uint32_t>(header.kind));
  put(bytes, crc32(payload));
  put(bytes, header.recording);
  put(bytes, header.sequence);
  put(bytes, static_cast<std::uint64_t>(payload.size()));
  put(bytes, header.lost);
  put(bytes, header.written);
  put(bytes, std::uint32_t{0});
  put(bytes, crc32(bytes));
  bytes += payload;
  return bytes;
}

SegmentReader::SegmentReader(const std::string& path) : path_(path), file_(path, std::ios::binary) {
  file_.seekg(0, std::ios::end);
  const std::streamoff end = file_.tellg();
  if (!file_ || end < 0) {
    throw InputError({path, 0, 0}, "cannot read it", "check the path and the rights (ls -l)");
  }
  size_ = static_cast<std::uint64_t>(end);
}

bool SegmentReader::take(std::uint64_t at, SegmentHeader& header, std::string& payload) {
  if (size_ < segment_header_size || at > size_ - segment_header_size) return false;
  char raw[segment_header_size];
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(at));
  if (!file_.read(raw, sizeof raw)) return false;
  if (std::string_view(raw, magic.size()) != magic) return false;
  if (get<std::uint32_t>(raw + checked) != crc32({raw, checked})) return false;
  const auto kind = get<std::uint32_t>(raw + 8);
  if (kind < 1 || kind > 3) return false;
  header.kind = static_cast<SegmentKind>(kind);
  header.payload_checksum = get<std::uint32_t>(raw + 12);
  header.recording = get<std::uint64_t>(raw + 16);
  header.sequence = get<std::uint64_t>(raw + 24);
  header.size = get<std::uint64_t>(raw + 32);
  header.lost = get<std::uint64_t>(raw + 40);
  header.written = get<std::int64_t>(raw + 48);
  // Before memory is taken for it: it must be there.
  if (header.size > size_ - at - segment_header_size) return false;
  if (started_ && (header.recording != recording_ || header.sequence < expected_)) return false;
  payload.resize(header.size);
  if (!file_.read(payload.data(), static_cast<std::streamsize>(payload.size()))) return false;
  return crc32(payload) == header.payload_checksum;
}

/// Where the next magic stands, or the end.
std::uint64_t SegmentReader::search(std::uint64_t from) {
  std::vector<char> piece(std::size_t{1} << 20);
  while (from < size_) {
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(from));
    file_.read(piece.data(), std::ssize(piece));
    const std::string_view got(piece.data(), static_cast<std::size_t>(file_.gcount()));
    const std::size_t found = got.find(magic);
    if (found != std::string_view::npos) return from + found;
    if (got.size() < piece.size()) break;
    from += got.size() - (magic.size() - 1);  // it may straddle the pieces
  }
  return size_;
}

bool SegmentReader::next(SegmentHeader& header, std::string& payload) {
  std::uint64_t at = at_;
  while (at < size_ && !take(at, header, payload)) at = search(at + 1);
  if (at >= size_) {
    torn_ = size_ - at_;
    return false;
  }
  damaged_ += at - at_;
  missing_ += header.sequence - expected_;
  started_ = true;
  recording_ = header.recording;
  expected_ = header.sequence + 1;
  at_ = at + segment_header_size + header.size;
  return true;
}

}  // namespace gusset

#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace gusset {

// The raw recording RUN.h5.raw: segments, one after the other, each a header of 64 bytes and a
// payload. Little-endian throughout; docs/run-file.md has the table.
//
//    0  magic "GUSSEGM1"
//    8  u32 kind: 1 plan, 2 samples, 3 closing
//   12  u32 CRC-32 of the payload
//   16  u64 number of the recording, random, the same in all of its segments
//   24  u64 sequence number, from 0
//   32  u64 size of the payload in bytes
//   40  u64 records lost so far because the queue was full
//   48  i64 wall-clock time of writing [ns since 1970]
//   56  u32 zero
//   60  u32 CRC-32 of the 60 bytes before
//
// The payload of a plan and a closing is JSON (record/recording_plan.hpp). That of samples is a
// series of records of 8-byte words. In the first word are, from its lowest bits: kind (8 bits),
// a (8), b (16), records lost just before this one (32).
//    sample  kind 1, a stream, b number of values: word 1 the row (i64), then the values (f64)
//    event   kind 2, a severity, b code: word 1 the time [s] (f64), word 2 a value (f64)

enum class SegmentKind : std::uint32_t { plan = 1, samples = 2, closing = 3 };
enum class RecordKind : std::uint8_t { sample = 1, event = 2 };

struct SegmentHeader {
  SegmentKind kind = SegmentKind::plan;
  std::uint64_t recording = 0;
  std::uint64_t sequence = 0;
  std::uint64_t lost = 0;
  std::int64_t written = 0;
  std::uint64_t size = 0;              ///< filled in by make_segment
  std::uint32_t payload_checksum = 0;  ///< likewise
};

inline constexpr std::size_t segment_header_size = 64;

/// Header and payload, ready to be written with one call.
std::string make_segment(const SegmentHeader& header, std::string_view payload);

struct RecordStart {
  RecordKind kind = RecordKind::sample;
  std::uint8_t a = 0;
  std::uint16_t b = 0;
  std::uint32_t lost = 0;
};

inline std::uint64_t pack(const RecordStart& start) noexcept {
  return static_cast<std::uint64_t>(start.kind) | std::uint64_t{start.a} << 8 | std::uint64_t{start.b} << 16 |
         std::uint64_t{start.lost} << 32;
}

inline RecordStart unpack(std::uint64_t word) noexcept {
  return {static_cast<RecordKind>(word & 0xff), static_cast<std::uint8_t>(word >> 8),
          static_cast<std::uint16_t>(word >> 16), static_cast<std::uint32_t>(word >> 32)};
}

/// Goes through a raw recording from its start. Bytes that are no whole segment of the recording
/// are stepped over and counted: in the middle they are damage, at the end a segment that was being
/// written.
class SegmentReader {
 public:
  /// Throws InputError if the file cannot be read.
  explicit SegmentReader(const std::string& path);

  /// False at the end. The recording is that of the first whole segment.
  bool next(SegmentHeader& header, std::string& payload);

  std::uint64_t damaged() const { return damaged_; }  ///< bytes between segments so far
  std::uint64_t torn() const { return torn_; }        ///< bytes after the last one, at the end
  std::uint64_t missing() const { return missing_; }  ///< sequence numbers left out so far

 private:
  bool take(std::uint64_t at, SegmentHeader& header, std::string& payload);
  std::uint64_t search(std::uint64_t from);

  std::string path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t recording_ = 0;
  std::uint64_t expected_ = 0;  ///< the next sequence number
  bool started_ = false;
  std::uint64_t damaged_ = 0, torn_ = 0, missing_ = 0;
};

}  // namespace gusset

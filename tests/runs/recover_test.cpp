#include "runs/recover.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "base/error.hpp"
#include "realtime/recordings.hpp"
#include "runs/seal.hpp"
#include "runs/segment.hpp"
#include "runs/temporary_folder.hpp"

namespace gusset {
namespace {

using test::put;
using test::recorded_value;
using test::recording_plan;
using test::TemporaryFolder;

constexpr std::int64_t rows_a_segment = 50;

void append_word(std::string& bytes, std::uint64_t word) {
  char raw[8];
  std::memcpy(raw, &word, 8);
  bytes.append(raw, 8);
}

std::string sample(std::int64_t row) {
  std::string bytes;
  append_word(bytes, pack({RecordKind::sample, 1, 3, 0}));
  append_word(bytes, static_cast<std::uint64_t>(row));
  for (std::size_t i = 0; i < 3; ++i) {
    append_word(bytes, std::bit_cast<std::uint64_t>(recorded_value(1, row, i)));
  }
  return bytes;
}

/// A plan and `count` segments of 50 rows of the rig, as bytes.
std::vector<std::string> segments(int count, std::uint64_t recording = 42) {
  std::vector<std::string> all = {
      make_segment({SegmentKind::plan, recording, 0, 0, 0, 0, 0}, to_json(recording_plan()))};
  for (int s = 0; s < count; ++s) {
    std::string payload;
    for (std::int64_t i = 0; i < rows_a_segment; ++i) payload += sample(s * rows_a_segment + i);
    all.push_back(make_segment(
        {SegmentKind::samples, recording, static_cast<std::uint64_t>(s) + 1, 0, 0, 0, 0}, payload));
  }
  return all;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const std::string& part : parts) all += part;
  return all;
}

/// Every value is what was recorded, or NaN; returns how many rows are whole.
std::int64_t good_rows(const Recovery& recovery) {
  const Table& table = recovery.run.tables.at(1);
  const auto first = static_cast<std::int64_t>(std::llround(table.start / table.step));
  std::int64_t good = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (std::isnan(table.channels[0].values[i])) continue;
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(table.channels[c].values[i], recorded_value(1, first + static_cast<std::int64_t>(i), c));
    }
    ++good;
  }
  return good;
}

TEST(Segment, HeaderIsAsDocumented) {
  const std::string bytes =
      make_segment({SegmentKind::samples, 0x1122334455667788, 7, 3, 0x0102030405060708, 0, 0}, "payload!");
  ASSERT_EQ(bytes.size(), 72u);
  EXPECT_EQ(bytes.substr(0, 8), "GUSSEGM1");
  EXPECT_EQ(bytes.substr(8, 4), std::string("\x02\0\0\0", 4));
  const auto word = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
  };
  EXPECT_EQ(word(12, 4), crc32("payload!"));
  EXPECT_EQ(word(16, 8), 0x1122334455667788u);
  EXPECT_EQ(word(24, 8), 7u);
  EXPECT_EQ(word(32, 8), 8u);
  EXPECT_EQ(word(40, 8), 3u);
  EXPECT_EQ(word(48, 8), 0x0102030405060708u);
  EXPECT_EQ(word(56, 4), 0u);
  EXPECT_EQ(word(60, 4), crc32(bytes.substr(0, 60)));
  EXPECT_EQ(bytes.substr(64), "payload!");
  EXPECT_EQ(pack({RecordKind::sample, 2, 0x0304, 0x05060708}), 0x0506070803040201u);
}

TEST(Recover, PlanAndClosingReadBack) {
  const RecordingPlan plan = recording_plan();
  const RecordingPlan back = plan_from_json(to_json(plan));
  EXPECT_EQ(to_json(back), to_json(plan));
  EXPECT_EQ(back.streams.at(1).signals.at(2).unit, "N");
  EXPECT_EQ(back.event_texts.at(0).code, 7);
  EXPECT_THROW(plan_from_json("{}"), std::runtime_error);
  EXPECT_THROW(plan_from_json("not json"), std::runtime_error);
  EXPECT_THROW(closing_from_json("[1]"), std::runtime_error);
  Closing closing;
  closing.summary = {{"a", 0.1}, {"b", std::nan("")}};
  closing.texts = {{"t", std::string("\xff broken UTF-8")}};
  const Closing closed = closing_from_json(to_json(closing));
  EXPECT_EQ(closed.summary.at(0).second, 0.1);
  EXPECT_TRUE(std::isnan(closed.summary.at(1).second));
}

TEST(Recover, TornAtAnyByteKeepsTheWholeSegmentsBefore) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.raw";
  const auto parts = segments(3);
  const std::string whole = joined(parts);
  const std::size_t before_last = whole.size() - parts.back().size();
  for (std::size_t size = before_last; size < whole.size(); size += size < before_last + 70 ? 1 : 97) {
    put(path, whole.substr(0, size));
    const Recovery recovery = recover_run(path);
    ASSERT_EQ(good_rows(recovery), 2 * rows_a_segment) << size;
    ASSERT_EQ(recovery.torn_bytes, size - before_last);
    ASSERT_EQ(recovery.damaged_bytes, 0u);
    ASSERT_EQ(recovery.missing_rows, 0u);
    ASSERT_FALSE(recovery.complete);
  }
}

TEST(Recover, DamageInTheMiddleCostsOneSegmentAndIsTold) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.raw";
  const auto parts = segments(5);
  const std::string whole = joined(parts);
  const std::size_t from = parts[0].size() + parts[1].size();
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const std::size_t at = from + random() % parts[2].size();
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
    put(path, damaged);
    const Recovery recovery = recover_run(path);
    ASSERT_EQ(good_rows(recovery), 4 * rows_a_segment) << at;
    ASSERT_EQ(recovery.missing_rows, static_cast<std::uint64_t>(rows_a_segment));
    ASSERT_EQ(recovery.missing_segments, 1u);
    ASSERT_EQ(recovery.damaged_bytes, parts[2].size());
    ASSERT_EQ(recovery.run.events.at(0).text, "50 rows of rig are missing, from t = 0.05 s to 0.099 s");
  }
}

TEST(Recover, SegmentsOfAnotherRecordingAreNotMixedIn) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.raw";
  // As after a crash on a file system that gives back old blocks.
  put(path, joined(segments(2)) + segments(4, 43).back());
  const Recovery recovery = recover_run(path);
  EXPECT_EQ(good_rows(recovery), 2 * rows_a_segment);
  EXPECT_GT(recovery.torn_bytes, 0u);
}

TEST(Recover, RecordsThatMakeNoSenseAreLeftOut) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.raw";
  const auto with = [&](const std::string& payload) {
    put(path, segments(0)[0] + make_segment({SegmentKind::samples, 42, 1, 0, 0, 0, 0}, payload));
    return recover_run(path);
  };
  std::string foreign;
  append_word(foreign, 0x99);
  EXPECT_EQ(with(sample(0) + foreign).damaged_bytes, 8u);
  EXPECT_EQ(with(sample(0).substr(0, 20)).damaged_bytes, 20u);
  // A row from the past, one of the far future, and one of a stream that is not there.
  EXPECT_EQ(with(sample(5) + sample(4)).damaged_bytes, 40u);
  EXPECT_EQ(with(sample(0) + sample(std::int64_t{1} << 50)).damaged_bytes, 40u);
  // Rows that are missing take memory: a file of a few bytes cannot ask for much of it.
  EXPECT_EQ(with(sample(0) + sample(10'000'000)).damaged_bytes, 40u);
  EXPECT_LE(with(sample(0) + sample(90'000) + sample(190'000)).run.tables.at(1).rows(), 100'100u);
  std::string stream = sample(1);
  stream[1] = 9;
  EXPECT_EQ(with(sample(0) + stream).damaged_bytes, 40u);
  EXPECT_EQ(good_rows(with(sample(0) + sample(3))), 2);
}

TEST(Recover, SaysWhatIsNoRecording) {
  const TemporaryFolder folder;
  const auto cause = [&](const std::string& content) -> std::string {
    put(folder / "a.raw", content);
    try {
      recover_run(folder / "a.raw");
    } catch (const InputError& error) {
      EXPECT_FALSE(error.fix().empty());
      return error.cause();
    }
    return "";
  };
  EXPECT_NE(cause("").find("not a raw recording"), std::string::npos);
  EXPECT_NE(cause(std::string(5000, 'x')).find("not a raw recording"), std::string::npos);
  EXPECT_NE(cause(segments(1)[1]).find("which names the channels"), std::string::npos);
  EXPECT_NE(cause(make_segment({SegmentKind::plan, 1, 0, 0, 0, 0, 0}, "{}")).find("not understood"),
            std::string::npos);
  EXPECT_THROW(recover_run(folder / "missing.raw"), InputError);
}

}  // namespace
}  // namespace gusset

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "realtime/spsc_queue.hpp"

namespace gusset {
namespace {

/// Records of changing length whose words tell number and place, pushed as fast as it goes into a
/// queue that is always nearly full or nearly empty.
TEST(RecordQueueThread, KeepsRecordsWholeAndInOrderUnderStress) {
  constexpr std::size_t capacity = 64;
  constexpr std::uint64_t records = 50'000;
  RecordQueue queue(capacity);
  std::atomic<bool> done{false};
  std::uint64_t dropped = 0;
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < records; ++i) {
      const std::size_t size = 1 + i % 13;
      std::uint64_t record[13];
      for (std::size_t w = 0; w < size; ++w) record[w] = i << 8 | w;
      if (!queue.push(record, size)) {
        ++dropped;
        std::this_thread::yield();
      }
    }
    done.store(true, std::memory_order_release);
  });
  std::uint64_t taken = 0;
  std::uint64_t next = 0;
  std::uint64_t words[capacity];
  for (bool last = false;;) {
    const std::size_t got = queue.pop(words, capacity);
    if (got == 0) {
      if (last) break;
      last = done.load(std::memory_order_acquire);
      std::this_thread::yield();
      continue;
    }
    for (std::size_t i = 0; i < got;) {
      const std::uint64_t number = words[i] >> 8;
      ASSERT_GE(number, next) << "in order, none twice";
      const std::size_t size = 1 + number % 13;
      ASSERT_LE(i + size, got) << "whole";
      for (std::size_t w = 0; w < size; ++w) ASSERT_EQ(words[i + w], number << 8 | w);
      next = number + 1;
      i += size;
      ++taken;
    }
  }
  writer.join();
  EXPECT_EQ(taken + dropped, records);
  EXPECT_GT(taken, 0u);
}

TEST(RecordQueueThread, KeepsAReserve) {
  RecordQueue queue(10, 3);
  const std::uint64_t record[4] = {};
  EXPECT_TRUE(queue.push(record, 4));
  EXPECT_TRUE(queue.push(record, 3));
  EXPECT_FALSE(queue.push(record, 1));
  EXPECT_TRUE(queue.push_urgent(record, 3));
  EXPECT_FALSE(queue.push_urgent(record, 1));
}

}  // namespace
}  // namespace gusset

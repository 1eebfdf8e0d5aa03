// The seqlock under a writer that never rests, and wrong ones that the same test catches.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "link/seqlock.hpp"

namespace gusset {
namespace {

constexpr std::size_t words = 16;

/// Lets others run in the middle of a message now and then, as being preempted there would: on a busy machine
/// the two threads are hardly ever on two cores at once, and a wrong lock could go unnoticed for minutes.
void interrupt(std::size_t word) {
  static thread_local unsigned passes = 0;
  if (word == words / 2 && ++passes % 64 == 0) std::this_thread::yield();
}

/// No odd mark while writing: readers in the middle of a write do not know.
class NoMark : public SeqlockBlock {
 public:
  NoMark(std::uint64_t* memory, std::size_t count) : memory_(memory), count_(count) {}
  void write(const std::uint64_t* source) noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      interrupt(i);
      std::atomic_ref(memory_[i + 1]).store(source[i], std::memory_order_relaxed);
    }
    std::atomic_ref(memory_[0]).fetch_add(2, std::memory_order_release);
  }
  bool read(std::uint64_t* target, std::uint64_t& version) const noexcept {
    version = std::atomic_ref(memory_[0]).load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count_; ++i) {
      target[i] = std::atomic_ref(memory_[i + 1]).load(std::memory_order_relaxed);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return std::atomic_ref(memory_[0]).load(std::memory_order_relaxed) == version;
  }

 private:
  std::uint64_t* memory_;
  std::size_t count_;
};

/// Does not look at the lock a second time.
class NoSecondLook : public SeqlockBlock {
 public:
  NoSecondLook(std::uint64_t* memory, std::size_t count)
      : SeqlockBlock(memory, count), memory_(memory), count_(count) {}
  bool read(std::uint64_t* target, std::uint64_t& version) const noexcept {
    version = std::atomic_ref(memory_[0]).load(std::memory_order_acquire);
    if ((version & 1U) != 0) return false;
    for (std::size_t i = 0; i < count_; ++i) {
      interrupt(i);
      target[i] = std::atomic_ref(memory_[i + 1]).load(std::memory_order_relaxed);
    }
    return true;
  }

 private:
  std::uint64_t* memory_;
  std::size_t count_;
};

/// Every message is one number, `words` times: a reader that sees two numbers saw a torn message. Ends
/// at the first tear or after `seconds`.
template <class Lock>
bool tears(double seconds) {
  std::vector<std::uint64_t> memory(words + 1);
  Lock writer(memory.data(), words), reader(memory.data(), words);
  std::atomic<bool> stop{false}, torn{false};
  std::thread thread([&] {
    std::uint64_t message[words];
    for (std::uint64_t n = 1; !stop.load(std::memory_order_relaxed); ++n) {
      for (std::uint64_t& word : message) word = n;
      writer.write(message);
      // On one core the writer is preempted in the middle only if it is there most of the time.
      if (n % 1024 == 0) std::this_thread::yield();
    }
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::uint64_t message[words], version = 0, newest = 0, good = 0;
  while (!torn && std::chrono::steady_clock::now() < end) {
    for (int i = 0; i < 256; ++i) {
      if (!reader.read(message, version)) continue;
      ++good;
      for (const std::uint64_t word : message) torn = torn || word != message[0];
      torn = torn || message[0] < newest;  // and time does not run backwards
      newest = message[0];
    }
  }
  stop = true;
  thread.join();
  EXPECT_GT(good, 0U);
  return torn;
}

TEST(SeqlockThread, NeverTearsAMessage) { EXPECT_FALSE(tears<SeqlockBlock>(0.5)); }
TEST(SeqlockThread, WithoutTheMarkItWouldTear) { EXPECT_TRUE(tears<NoMark>(20)); }
TEST(SeqlockThread, WithoutTheSecondLookItWouldTear) { EXPECT_TRUE(tears<NoSecondLook>(20)); }

TEST(Seqlock, AWriterThatDiedGivesNothing) {
  std::vector<std::uint64_t> memory(words + 1);
  SeqlockBlock block(memory.data(), words);
  std::uint64_t message[words] = {1, 2, 3}, back[words], version = 0;
  block.write(message);
  ASSERT_TRUE(block.read(back, version));
  EXPECT_EQ(back[2], 3U);
  memory[0] |= 1U;  // killed in the middle of the next
  EXPECT_FALSE(block.read(back, version));
  block.write(message);  // its successor goes on
  EXPECT_TRUE(block.read(back, version));
}

}  // namespace
}  // namespace gusset

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gusset {

/// A block of words that one process writes and any number read, none waiting for another. Layout in
/// memory: the lock word, then `count` words of 64 bits.
///
///   write   lock ← odd;  release fence;  words;  lock ← even (release)
///   read    a ← lock (acquire), odd: not now;  words;  acquire fence;  b ← lock;  a = b: whole
///
/// The reader's acquire of an even lock pairs with the writer's release of it: it then sees at least
/// those words. If it sees any word of a later write, its acquire fence pairs with that write's release
/// fence, so its second look sees the odd lock, or a later one: it notices. The words are relaxed
/// atomics, since they are read while they are written.
///
/// A writer that dies half-way leaves the lock odd: readers get nothing more, and their heartbeat
/// timeout says so.
class SeqlockBlock {
 public:
  SeqlockBlock() = default;
  SeqlockBlock(std::uint64_t* memory, std::size_t count) : lock_(memory), words_(memory + 1), count_(count) {}

  static constexpr std::size_t size_for(std::size_t count) { return 8 * (count + 1); }  ///< [bytes]

  /// Of the one writer. @rt-safe
  void write(const std::uint64_t* source) noexcept {
    std::atomic_ref lock(*lock_);
    const std::uint64_t before = lock.load(std::memory_order_relaxed) | 1U;  // a dead writer's odd too
    lock.store(before, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    for (std::size_t i = 0; i < count_; ++i) {
      std::atomic_ref(words_[i]).store(source[i], std::memory_order_relaxed);
    }
    lock.store(before + 1, std::memory_order_release);
  }

  /// One attempt; false if a writer was in between. `version` gets the lock word. @rt-safe
  bool try_read(std::uint64_t* target, std::uint64_t& version) const noexcept {
    std::atomic_ref lock(*lock_);
    version = lock.load(std::memory_order_acquire);
    if ((version & 1U) != 0) return false;
    for (std::size_t i = 0; i < count_; ++i) {
      target[i] = std::atomic_ref(words_[i]).load(std::memory_order_relaxed);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    return lock.load(std::memory_order_relaxed) == version;
  }

  /// Tries often enough for any writer that is alive. @rt-safe
  bool read(std::uint64_t* target, std::uint64_t& version) const noexcept {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      if (try_read(target, version)) return true;
    }
    return false;
  }

  /// The lock word: changes with every write. @rt-safe
  std::uint64_t version() const noexcept { return std::atomic_ref(*lock_).load(std::memory_order_acquire); }

 private:
  std::uint64_t* lock_ = nullptr;
  std::uint64_t* words_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace gusset

#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdint>
#include <ctime>

namespace gusset {

inline timespec to_timespec(std::int64_t nanoseconds) noexcept {
  if (nanoseconds < 0) nanoseconds = 0;
  return {static_cast<std::time_t>(nanoseconds / 1'000'000'000),
          static_cast<long>(nanoseconds % 1'000'000'000)};
}

/// Sleeps while the word is `seen`, until woken or until `until` (CLOCK_MONOTONIC, ns). Between
/// processes. @rt-safe
inline void futex_wait(std::uint32_t* word, std::uint32_t seen, std::int64_t until) noexcept {
  const timespec at = to_timespec(until);
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, seen, &at, nullptr, FUTEX_BITSET_MATCH_ANY);
}

/// Raises the word and wakes whoever sleeps on it. @rt-safe
inline void futex_ring(std::uint32_t* word) noexcept {
  std::atomic_ref(*word).fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace gusset

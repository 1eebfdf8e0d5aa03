#pragma once

#include <boost/lockfree/spsc_queue.hpp>
#include <cstddef>
#include <cstdint>

namespace gusset {

/// Records of whole words from one thread to another: bounded, without locks. A record appears to
/// the reader whole or not at all; where there is no room for it, it is dropped (the newest goes,
/// never what waits already) and counted.
///
/// Boost's queue has the two indices: the writer stores its own with release, the reader loads it
/// with acquire, and the other way round for the room that was freed. It publishes an array with one
/// such store, but takes a part of it where the room is short; hence the look beforehand, which
/// is safe because the room only grows while the one writer looks.
template <class Word>
class BasicRecordQueue {
 public:
  /// Room for `capacity` words. `reserve` of them are kept for push_urgent.
  explicit BasicRecordQueue(std::size_t capacity, std::size_t reserve = 0)
      : queue_(capacity), reserve_(reserve) {}

  /// Of the writing thread only. False: there was no room. @rt-safe
  bool push(const Word* record, std::size_t words) noexcept {
    if (queue_.write_available() < words + reserve_) return false;
    queue_.push(record, words);
    return true;
  }
  /// The same, into the reserve too. @rt-safe
  bool push_urgent(const Word* record, std::size_t words) noexcept {
    if (queue_.write_available() < words) return false;
    queue_.push(record, words);
    return true;
  }

  /// Of the reading thread only: takes up to `most` words, whole records where `most` is at least
  /// the capacity. Returns how many.
  std::size_t pop(Word* words, std::size_t most) noexcept { return queue_.pop(words, most); }

 private:
  boost::lockfree::spsc_queue<Word> queue_;
  std::size_t reserve_;
};

using RecordQueue = BasicRecordQueue<std::uint64_t>;

}  // namespace gusset

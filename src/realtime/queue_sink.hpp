#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "realtime/row_sink.hpp"
#include "realtime/spsc_queue.hpp"

namespace gusset {

/// Rows for another thread: a queue of bounded size that the loop fills and never waits for. What does not fit
/// is dropped and counted.
class QueueSink final : public RowSink {
 public:
  /// Room for `rows` rows of up to `widest` numbers.
  QueueSink(std::size_t rows, std::size_t widest)
      : queue_(rows * (widest + 2)), scratch_(widest + 2), row_(widest) {}

  bool push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept override {
    if (count + 2 > scratch_.size()) return drop();
    scratch_[0] = (static_cast<std::uint64_t>(stream) << 32) | count;
    scratch_[1] = std::bit_cast<std::uint64_t>(row);
    std::memcpy(scratch_.data() + 2, values, count * sizeof(double));
    return queue_.push(scratch_.data(), count + 2) || drop();
  }
  bool event(double, Severity, std::uint16_t, double) noexcept override { return true; }
  bool healthy() const noexcept override { return dropped() == 0; }
  /// Rows, so far. Of any thread.
  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

  /// Takes every row that waits. Of the reading thread only.
  using Reader = std::function<void(std::size_t stream, std::int64_t row, const double* values, std::size_t)>;
  void drain(const Reader& reader) {
    std::uint64_t start[2];
    // Rows are published whole: behind the start of a row stand its numbers.
    while (queue_.pop(start, 2) == 2) {
      const std::size_t count = start[0] & 0xffffffffU;
      queue_.pop(words_of(row_), count);
      reader(start[0] >> 32, std::bit_cast<std::int64_t>(start[1]), row_.data(), count);
    }
  }

 private:
  static std::uint64_t* words_of(std::vector<double>& row) {
    static_assert(sizeof(double) == sizeof(std::uint64_t));
    return reinterpret_cast<std::uint64_t*>(row.data());
  }
  bool drop() noexcept {
    dropped_.store(dropped() + 1, std::memory_order_relaxed);  // this thread alone writes it
    return false;
  }

  RecordQueue queue_;
  std::vector<std::uint64_t> scratch_;  ///< of the loop's thread
  std::vector<double> row_;             ///< of the reading thread
  std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace gusset

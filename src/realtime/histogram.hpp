#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "runs/run.hpp"

namespace gusset {

/// Counts durations in bins that are fixed in advance: 0, 1, … 63 ns, then 64 equal bins an octave
/// up to 2³⁰ ns (1.07 s), so that a bin is at most 1/64 of its value wide; what is longer is counted
/// as overflow. With x = ⌊log₂ t⌋ the bin of t ≥ 64 is 64·(x − 5) + ⌊t/2^(x−6)⌋ − 64.
///
/// Why? Latencies have tails that mean and deviation hide; bins that are fixed cost a few
/// instructions and no memory in the loop, and two histograms can be added.
class Histogram {
 public:
  static constexpr std::size_t bins = 1600;

  /// @rt-safe. A negative duration counts as 0.
  void add(std::int64_t nanoseconds) noexcept;
  void add(const Histogram& other) noexcept;
  /// Something longer than what was counted is known to have happened.
  void raise_maximum(std::int64_t nanoseconds) noexcept {
    if (nanoseconds > maximum_) maximum_ = nanoseconds;
  }

  std::uint64_t count() const noexcept { return count_; }        ///< overflow included
  std::uint64_t overflow() const noexcept { return overflow_; }  ///< of 2³⁰ ns and more
  std::int64_t maximum() const noexcept { return maximum_; }     ///< [ns]
  std::uint64_t operator[](std::size_t bin) const noexcept { return counts_[bin]; }

  /// The duration [ns] that at least `share` (0…1) of all stayed within: the last nanosecond of the
  /// bin where they are reached, or the maximum where that is less. 0 if nothing was counted.
  std::int64_t percentile(double share) const noexcept;

  static std::size_t bin_of(std::int64_t nanoseconds) noexcept;  ///< `bins` if it overflows
  static std::int64_t lower_edge(std::size_t bin) noexcept;      ///< [ns]; of `bins`: 2³⁰

 private:
  std::array<std::uint64_t, bins> counts_{};
  std::uint64_t count_ = 0;
  std::uint64_t overflow_ = 0;
  std::int64_t maximum_ = 0;
};

/// For the run file, in seconds, without the empty bins at both ends.
RunHistogram to_run(const Histogram& histogram, std::string name);

}  // namespace gusset

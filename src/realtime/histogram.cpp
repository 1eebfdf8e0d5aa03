#include "realtime/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace gusset {
namespace {

constexpr int exact_bits = 6;  // 64 bins an octave
constexpr std::int64_t exact = std::int64_t{1} << exact_bits;
constexpr std::int64_t limit = std::int64_t{1} << 30;
static_assert(Histogram::bins == static_cast<std::size_t>(exact) * (30 - exact_bits + 1));

}  // namespace

std::size_t Histogram::bin_of(std::int64_t nanoseconds) noexcept {
  if (nanoseconds < 0) return 0;
  if (nanoseconds >= limit) return bins;
  if (nanoseconds < exact) return static_cast<std::size_t>(nanoseconds);
  const int octave = std::bit_width(static_cast<std::uint64_t>(nanoseconds)) - 1;
  const int shift = octave - exact_bits;
  return static_cast<std::size_t>(exact * (shift + 1) + (nanoseconds >> shift) - exact);
}

std::int64_t Histogram::lower_edge(std::size_t bin) noexcept {
  const auto index = static_cast<std::int64_t>(bin);
  if (index < exact) return index;
  const std::int64_t shift = index / exact - 1;
  return (exact + index % exact) << shift;
}

void Histogram::add(std::int64_t nanoseconds) noexcept {
  const std::size_t bin = bin_of(nanoseconds);
  if (bin < bins) {
    ++counts_[bin];
  } else {
    ++overflow_;
  }
  ++count_;
  if (nanoseconds > maximum_) maximum_ = nanoseconds;
}

void Histogram::add(const Histogram& other) noexcept {
  for (std::size_t i = 0; i < bins; ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  overflow_ += other.overflow_;
  maximum_ = std::max(maximum_, other.maximum_);
}

std::int64_t Histogram::percentile(double share) const noexcept {
  const double wanted = std::max(1.0, std::ceil(share * static_cast<double>(count_)));
  double sum = 0;
  for (std::size_t i = 0; i < bins; ++i) {
    sum += static_cast<double>(counts_[i]);
    if (sum >= wanted) return std::min(maximum_, lower_edge(i + 1) - 1);
  }
  return maximum_;
}

RunHistogram to_run(const Histogram& histogram, std::string name) {
  RunHistogram result;
  result.name = std::move(name);
  result.unit = "s";
  result.overflow = static_cast<double>(histogram.overflow());
  result.maximum = 1e-9 * static_cast<double>(histogram.maximum());
  std::size_t first = 0;
  std::size_t end = Histogram::bins;
  while (first < end && histogram[first] == 0) ++first;
  while (end > first && histogram[end - 1] == 0) --end;
  for (std::size_t i = first; i < end; ++i) {
    result.edges.push_back(1e-9 * static_cast<double>(Histogram::lower_edge(i)));
    result.counts.push_back(static_cast<double>(histogram[i]));
  }
  if (end > first) result.edges.push_back(1e-9 * static_cast<double>(Histogram::lower_edge(end)));
  return result;
}

}  // namespace gusset

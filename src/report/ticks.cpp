#include <algorithm>
#include <cmath>
#include <cstdint>

#include "report/plot.hpp"

namespace gusset::plot {
namespace {

constexpr double largest = 1e300;

/// 1, 2 or 5 times a power of ten.
struct Step {
  int digit;
  int exponent;

  double value() const { return digit * std::pow(10.0, exponent); }
  /// The k-th multiple, rounded once: 3 steps of 0.1 are 0.3, not 0.30000000000000004.
  double times(std::int64_t k) const {
    const double whole = static_cast<double>(k * digit);
    return exponent < 0 ? whole / std::pow(10.0, -exponent) : whole * std::pow(10.0, exponent);
  }
};

/// The step that divides `range` into about `wanted` intervals.
Step step_for(double range, int wanted) {
  const double raw = range / std::max(1, wanted);
  const int exponent = static_cast<int>(std::floor(std::log10(raw)));
  const double mantissa = raw / std::pow(10.0, exponent);
  if (mantissa < std::sqrt(2.0)) return {1, exponent};
  if (mantissa < std::sqrt(10.0)) return {2, exponent};
  if (mantissa < std::sqrt(50.0)) return {5, exponent};
  return {1, exponent + 1};
}

std::vector<double> linear_ticks(double low, double high, int wanted) {
  // A range that doubles can hardly resolve, or none at all, is widened.
  const double size = std::max(std::abs(low), std::abs(high));
  const double least = std::max(size * 1e-10, 1e-290);
  if (high - low < least) {
    const double half = size > 0 ? std::max(size * 0.1, 1e-290) : 1;
    low -= half;
    high += half;
  }
  const Step step = step_for(high - low, wanted);
  const double slack = 1e-9;  // a bound on a tick but for rounding counts as on it
  const auto first = static_cast<std::int64_t>(std::floor(low / step.value() + slack));
  const auto last = static_cast<std::int64_t>(std::ceil(high / step.value() - slack));
  std::vector<double> positions;
  for (std::int64_t k = first; k <= last; ++k) positions.push_back(step.times(k));
  return positions;
}

double decade(int exponent) {
  return exponent < 0 ? 1 / std::pow(10.0, -exponent) : std::pow(10.0, exponent);
}

std::vector<double> logarithmic_ticks(double low, double high, int wanted) {
  if (!(low > 1e-290)) low = std::max(1e-290, high * 1e-3);
  if (!(high > low)) high = low * 10;
  const double slack = 1e-9;
  const int first = static_cast<int>(std::floor(std::log10(low) + slack));
  const int last = static_cast<int>(std::ceil(std::log10(high) - slack));
  const double decades = std::log10(high / low);
  if (decades < 0.7) {
    // Less than three of 1, 2, 5, 10 …: an even scale tells more.
    std::vector<double> even = linear_ticks(low, high, wanted);
    std::erase_if(even, [](double tick) { return tick <= 0; });
    return even;
  }
  std::vector<double> positions;
  if (3 * decades <= wanted + 1) {
    for (int exponent = first; exponent < last; ++exponent) {
      for (const int digit : {1, 2, 5}) positions.push_back(digit * decade(exponent));
    }
    positions.push_back(decade(last));
    // Keep the innermost that still cover the range.
    while (positions.size() > 2 && positions[1] <= low * (1 + slack)) {
      positions.erase(positions.begin());
    }
    while (positions.size() > 2 && positions[positions.size() - 2] >= high * (1 - slack)) {
      positions.pop_back();
    }
    return positions;
  }
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, wanted))));
  const int start = static_cast<int>(std::floor(static_cast<double>(first) / stride)) * stride;
  for (int exponent = start;; exponent += stride) {
    positions.push_back(decade(exponent));
    if (exponent >= last) return positions;
  }
}

}  // namespace

std::vector<double> ticks(double low, double high, int wanted, bool logarithmic) {
  if (!std::isfinite(low) || !std::isfinite(high)) return {};
  if (low > high) std::swap(low, high);
  low = std::clamp(low, -largest, largest);
  high = std::clamp(high, -largest, largest);
  if (logarithmic && high > 0) return logarithmic_ticks(low, high, wanted);
  return linear_ticks(low, high, wanted);
}

}  // namespace gusset::plot

#include "analysis/first_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.hpp"

namespace gusset {
namespace {

constexpr int per_decade = 24;
constexpr int deepest = 10;           ///< halvings of a grid interval in search of an island
constexpr double watched = 0.9;       ///< moduli below this are far from the unit circle
constexpr double resolution = 1e-10;  ///< relative, of the crossing

struct Sample {
  double value = 0;
  bool stable = true;
  double radius = 0;
  bool outside = false;        ///< no spectrum there
  std::vector<double> moduli;  ///< those above `watched`, largest first
};

class Search {
 public:
  explicit Search(const std::function<Spectrum(double)>& spectrum_at) : spectrum_at_(spectrum_at) {}

  Sample sample(double value) {
    ++evaluations;
    Spectrum spectrum;
    try {
      spectrum = spectrum_at_(value);
    } catch (const InputError& error) {
      ended = error.cause();
      return {value, true, 0, true, {}};
    }
    Sample sample{value, spectrum.stable, spectrum.radius, false, {}};
    for (const auto& eigenvalue : spectrum.values) {
      const double modulus = std::abs(eigenvalue);
      if (modulus < watched) break;
      sample.moduli.push_back(modulus);
    }
    return sample;
  }

  /// The lowest crossing between a stable `a` and `b`.
  std::optional<double> between(const Sample& a, const Sample& b, int depth) {
    if (b.value - a.value <= resolution * b.value) {
      return b.stable ? std::nullopt : std::optional<double>(a.value);
    }
    const Sample middle = sample(std::sqrt(a.value * b.value));
    if (middle.outside) return std::nullopt;
    if (b.stable && middle.stable && (depth >= deepest || !bends(a, middle, b))) return std::nullopt;
    if (!b.stable && depth >= deepest) {
      // A plain bisection from here on: the interval is far narrower than any island that counts.
      return middle.stable ? between(middle, b, depth) : between(a, middle, depth);
    }
    if (const auto found = between(a, middle, depth + 1)) return found;
    return middle.stable ? between(middle, b, depth + 1) : std::nullopt;
  }

  int evaluations = 0;
  std::string ended;  ///< why the last value that has no spectrum has none

 private:
  /// Does any modulus near 1 leave the straight line from a to b, or change along it, by an amount
  /// that matters against its distance from 1?
  static bool bends(const Sample& a, const Sample& middle, const Sample& b) {
    for (std::size_t k = 0; k < middle.moduli.size(); ++k) {
      const double left = k < a.moduli.size() ? a.moduli[k] : watched;
      const double right = k < b.moduli.size() ? b.moduli[k] : watched;
      const double bend = std::abs(middle.moduli[k] - 0.5 * (left + right));
      const double gap = std::abs(1 - middle.moduli[k]);
      if (bend > 0.05 * gap + 1e-9) return true;
      // On the shoulders of a narrow peak three points can lie on a line by chance: a slope that
      // covers a fair part of the distance to 1 is looked at as well.
      if (std::abs(right - left) > 0.2 * gap + 1e-9) return true;
    }
    return false;
  }

  const std::function<Spectrum(double)>& spectrum_at_;
};

std::vector<double> grid_of(double low, double high, const std::vector<double>& special) {
  std::vector<double> grid;
  const int count = std::max(2, static_cast<int>(std::ceil(std::log10(high / low) * per_decade)));
  for (int i = 0; i <= count; ++i) {
    grid.push_back(low * std::pow(high / low, static_cast<double>(i) / count));
  }
  for (const double value : special) {
    grid.push_back(value);
    for (double offset = 2.5e-4; offset < 0.04; offset *= 2) {
      grid.push_back(value * (1 - offset));
      grid.push_back(value * (1 + offset));
    }
  }
  std::erase_if(grid, [&](double value) { return !(value >= low && value <= high); });
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end(), [](double a, double b) { return b - a < 1e-7 * b; }),
             grid.end());
  return grid;
}

/// Unstable at the low end: is it so all the way down? The excess ρ − 1 of an instability that
/// persists falls off as a power of the value; it is followed until rounding swallows it. If the
/// loop turns stable while the excess expected from the last two values is still plain, the limit
/// lies in between.
Crossing below(Search& search, Crossing crossing, const Sample& lowest) {
  constexpr double factor = 0.5;
  constexpr double plain = 1e-11;  ///< an excess that rounding does not make
  constexpr int furthest = 8;      ///< halvings; below that the matrix itself is mostly rounding
  crossing.kind = Crossing::Kind::always;
  Sample upper = lowest;
  double slope = 2;
  for (int i = 0; i < furthest; ++i) {
    const double expected = (upper.radius - 1) * std::pow(factor, std::clamp(slope, 0.0, 4.0));
    if (expected < plain) return crossing;
    const Sample lower = search.sample(upper.value * factor);
    if (lower.outside) return crossing;
    crossing.low = lower.value;
    if (lower.stable && lower.radius - 1 > 0.5 * expected) return crossing;  // rounding hides it
    if (lower.stable) {
      if (const auto found = search.between(lower, upper, 0)) {
        crossing.kind = Crossing::Kind::below;
        crossing.value = *found;
      }
      return crossing;
    }
    slope = std::log((upper.radius - 1) / (lower.radius - 1)) / std::log(1 / factor);
    upper = lower;
  }
  return crossing;
}

}  // namespace

Crossing first_crossing(const std::function<Spectrum(double)>& spectrum_at, double low, double high,
                        std::vector<double> special) {
  Search search(spectrum_at);
  Crossing crossing;
  crossing.low = low;
  crossing.high = high;
  const std::vector<double> grid = grid_of(low, high, special);
  std::size_t first = 0;
  Sample previous = search.sample(grid.front());
  while (previous.outside && ++first < grid.size()) previous = search.sample(grid[first]);
  crossing.low = previous.value;
  if (previous.outside || !previous.stable) {
    crossing.kind = Crossing::Kind::unknown;
    if (!previous.outside) crossing = below(search, crossing, previous);
    crossing.ended = search.ended;
    crossing.evaluations = search.evaluations;
    return crossing;
  }
  for (std::size_t i = first + 1; i < grid.size(); ++i) {
    Sample next = search.sample(grid[i]);
    if (next.outside) {
      crossing.high = previous.value;
      break;
    }
    if (const auto found = search.between(previous, next, 0)) {
      crossing.kind = Crossing::Kind::found;
      crossing.value = *found;
      break;
    }
    previous = std::move(next);
  }
  crossing.ended = search.ended;
  crossing.evaluations = search.evaluations;
  return crossing;
}

}  // namespace gusset

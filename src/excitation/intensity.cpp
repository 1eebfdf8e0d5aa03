#include "excitation/intensity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "excitation/processing.hpp"

namespace gusset {
namespace {

double peak(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// When the growing sum passes the share of its end; straight between the samples.
double time_of(const std::vector<double>& sum, double share, double dt) {
  const double level = share * sum.back();
  const auto above = std::lower_bound(sum.begin(), sum.end(), level);
  const auto i = static_cast<std::size_t>(above - sum.begin());
  if (i == 0 || above == sum.end()) return dt * static_cast<double>(i);
  const double part = (level - sum[i - 1]) / (sum[i] - sum[i - 1]);
  return dt * (static_cast<double>(i - 1) + part);
}

}  // namespace

Intensity intensity(const std::vector<double>& a, double dt) {
  Intensity result;
  if (a.empty()) return result;
  const IntegratedMotion motion = integrate_plainly(a, dt);
  result.pga = peak(a);
  result.pgv = peak(motion.velocity);
  result.pgd = peak(motion.displacement);
  std::vector<double> squares(a.size(), 0.0);
  for (std::size_t i = 1; i < a.size(); ++i) {
    squares[i] = squares[i - 1] + dt / 3 * (a[i - 1] * a[i - 1] + a[i - 1] * a[i] + a[i] * a[i]);
    const double lower = a[i - 1];
    const double upper = a[i];
    // A line that crosses zero has two triangles under its modulus.
    result.cumulative_velocity +=
        lower * upper >= 0 ? 0.5 * dt * (std::abs(lower) + std::abs(upper))
                           : 0.5 * dt * (lower * lower + upper * upper) / (std::abs(lower) + std::abs(upper));
  }
  constexpr double gravity = 9.80665;
  result.arias = std::numbers::pi / (2 * gravity) * squares.back();
  if (squares.back() > 0) {
    result.start = time_of(squares, 0.05, dt);
    result.duration_75 = time_of(squares, 0.75, dt) - result.start;
    result.duration_95 = time_of(squares, 0.95, dt) - result.start;
  }
  return result;
}

}  // namespace gusset

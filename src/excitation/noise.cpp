#include "excitation/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/noise.hpp"

namespace gusset {
namespace {

using std::numbers::pi;

int first_line(const NoiseBand& band) {
  return std::max(1, static_cast<int>(std::ceil(band.from * band.length - 1e-9)));
}

}  // namespace

double taper_window(double t, double length, double taper) {
  if (taper <= 0) return 1;
  const double edge = std::min(t, length - t);
  if (edge >= taper) return 1;
  return 0.5 * (1 - std::cos(pi * std::max(edge, 0.0) / taper));
}

int NoiseBand::lines() const {
  return std::max(0, static_cast<int>(std::floor(to * length + 1e-9)) - first_line(*this) + 1);
}

std::vector<double> band_noise(const NoiseBand& band, double dt, std::size_t count) {
  const int first = first_line(band);
  const double amplitude = band.rms * std::sqrt(2.0 / band.lines());
  std::vector<double> x(count, 0.0);
  for (int line = first; line < first + band.lines(); ++line) {
    const double phase = 2 * pi * uniform(band.seed, static_cast<std::uint64_t>(line));
    const double omega = 2 * pi * line / band.length;
    for (std::size_t i = 0; i < count; ++i) {
      const double t = std::min(static_cast<double>(i) * dt, band.length);
      x[i] += amplitude * std::cos(omega * t + phase);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    x[i] *= taper_window(std::min(static_cast<double>(i) * dt, band.length), band.length, band.taper);
  }
  return x;
}

}  // namespace gusset

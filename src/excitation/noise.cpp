#include "excitation/noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gusset {
namespace {

using std::numbers::pi;

std::uint64_t mix(std::uint64_t z) noexcept {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

int first_line(const NoiseBand& band) {
  return std::max(1, static_cast<int>(std::ceil(band.from * band.length - 1e-9)));
}

}  // namespace

double counter_random(std::uint64_t seed, std::uint64_t index, std::uint64_t channel) noexcept {
  const std::uint64_t bits = mix(mix(mix(seed) ^ index) ^ channel);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

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
    const double phase = 2 * pi * counter_random(band.seed, static_cast<std::uint64_t>(line), 0);
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

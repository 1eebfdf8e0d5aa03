#pragma once

#include <cstdint>
#include <vector>

namespace gusset {

/// Band-limited noise with a flat spectrum:
///   x(t) = rms·Σ_j sqrt(2/n)·cos(2πf_j·t + φ_j)
/// n lines evenly spaced by 1/length over from … to; the phases are a function of (seed, j), so the same
/// numbers give the same noise on every machine. Tapered by ½(1 − cos) ramps at both ends; rests on its
/// last value after `length`.
struct NoiseBand {
  double from = 0, to = 0;  ///< [Hz]
  double rms = 0;
  double length = 0;  ///< [s]
  double taper = 0;   ///< [s]
  std::uint64_t seed = 1;

  /// How many lines lie in the band; 0: the noise would be silent.
  int lines() const;
};

/// Samples at 0, dt, 2dt, …
std::vector<double> band_noise(const NoiseBand& band, double dt, std::size_t count);

/// ½(1 − cos) ramps of length `taper` at both ends.
double taper_window(double t, double length, double taper);

}  // namespace gusset

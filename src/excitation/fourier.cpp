#include "excitation/fourier.hpp"

#include <cmath>
#include <unsupported/Eigen/FFT>

namespace gusset {
namespace {

std::size_t power_of_two(std::size_t least) {
  std::size_t size = 2;
  while (size < least) size *= 2;
  return size;
}

}  // namespace

std::vector<double> filter_by(const std::vector<double>& signal, double dt, double margin,
                              const std::function<std::complex<double>(double)>& response) {
  const std::size_t n = signal.size();
  const auto edge = static_cast<std::size_t>(std::ceil(margin / dt));
  const std::size_t size = power_of_two(n + 2 * edge);
  std::vector<double> padded(size, 0.0);
  std::copy(signal.begin(), signal.end(), padded.begin() + static_cast<std::ptrdiff_t>(edge));
  Eigen::FFT<double> fft;
  std::vector<std::complex<double>> spectrum;
  fft.fwd(spectrum, padded);
  const double spacing = 1 / (static_cast<double>(size) * dt);
  for (std::size_t k = 0; k <= size / 2; ++k) {
    const std::complex<double> gain = response(static_cast<double>(k) * spacing);
    spectrum[k] *= gain;
    if (k > 0 && k < size / 2) spectrum[size - k] = std::conj(spectrum[k]);
  }
  // The highest frequency has no conjugate of its own and must stay real.
  spectrum[size / 2] = spectrum[size / 2].real();
  fft.inv(padded, spectrum);
  const auto first = padded.begin() + static_cast<std::ptrdiff_t>(edge);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

FourierSpectrum fourier_spectrum(const std::vector<double>& signal, double dt) {
  const std::size_t size = power_of_two(signal.size());
  std::vector<double> padded = signal;
  padded.resize(size, 0.0);
  Eigen::FFT<double> fft;
  std::vector<std::complex<double>> values;
  fft.fwd(values, padded);
  FourierSpectrum result;
  for (std::size_t k = 0; k <= size / 2; ++k) {
    result.frequency.push_back(static_cast<double>(k) / (static_cast<double>(size) * dt));
    result.amplitude.push_back(dt * std::abs(values[k]));
  }
  return result;
}

}  // namespace gusset

#pragma once

#include <complex>
#include <functional>
#include <vector>

namespace gusset {

/// Multiplies the spectrum of a signal by a function of frequency [Hz] and transforms back: what lies
/// between is real and linear, and has no delay if the function is real. The signal stands between
/// zeros, at least `margin` seconds on each side, so that what wraps around stays outside.
std::vector<double> filter_by(const std::vector<double>& signal, double dt, double margin,
                              const std::function<std::complex<double>(double)>& response);

/// |∫ x·exp(−2πi·f·t) dt| at f_k = k/(N·dt), N the length filled up with zeros to a power of two; from
/// zero to the Nyquist frequency. For an acceleration in m/s² it is in m/s.
struct FourierSpectrum {
  std::vector<double> frequency, amplitude;
};
FourierSpectrum fourier_spectrum(const std::vector<double>& signal, double dt);

}  // namespace gusset

#pragma once

#include <vector>

namespace gusset {

/// Peak response of oscillators of period T and damping ratio ζ to a ground motion,
///   ẍ + 2ζω·ẋ + ω²·x = −a_g,   ω = 2π/T,
/// solved exactly for accelerations that are straight between the samples (Nigam & Jennings 1969):
///   [x; v]_{i+1} = A·[x; v]_i + B·[a_i; a_{i+1}].
/// The response is looked at a hundred times a period or more often, so that no peak falls between two
/// looks, and the free vibration after the record's end is followed for one period.
struct ResponseSpectrum {
  std::vector<double> period;               ///< [s]
  std::vector<double> displacement;         ///< S_d = max|x| [m]
  std::vector<double> velocity;             ///< S_v = max|ẋ|, relative to the ground [m/s]
  std::vector<double> acceleration;         ///< S_a = max|ẍ + a_g|, absolute [m/s²]
  std::vector<double> pseudo_acceleration;  ///< ω²·S_d [m/s²]
};
ResponseSpectrum response_spectrum(const std::vector<double>& acceleration, double dt,
                                   const std::vector<double>& periods, double damping);

/// Evenly spaced on a logarithmic axis.
std::vector<double> spectrum_periods(double shortest, double longest, int count);

}  // namespace gusset

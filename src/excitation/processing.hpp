#pragma once

#include <optional>
#include <vector>

namespace gusset {

// What is done to a ground motion before a test. All on equally spaced samples, SI.

/// Zero-phase Butterworth filters, applied to the spectrum. A filter of order n run forwards and
/// backwards has the gain
///   low-pass  G = 1/(1 + (f/f_c)^{2n}),      high-pass  G = 1/(1 + (f_c/f)^{2n})
/// and no delay; half at the corner f_c. Absent corners filter nothing.
struct Band {
  std::optional<double> highpass, lowpass;  ///< corners [Hz]
  int order = 4;

  double gain(double frequency) const;
};
std::vector<double> filtered(const std::vector<double>& signal, double dt, const Band& band);

/// Displacement and velocity that belong to an acceleration, by division of its spectrum,
///   D(f) = −A(f)/(2πf)²·G(f),    V(f) = A(f)/(2πi·f)·G(f),    G the high-pass above
/// with nothing at f = 0. Dividing by f² blows up what a record holds of drift and noise at low
/// frequencies; the high-pass (0.5 Hz in Shao et al. 2011) keeps the result within a table's
/// stroke. The filter has no delay, so that a little motion comes before its cause: the command does
/// not start at exactly zero. `acceleration` is the one that belongs to the displacement: A·G.
struct IntegratedMotion {
  std::vector<double> displacement, velocity, acceleration;
};
IntegratedMotion integrate_twice(const std::vector<double>& acceleration, double dt, double highpass = 0.5);

/// Velocity and displacement by integrating the straight lines between the samples exactly, from rest:
///   v_{i+1} = v_i + Δt·(a_i + a_{i+1})/2,    d_{i+1} = d_i + Δt·v_i + Δt²·(2a_i + a_{i+1})/6
IntegratedMotion integrate_plainly(const std::vector<double>& acceleration, double dt);

/// Baseline correction: the polynomial c1·t + c2·t² + c3·t³ that fits the velocity best is taken to be
/// drift, and its derivative is removed from the acceleration.
std::vector<double> baseline_corrected(const std::vector<double>& acceleration, double dt);

/// Samples at another step, by the sinc function under a Lanczos window of 32 lobes; frequencies that
/// the new step cannot hold are removed. The first sample stays where it is.
std::vector<double> resampled(const std::vector<double>& signal, double dt, double new_dt);

}  // namespace gusset

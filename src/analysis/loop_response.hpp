#pragma once

#include <complex>
#include <string>
#include <vector>

#include "analysis/transfer_function.hpp"
#include "build/experiment.hpp"

namespace gusset {

/// The whole loop from the ground's acceleration to the response of the floors, by perturbing the very
/// `step` that a test runs, state by state and input by input:
///   s_{i+1} = A·s_i + B·w_i,   y_i = C·s_i + D·w_i
/// y: displacement, velocity and acceleration of all floors (n each). w_i holds the five numbers of
/// Input; for ü_g = exp(jωt) sampled at z = exp(jωΔt) they are
///   a_g = 1,  next a_g = z,  u = Δt²/(z − 2 + 1/z),  u − u_before = u·(1 − 1/z),  u_after − u = u·(z − 1)
/// the displacement by the rule that GroundMotion integrates with.
class LoopResponse {
 public:
  explicit LoopResponse(const Experiment& experiment);

  /// y/ü_g at a frequency [Hz].
  Eigen::VectorXcd at(double frequency) const;
  const StateSpace& system() const { return system_; }

 private:
  StateSpace system_;
};

/// A floor's signal as a combination of y: "storey2.displacement", ".velocity", ".acceleration" (all
/// relative to the ground), ".drift" (displacement relative to the floor below). Throws InputError.
struct ResponseSignal {
  std::string name, unit;
  std::vector<std::pair<int, double>> weights;  ///< (entry of y, weight)

  std::complex<double> of(const Eigen::VectorXcd& y) const;
};
ResponseSignal response_signal(const std::string& name, int floors);

/// The same of the whole structure without any test: −C·(s²M + sC + K)⁻¹·M·ι and its derivatives.
Eigen::VectorXcd exact_response(const LinearSystem& system, int floors, double frequency);

/// A peak of a curve over frequency: a local maximum that stands out by `prominence` (a ratio) from the
/// higher of the valleys beside it; its place by a parabola through three points of the logarithm.
struct Peak {
  double frequency = 0, magnitude = 0;
};
std::vector<Peak> find_peaks(const std::vector<double>& frequency, const std::vector<double>& magnitude,
                             double prominence);

}  // namespace gusset

#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "analysis/first_crossing.hpp"
#include "analysis/stability.hpp"
#include "build/experiment.hpp"
#include "document/document.hpp"

namespace gusset {

/// A vibration mode of the whole structure beside what the test makes of it. From an eigenvalue
/// λ = exp(s·Δt): frequency = Im s/2π (that of the zero crossings), damping = −Re s/|s|, period_error
/// = frequency/exact_frequency − 1 (Chen 2007's PE: positive where the test vibrates too fast).
struct Mode {
  double exact_frequency = 0;  ///< [Hz]
  double exact_damping = 0;
  std::optional<double> frequency;  ///< absent where the step is too coarse to hold the mode
  std::optional<double> damping;
  std::optional<double> period_error;
};

struct Analysis {
  double dt = 0;
  StabilityReport stability;     ///< the verdict, and what it comes from
  double spectral_radius = 0;    ///< at rest
  bool stable = true;            ///< the verdict
  double radius_resolution = 0;  ///< 0: from eigenvalues; else see Growth: a structure too large for them
  std::vector<std::complex<double>> eigenvalues;
  int state_size = 0;
  double reference_frequency = 0;  ///< [rad/s]
  Crossing limit;                  ///< over Δt [s]
  std::vector<Mode> modes;
  std::optional<Crossing> delay_margin;  ///< over extra delay [s]; absent without a specimen, and
                                         ///< for a large structure
  double interface_radius = 0;           ///< ρ(H): zero-stable if at most 1
};

/// The largest Δt for which the test is stable at it and at every smaller one (Wu's definition).
/// The rig keeps its step as near its nominal one as a whole number of sub-steps allows, and never more
/// than 2 % longer: a controller that samples slower is unstable for reasons the test does not have.
Crossing stability_limit(const Document& document);

/// The least pure delay in front of the rig, beyond what it has, that makes the loop unstable.
Crossing delay_margin(const Document& document, const Experiment& experiment);

/// Everything above for one test: searches over step and delay by the matrix at rest, the verdict by
/// judge_stability().
Analysis analyze(const Document& document, const Test& test);
/// The same without anything that acts on it: of a nonlinear loop only what is said at rest.
Analysis analyze(const Document& document);

/// Modes of the whole structure against the eigenvalues of the one-step matrix.
std::vector<Mode> compare_modes(const LinearSystem& whole, const Spectrum& spectrum, double dt);

/// ρ(H) as Δt → 0 (Wu 2009, appendix).
double interface_radius(const Document& document, const Experiment& experiment);

}  // namespace gusset

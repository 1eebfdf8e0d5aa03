#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "analysis/first_crossing.hpp"
#include "analysis/mode_table.hpp"
#include "analysis/stability.hpp"
#include "build/experiment.hpp"
#include "document/document.hpp"

namespace gusset {

/// What `analyze` tells of an experiment: its modes, and all that follows.
struct Analysis : ModeTable {
  double dt = 0;
  StabilityReport stability;     ///< the verdict, and what it comes from
  double spectral_radius = 0;    ///< at rest
  bool stable = true;            ///< the verdict
  double radius_resolution = 0;  ///< 0: from eigenvalues; else see Growth: a structure too large for them
  std::vector<std::complex<double>> eigenvalues;
  int state_size = 0;
  double reference_frequency = 0;        ///< [rad/s]
  Crossing limit;                        ///< over Δt [s]
  std::optional<Crossing> delay_margin;  ///< over extra delay [s]; absent without a specimen, and
                                         ///< for a large structure
  double interface_radius = 0;           ///< ρ(H): zero-stable if at most 1
  std::string interface_problem;         ///< why ρ(H) was not found; empty: it was
};

/// The largest Δt for which the test is stable at it and at every smaller one (Wu's definition).
/// The rig keeps its step as near its nominal one as a whole number of sub-steps allows, and never more
/// than 2 % longer: a controller that samples slower is unstable for reasons the test does not have.
Crossing stability_limit(const Document& document);

/// The least pure delay in front of the rig, beyond what it has, that makes the loop unstable.
Crossing delay_margin(const Document& document, const Experiment& experiment);

/// Everything above for one test: searches over step and delay by the matrix at rest, the verdict by
/// judge_stability(). A search that fails leaves its answer unknown and the others as they are.
Analysis analyze(const Document& document, const Test& test);
/// The same without anything that acts on it: of a nonlinear loop only what is said at rest.
Analysis analyze(const Document& document);

/// ρ(H) as Δt → 0 (Wu 2009, appendix). Throws InputError where no small step can be taken.
double interface_radius(const Document& document, const Experiment& experiment);

}  // namespace gusset

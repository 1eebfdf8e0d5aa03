#pragma once

#include "analysis/spectrum.hpp"
#include "build/experiment.hpp"

namespace gusset {

/// The spectral radius of a loop whose one-step matrix is too large to be taken apart, from the matrix's
/// action alone: a disturbance of all entries at once is carried along N steps, and
///
///   ρ ≈ (‖A^N·x‖/‖A^{N/2}·x‖)^{2/N}
///
/// with entries measured by their declared scales. A·x comes from `step`, as in Linearizer: around
/// zero if the loop is affine, else around the initial state, by small differences. A norm that only
/// sways leaves an error of some units of 1/N; a growth of less than that a step cannot be told, and
/// counts as stable.
struct Growth {
  double radius = 0;
  bool stable = true;
  double resolution = 0;  ///< what cannot be told from 1
};
/// `share` of the usual number of steps.
Growth growth(const Experiment& experiment, double share = 1);

/// Whether the one-step matrix is beyond what eigenvalues are taken of.
bool too_large_for_eigenvalues(const Experiment& experiment);

}  // namespace gusset

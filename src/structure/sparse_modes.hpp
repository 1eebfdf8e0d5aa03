#pragma once

#include "base/linear_system.hpp"
#include "structure/structure.hpp"

namespace gusset {

/// From this number of degrees of freedom on a structure is looked at through sparse matrices and its
/// lowest modes: all eigenvalues of a dense matrix take time with the cube of its size.
constexpr int large_structure = 300;

/// The `count` lowest modes of a sparse system M·ẍ + K·x = 0 by subspace iteration (Bathe 1996,
/// section 11.6): with X a block of q > count vectors,
///   Y = (K + σM)⁻¹·M·X,   then the small problem YᵀKY·z = ω²·YᵀMY·z,   X ← Y·Z,
/// until the frequencies stand still. σ = 0 unless something moves freely.
NaturalModes lowest_modes(const LinearSystem& system, int count);

/// The highest natural frequency [rad/s], by power iteration; a hundredth too low at most in practice.
double highest_frequency(const LinearSystem& system);

}  // namespace gusset

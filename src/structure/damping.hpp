#pragma once

#include "structure/structure.hpp"

namespace gusset {

/// Reads the damping of [structure], given its mass and stiffness. At most one of:
///   damping          shear buildings: one number, or a list from the lowest storey up
///   damping_ratio    one storey: C = 2·ζ·M_N·ω, ω that of frequency_of; several: modal damping with
///                    one ratio for all modes, or a list from the lowest mode up,
///                    C = M·Φ·diag(2·ζ_k·ω_k)·Φᵀ·M  with Φᵀ·M·Φ = I (Chopra 2012, eq. 11.4.9)
///   rayleigh         C = a·M + b·K: { mass_factor = "0.3 1/s", stiffness_factor = "1 ms" }, or
///                    { ratios = [0.02, 0.03], modes = [1, 3] }:  ζ_k = a/(2ω_k) + b·ω_k/2
///   damping_matrix   C itself
BandMatrix read_damping(const Document& document, const Section& section, const Structure& structure,
                        bool shear, double reference_frequency);

/// Storey quantities k_1 … k_n (between floor i and floor i − 1) as the tridiagonal floor matrix.
BandMatrix shear_matrix(const std::vector<double>& storeys);

/// structure.KEY as a symmetric band matrix.
BandMatrix read_matrix(const Section& section, std::string_view key, const Dimension& dimension);

/// Refuses a list that has not one value a storey.
void require_count(const Section& section, std::string_view key, std::size_t count, std::size_t wanted);

}  // namespace gusset

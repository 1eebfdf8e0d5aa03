#pragma once

#include "structure/structure.hpp"

namespace gusset {

/// The stiffness that damping is made from. With K_0 the linear part and the initial stiffness of every
/// restoring force of [[structure.restoring]] that counts,
///
///   K_0 = K + Σ b·k_0·bᵀ
///
/// A restoring force counts if it is a part of the structure (bilinear, elastic-plastic, Bouc–Wen, kinds of
/// one's own); a device (damper, friction, bearing, gap) only if it says rayleigh = true: its stiffness is
/// that of sticking or contact. Specimens never count: they bring their own damping along.
BandMatrix initial_stiffness(const Document& document, const Structure& structure);

/// Reads the damping of [structure] into `structure`, given its mass and stiffness. At most one of:
///   damping          shear buildings: one number, or a list from the lowest storey up
///   damping_ratio    one storey: C = 2·ζ·M_N·ω, ω that of frequency_of; several: modal damping with
///                    one ratio for all modes, or a list from the lowest mode up,
///                    C = M·Φ·diag(2·ζ_k·ω_k)·Φᵀ·M  with Φᵀ·M·Φ = I (Chopra 2012, eq. 11.4.9),
///                    both at the initial stiffness K_0
///   rayleigh         C = a·M + b·K: { mass_factor = "0.3 1/s", stiffness_factor = "1 ms" }, or
///                    { ratios = [0.02, 0.03], modes = [1, 3] }:  ζ_k = a/(2ω_k) + b·ω_k/2
///                    stiffness = "initial": K_0, for factors and modes; "linear": K alone;
///                    "tangent": a and b as with K_0, and the share of every force that counts follows its
///                    tangent, b·k_t(t) (NumericalStoreys takes b·(k_0 − k_t) away again)
///   damping_matrix   C itself
/// `frequency` is that of one storey, at K_0; `asked` whether its ratio is that of the numerical part.
void read_damping(const Document& document, const Section& section, Structure& structure, bool shear,
                  double frequency, bool asked);

/// Storey quantities k_1 … k_n (between floor i and floor i − 1) as the tridiagonal floor matrix.
BandMatrix shear_matrix(const std::vector<double>& storeys);

/// structure.KEY as a symmetric band matrix.
BandMatrix read_matrix(const Section& section, std::string_view key, const Dimension& dimension);

/// Refuses a list that has not one value a storey.
void require_count(const Section& section, std::string_view key, std::size_t count, std::size_t wanted);

}  // namespace gusset

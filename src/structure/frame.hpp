#pragma once

#include <Eigen/Core>
#include <vector>

#include "document/document.hpp"

namespace gusset {

/// A structure reduced to the degrees of freedom that have mass.
struct CondensedFrame {
  Eigen::MatrixXd stiffness;
  std::vector<double> masses;
  std::vector<double> influence;  ///< 1 where the ground moves it
};

/// A planar frame of Euler–Bernoulli beam-columns, from [[structure.node]] and [[structure.element]]:
///
///   node:     name, x, y; fixed = "xyr" (any of: horizontal, vertical, rotation); mass; floor = 1 …
///   element:  from, to (node names); modulus E, area A, inertia I; release = "none"|"from"|"to"|"both"
///
/// Nodes of one floor move together horizontally (rigid diaphragm). Small displacements, no shear
/// deformation, no geometric stiffness. In element axes, with u along, w across and θ the rotation,
///
///   axial  EA/L·[1 −1; −1 1],    bending  EI/L³·[12 6L −12 6L; 6L 4L² −6L 2L²; …]
///
/// a released end's moment being eliminated before assembly: k ← k − k_r·k_rᵀ/k_rr.
/// Dynamic degrees of freedom are the floors with mass, lowest number first, then the horizontal
/// motions of nodes that have mass and no floor, in the file's order. All others are eliminated by
/// static condensation (Guyan 1965, exact as they have no mass):
///   K = K_dd − K_ds·K_ss⁻¹·K_sd
CondensedFrame read_frame(const Document& document, const Section& section);

/// Whether [structure] describes one.
bool is_frame(const Document& document);

}  // namespace gusset

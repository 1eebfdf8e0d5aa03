#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "base/band_matrix.hpp"
#include "document/document.hpp"

namespace gusset {

struct LinearSystem;

/// A damping ratio that the file asks for.
struct AskedRatio {
  int mode;  ///< 1 is the lowest
  double ratio;
};

/// The numerical part:  M·ẍ + C·ẋ + K·x = −M·ι·a_g − Σ b·f  with x relative to the ground.
struct Structure {
  BandMatrix mass, damping, stiffness;
  std::vector<double> inertia;  ///< what the ground's acceleration acts on: M·ι, and masses of specimens
                                ///< whose rig does not move them with the ground

  std::vector<double> influence;  ///< ι: 1 where a degree of freedom moves with the ground

  std::vector<AskedRatio> asked = {};  ///< of the modes at the initial stiffness; empty: C is given otherwise
  double tangent_damping = 0;          ///< b of C = a·M + b·K_t, where C follows the tangent stiffness [s]

  int size() const { return mass.size(); }
  /// "storey1" is the lowest.
  static std::string name_of(int dof) { return "storey" + std::to_string(dof + 1); }
  /// Dense, or as lists of entries.
  LinearSystem linear_system(bool sparse = false) const;
};

/// What the specimens add to the whole structure at their interfaces; needed before the numerical
/// part is known, because its stiffness may be given by the frequency of the whole.
struct SpecimenShare {
  double mass = 0;             ///< M_E
  double stiffness = 0;        ///< K_E of springs given in N/m
  double stiffness_ratio = 0;  ///< K_E/K_N of springs given as a ratio
};

/// A numerical part together with the circular frequency its file refers to.
struct StructureReading {
  Structure structure;
  double reference_frequency = 0;  ///< ω of `frequency_of` [rad/s]
};

/// The masses of [structure] alone: ratios of the specimens refer to them.
std::vector<double> read_masses(const Document& document);

/// Reads [structure]. Either a planar frame (see frame.hpp), or matrices:
///   mass_matrix (or mass, a list), stiffness_matrix, influence (ι, ones if absent)
/// or a shear building of one or more storeys:
///   mass, stiffness, damping   one number, or a list from the lowest storey up
///   frequency                  one storey only, instead of stiffness:
///       frequency_of = "numerical":  K_N = ω²·M_N
///       frequency_of = "whole":      K_N + K_E = ω²·(M_N + M_E)
/// Damping of all of them: see damping.hpp.
StructureReading read_structure(const Document& document, const SpecimenShare& specimens);

/// Undamped circular frequencies of M·ẍ + K·x = 0, lowest first.
std::vector<double> natural_frequencies(const LinearSystem& system);

/// With their shapes, column by column: Φᵀ·M·Φ = I, Φᵀ·K·Φ = diag(ω²).
struct NaturalModes {
  std::vector<double> frequencies;
  Eigen::MatrixXd shapes;
};
NaturalModes natural_modes(const LinearSystem& system);

/// The lowest of them by inverse iteration on the bands, for structures too large for the above.
double lowest_frequency(const Structure& structure);

}  // namespace gusset

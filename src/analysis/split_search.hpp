#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "build/test.hpp"
#include "document/document.hpp"
#include "excitation/ground_motion.hpp"
#include "rig/capacity.hpp"

namespace gusset {

/// What one split asks of the equipment, as peaks over the test. With x_E, P_2 and ü_b from the exact
/// response of the whole structure, and the table's displacement by double integration with a high-pass:
///   table      stroke, velocity, acceleration of a_t;  force F_t = m_t·a_t + Σ(1 − α_m)·m·(ẍ_E + a_t) − ΣF
///   actuators  force; stroke and velocity of floor plus table, since they stand beside it; flow = A·v
///   power      greatest |F_t·v_t| + Σ|F·v|: what the pump must give
struct SplitDemand {
  double alpha_l = 0, alpha_m = 0, alpha_p = 0;
  double table_stroke = 0, table_velocity = 0, table_acceleration = 0;
  double actuator_force = 0, actuator_stroke = 0, actuator_flow = 0;
  double power = 0;
  double margin = 0;       ///< smallest capacity over demand; infinite where nothing is limited or asked
  std::string bottleneck;  ///< the quantity it belongs to
  std::optional<double> spectral_radius;  ///< absent where the split was not analysed
  bool possible = false, stable = false;

  bool good() const { return possible && stable; }
};

struct SplitSearch {
  std::vector<SplitDemand> grid;                        ///< every combination tried
  std::optional<SplitDemand> best_margin, least_power;  ///< among the possible and stable ones
  int points = 0;
  std::vector<double> table_alpha, mass_alpha;  ///< axes of the grid
};

struct SplitOptions {
  int points = 11;       ///< a coefficient
  int refinements = 14;  ///< rounds on ever finer grids around the best
  std::function<void(double)> progress;
};

/// Tries all combinations of α_l, α_m, α_p on a grid, then refines around the best. A split is stable if
/// `analyze` says so of the experiment with the file's own feedback and rig; one that it calls unstable is
/// never proposed.
SplitSearch search_splits(const Document& document, const Test& test, const SplitOptions& options);

}  // namespace gusset

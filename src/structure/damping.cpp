#include "structure/damping.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "base/linear_system.hpp"
#include "structure/restoring.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

constexpr Dimension per_second{.time = -1};

/// The structure as damping is made from it.
Structure at_rest(const Structure& structure, BandMatrix stiffness) {
  Structure rest = structure;
  rest.damping = BandMatrix(structure.size(), 0);
  rest.stiffness = std::move(stiffness);
  return rest;
}

BandMatrix modal_damping(const Section& section, const Structure& rest, std::vector<AskedRatio>& asked) {
  const auto n = static_cast<std::size_t>(rest.size());
  std::vector<double> ratios = section.list("damping_ratio", dim::none);
  if (ratios.size() == 1) ratios.assign(n, ratios.front());
  if (ratios.size() != n) {
    section.fail("damping_ratio",
                 "damping_ratio has " + std::to_string(ratios.size()) + " values, but there are " +
                     std::to_string(n) + " modes",
                 "give one ratio for all modes, or one for each, from the lowest mode up");
  }
  const LinearSystem system = rest.linear_system();
  const NaturalModes modes = natural_modes(system);
  Eigen::VectorXd rates(rest.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (ratios[i] < 0) section.fail("damping_ratio", "a damping ratio is negative", "give at least 0");
    rates(static_cast<Eigen::Index>(i)) = 2 * ratios[i] * modes.frequencies[i];
    asked.push_back({static_cast<int>(i) + 1, ratios[i]});
  }
  const Eigen::MatrixXd left = system.mass * modes.shapes;
  Eigen::MatrixXd c = left * rates.asDiagonal() * left.transpose();
  c = 0.5 * (c + c.transpose()).eval();
  return BandMatrix::from_dense(c.data(), rest.size());
}

/// a and b of C = a·M + b·K.
struct RayleighFactors {
  double mass = 0, stiffness = 0;
};

/// Those that give two modes their ratios.
RayleighFactors fit_rayleigh(const Section& section, const Structure& rest, std::vector<AskedRatio>& asked) {
  const std::vector<double> ratios = section.list("ratios", dim::none);
  const std::vector<int> modes = section.integers("modes", 1);
  if (ratios.size() != 2 || modes.size() != 2 || modes[0] == modes[1] ||
      std::max(modes[0], modes[1]) > rest.size()) {
    section.fail("modes", "Rayleigh damping fits two different modes of the structure, each with its ratio",
                 "write rayleigh = { ratios = [0.02, 0.02], modes = [1, 2] }");
  }
  if (std::min(ratios[0], ratios[1]) < 0) {
    section.fail("ratios", "a damping ratio is negative", "write zero or more");
  }
  const std::vector<double> all =
      rest.size() >= large_structure
          ? lowest_modes(rest.linear_system(true), std::max(modes[0], modes[1])).frequencies
          : natural_frequencies(rest.linear_system());
  const double w1 = all[static_cast<std::size_t>(modes[0]) - 1];
  const double w2 = all[static_cast<std::size_t>(modes[1]) - 1];
  // ζ_k = a/(2ω_k) + b·ω_k/2 at both (Chopra 2012, eq. 11.4.8).
  const double denominator = w2 * w2 - w1 * w1;
  if (!(std::abs(denominator) > 1e-12 * std::max(w1 * w1, w2 * w2))) {
    section.fail("modes", "the two modes have the same frequency, or no stiffness at all",
                 "choose other modes; with [[structure.restoring]] leave rayleigh.stiffness at \"initial\"");
  }
  RayleighFactors factors;
  factors.mass = 2 * w1 * w2 * (ratios[0] * w2 - ratios[1] * w1) / denominator;
  factors.stiffness = 2 * (ratios[1] * w2 - ratios[0] * w1) / denominator;
  const bool above = factors.stiffness < 0 && std::max(modes[0], modes[1]) < rest.size();
  const bool below = factors.mass < 0 && std::min(modes[0], modes[1]) > 1;
  if (above || below) {
    section.fail("ratios",
                 std::string("with these ratios the modes ") + (above ? "above" : "below") +
                     " the two have negative damping, and the structure shakes itself",
                 "choose ratios that differ less, other modes, or damping_ratio with one value a mode");
  }
  for (std::size_t i = 0; i < 2; ++i) asked.push_back({modes[i], ratios[i]});
  return factors;
}

RayleighFactors read_factors(const Section& section) {
  const RayleighFactors factors{section.number("mass_factor", per_second, 0),
                                section.number("stiffness_factor", dim::time, 0)};
  if (factors.mass < 0 || factors.stiffness < 0) {
    section.fail(factors.mass < 0 ? "mass_factor" : "stiffness_factor", "the factor is negative",
                 "give a value of at least 0");
  }
  return factors;
}

void rayleigh_damping(const Document& document, const Section& section, Structure& structure) {
  const std::string of = section.choice("stiffness", {"initial", "linear", "tangent"}, "initial");
  const Structure rest =
      at_rest(structure, of == "linear" ? structure.stiffness : initial_stiffness(document, structure));
  const RayleighFactors factors =
      section.has("ratios") ? fit_rayleigh(section, rest, structure.asked) : read_factors(section);
  structure.damping = BandMatrix(structure.size(), 0).plus(structure.mass, factors.mass);
  if (factors.stiffness == 0) return;
  structure.damping = structure.damping.plus(rest.stiffness, factors.stiffness);
  if (of == "tangent") structure.tangent_damping = factors.stiffness;
}

}  // namespace

BandMatrix shear_matrix(const std::vector<double>& storeys) {
  const int n = static_cast<int>(storeys.size());
  BandMatrix matrix(n, 1);
  for (int i = 0; i < n; ++i) {
    const double k = storeys[static_cast<std::size_t>(i)];
    matrix.add(i, i, k);
    if (i > 0) {
      matrix.add(i - 1, i - 1, k);
      matrix.add(i, i - 1, -k);
    }
  }
  return matrix;
}

void require_count(const Section& section, std::string_view key, std::size_t count, std::size_t wanted) {
  if (count == wanted) return;
  section.fail(key,
               section.name_of(key) + " has " + std::to_string(count) + " values, but there are " +
                   std::to_string(wanted) + " storeys (one a mass)",
               "give one value a storey, from the lowest up");
}

BandMatrix read_matrix(const Section& section, std::string_view key, const Dimension& dimension) {
  std::size_t columns = 0;
  const std::vector<double> values = section.matrix(key, dimension, columns);
  if (values.size() != columns * columns) {
    section.fail(key, section.name_of(key) + " is not square", "give as many rows as columns");
  }
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(values[i * columns + j] - values[j * columns + i]) > 1e-9 * largest) {
        section.fail(key,
                     section.name_of(key) + " is not symmetric: entries (" + std::to_string(i + 1) + ", " +
                         std::to_string(j + 1) + ") and (" + std::to_string(j + 1) + ", " +
                         std::to_string(i + 1) + ") differ",
                     "make them equal: a structure's matrices are symmetric");
      }
    }
  }
  return BandMatrix::from_dense(values.data(), static_cast<int>(columns));
}

BandMatrix initial_stiffness(const Document& document, const Structure& structure) {
  // The stiffness at rest is wanted before there is a place for the state: a layout to throw away.
  Layout layout;
  const double durations[] = {1, 1};
  std::vector<StoreyForce> forces = read_storey_forces(document, structure.size(), layout, durations);
  std::erase_if(forces, [](const StoreyForce& force) {
    return !force.restoring->damped() || force.restoring->stiffness() == 0;
  });
  if (forces.empty()) return structure.stiffness;
  BandMatrix sum = BandMatrix(structure.size(), structure.size() > 1 ? 1 : 0).plus(structure.stiffness, 1);
  for (const StoreyForce& force : forces) {
    for (const auto& [i, wi] : force.interface.weights) {
      for (const auto& [j, wj] : force.interface.weights) {
        if (j <= i) sum.add(i, j, force.restoring->stiffness() * wi * wj);
      }
    }
  }
  return sum;
}

void read_damping(const Document& document, const Section& section, Structure& structure, bool shear,
                  double frequency, bool asked) {
  const auto n = static_cast<std::size_t>(structure.size());
  const bool rayleigh = document.has_section("structure.rayleigh");
  int given = rayleigh ? 1 : 0;
  for (const char* key : {"damping", "damping_ratio", "damping_matrix"}) {
    if (section.has(key) && ++given > 1) {
      section.fail(key, "damping is given in two ways",
                   "keep one of damping, damping_ratio, damping_matrix and rayleigh");
    }
  }
  if (section.has("damping_matrix")) {
    structure.damping = read_matrix(section, "damping_matrix", dim::damping);
    require_count(section, "damping_matrix", static_cast<std::size_t>(structure.damping.size()), n);
    return;
  }
  if (rayleigh) return rayleigh_damping(document, document.section("structure.rayleigh"), structure);
  if (section.has("damping_ratio")) {
    if (n > 1 || !shear) {
      const Structure rest = at_rest(structure, initial_stiffness(document, structure));
      structure.damping = modal_damping(section, rest, structure.asked);
      return;
    }
    const double ratio = section.non_negative("damping_ratio", dim::none);
    structure.damping = BandMatrix::diagonal({2 * ratio * structure.mass(0, 0) * frequency});
    if (asked) structure.asked = {{1, ratio}};
    return;
  }
  structure.damping = BandMatrix(structure.size(), 0);
  if (!section.has("damping")) return;
  if (!shear) {
    section.fail("damping", "damping by storeys belongs to a shear building",
                 "give damping_ratio, rayleigh or damping_matrix");
  }
  const std::vector<double> damping = section.list("damping", dim::damping);
  require_count(section, "damping", damping.size(), n);
  for (const double c : damping) {
    if (c < 0) section.fail("damping", "damping is negative", "give a value of at least 0 N*s/m");
  }
  structure.damping = shear_matrix(damping);
}

}  // namespace gusset

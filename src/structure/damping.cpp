#include "structure/damping.hpp"

#include <Eigen/Core>
#include <cmath>

#include "base/linear_system.hpp"
#include "structure/sparse_modes.hpp"

namespace gusset {
namespace {

constexpr Dimension per_second{.time = -1};

BandMatrix modal_damping(const Section& section, const Structure& structure) {
  const auto n = static_cast<std::size_t>(structure.size());
  std::vector<double> ratios = section.list("damping_ratio", dim::none);
  if (ratios.size() == 1) ratios.assign(n, ratios.front());
  if (ratios.size() != n) {
    section.fail("damping_ratio",
                 "damping_ratio has " + std::to_string(ratios.size()) + " values, but there are " +
                     std::to_string(n) + " modes",
                 "give one ratio for all modes, or one for each, from the lowest mode up");
  }
  const NaturalModes modes = natural_modes(structure.linear_system());
  const Eigen::MatrixXd mass = structure.linear_system().mass;
  Eigen::VectorXd rates(structure.size());
  for (std::size_t i = 0; i < n; ++i) {
    if (ratios[i] < 0) section.fail("damping_ratio", "a damping ratio is negative", "give at least 0");
    rates(static_cast<Eigen::Index>(i)) = 2 * ratios[i] * modes.frequencies[i];
  }
  const Eigen::MatrixXd left = mass * modes.shapes;
  Eigen::MatrixXd c = left * rates.asDiagonal() * left.transpose();
  c = 0.5 * (c + c.transpose()).eval();
  return BandMatrix::from_dense(c.data(), structure.size());
}

BandMatrix rayleigh_damping(const Section& section, const Structure& structure) {
  double a = 0;
  double b = 0;
  if (section.has("ratios")) {
    const std::vector<double> ratios = section.list("ratios", dim::none);
    const std::vector<int> modes = section.integers("modes", 1);
    if (ratios.size() != 2 || modes.size() != 2 || modes[0] == modes[1] ||
        std::max(modes[0], modes[1]) > structure.size()) {
      section.fail("modes", "Rayleigh damping fits two different modes of the structure, each with its ratio",
                   "write rayleigh = { ratios = [0.02, 0.02], modes = [1, 2] }");
    }
    if (std::min(ratios[0], ratios[1]) < 0) {
      section.fail("ratios", "a damping ratio is negative", "write zero or more");
    }
    const std::vector<double> all =
        structure.size() >= large_structure
            ? lowest_modes(structure.linear_system(true), std::max(modes[0], modes[1])).frequencies
            : natural_frequencies(structure.linear_system());
    const double w1 = all[static_cast<std::size_t>(modes[0]) - 1];
    const double w2 = all[static_cast<std::size_t>(modes[1]) - 1];
    // ζ_k = a/(2ω_k) + b·ω_k/2 at both (Chopra 2012, eq. 11.4.8).
    const double denominator = w2 * w2 - w1 * w1;
    a = 2 * w1 * w2 * (ratios[0] * w2 - ratios[1] * w1) / denominator;
    b = 2 * (ratios[1] * w2 - ratios[0] * w1) / denominator;
    const bool above = b < 0 && std::max(modes[0], modes[1]) < structure.size();
    const bool below = a < 0 && std::min(modes[0], modes[1]) > 1;
    if (above || below) {
      section.fail("ratios",
                   std::string("with these ratios the modes ") + (above ? "above" : "below") +
                       " the two have negative damping, and the structure shakes itself",
                   "choose ratios that differ less, other modes, or damping_ratio with one value a mode");
    }
  } else {
    a = section.number("mass_factor", per_second, 0);
    b = section.number("stiffness_factor", dim::time, 0);
    if (a < 0 || b < 0) {
      section.fail(a < 0 ? "mass_factor" : "stiffness_factor", "the factor is negative",
                   "give a value of at least 0");
    }
  }
  BandMatrix c = BandMatrix(structure.size(), 0).plus(structure.mass, a);
  return b == 0 ? c : c.plus(structure.stiffness, b);
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

BandMatrix read_damping(const Document& document, const Section& section, const Structure& structure,
                        bool shear, double omega) {
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
    BandMatrix matrix = read_matrix(section, "damping_matrix", dim::damping);
    require_count(section, "damping_matrix", static_cast<std::size_t>(matrix.size()), n);
    return matrix;
  }
  if (rayleigh) return rayleigh_damping(document.section("structure.rayleigh"), structure);
  if (section.has("damping_ratio")) {
    if (n > 1 || !shear) return modal_damping(section, structure);
    return BandMatrix::diagonal(
        {2 * section.non_negative("damping_ratio", dim::none) * structure.mass(0, 0) * omega});
  }
  if (!section.has("damping")) return BandMatrix(structure.size(), 0);
  if (!shear) {
    section.fail("damping", "damping by storeys belongs to a shear building",
                 "give damping_ratio, rayleigh or damping_matrix");
  }
  const std::vector<double> damping = section.list("damping", dim::damping);
  require_count(section, "damping", damping.size(), n);
  for (const double c : damping) {
    if (c < 0) section.fail("damping", "damping is negative", "give a value of at least 0 N*s/m");
  }
  return shear_matrix(damping);
}

}  // namespace gusset

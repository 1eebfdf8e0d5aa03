#include "structure/structure.hpp"

#include <cmath>

#include "base/linear_system.hpp"
#include "structure/damping.hpp"
#include "structure/frame.hpp"

namespace gusset {
namespace {

std::vector<double> diagonal_of(const BandMatrix& matrix) { return matrix.band(0); }

/// M, K and ι of a structure that is not a shear building.
StructureReading read_general(const Document& document, const Section& section) {
  StructureReading reading;
  Structure& structure = reading.structure;
  if (is_frame(document)) {
    const CondensedFrame frame = read_frame(document, section);
    structure.mass = BandMatrix::diagonal(frame.masses);
    structure.stiffness = BandMatrix::from_dense(frame.stiffness.data(), structure.mass.size());
    structure.influence = frame.influence;
  } else {
    structure.mass = section.has("mass_matrix") ? read_matrix(section, "mass_matrix", dim::mass)
                                                : BandMatrix::diagonal(read_masses(document));
    const auto n = static_cast<std::size_t>(structure.size());
    structure.stiffness = read_matrix(section, "stiffness_matrix", dim::stiffness);
    require_count(section, "stiffness_matrix", static_cast<std::size_t>(structure.stiffness.size()), n);
    structure.influence.assign(n, 1.0);
    if (section.has("influence")) {
      structure.influence = section.list("influence", dim::none);
      require_count(section, "influence", structure.influence.size(), n);
    }
    if (!BandFactor(structure.mass).ok()) {
      section.fail("mass_matrix", "the mass matrix is not positive definite",
                   "every degree of freedom needs mass; condense those without");
    }
  }
  structure.inertia.resize(structure.influence.size());
  structure.mass.multiply(structure.influence.data(), structure.inertia.data());
  read_damping(document, section, structure, false, 0, true);
  return reading;
}

void list_entries(const BandMatrix& matrix, LinearSystem::Entries& entries) {
  for (int k = 0; k <= matrix.half_bandwidth(); ++k) {
    for (int i = 0; i + k < matrix.size(); ++i) {
      const double below = matrix(i + k, i), above = matrix(i, i + k);
      if (below != 0) entries.emplace_back(i + k, i, below);
      if (k > 0 && above != 0) entries.emplace_back(i, i + k, above);
    }
  }
}

bool is_shear(const Document& document, const Section& section) {
  return !is_frame(document) && !section.has("stiffness_matrix") && !section.has("mass_matrix");
}

}  // namespace

LinearSystem Structure::linear_system(bool sparse) const {
  const int n = size();
  LinearSystem system;
  system.influence = Eigen::Map<const Eigen::VectorXd>(influence.data(), n);
  if (sparse) {
    system.sparse = true;
    list_entries(mass, system.mass_entries);
    list_entries(damping, system.damping_entries);
    list_entries(stiffness, system.stiffness_entries);
    return system;
  }
  system.mass.resize(n, n);
  system.damping.resize(n, n);
  system.stiffness.resize(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      system.mass(i, j) = mass(i, j);
      system.damping(i, j) = damping(i, j);
      system.stiffness(i, j) = stiffness(i, j);
    }
  }
  return system;
}

std::vector<double> read_masses(const Document& document) {
  const Section& section = document.section("structure");
  if (is_frame(document)) return read_frame(document, section).masses;
  if (section.has("mass_matrix")) return diagonal_of(read_matrix(section, "mass_matrix", dim::mass));
  std::vector<double> masses = section.list("mass", dim::mass);
  if (masses.empty()) section.fail("mass", "the list of masses is empty", "give one mass a storey");
  for (const double m : masses) {
    if (!(m > 0)) {
      section.fail("mass", section.name_of("mass") + " must be greater than zero",
                   "every storey needs mass; write e.g. mass = \"300 kg\"");
    }
  }
  return masses;
}

StructureReading read_structure(const Document& document, const SpecimenShare& specimens) {
  const Section& section = document.section("structure");
  const bool whole = section.choice("frequency_of", {"numerical", "whole"}, "numerical") == "whole";
  if (!is_shear(document, section)) return read_general(document, section);
  const std::vector<double> masses = read_masses(document);
  const double m = masses.front();
  double omega = 0;
  std::vector<double> stiffness;
  if (section.has("frequency")) {
    if (section.has("stiffness")) {
      section.fail("frequency", "both stiffness and frequency are given", "keep one of them");
    }
    if (masses.size() > 1) {
      section.fail("frequency",
                   "frequency describes one storey, this structure has " + std::to_string(masses.size()),
                   "give stiffness as a list, one value a storey");
    }
    omega = section.positive("frequency", dim::frequency);
    double k = omega * omega * m;
    if (whole) {
      k = (omega * omega * (m + specimens.mass) - specimens.stiffness) / (1 + specimens.stiffness_ratio);
    }
    if (!(k > 0)) {
      section.fail("frequency", "the specimen alone is stiffer than this frequency of the whole",
                   "raise the frequency or lower the specimen's stiffness");
    }
    stiffness = {k};
  } else {
    stiffness = section.list("stiffness", dim::stiffness);
    require_count(section, "stiffness", stiffness.size(), masses.size());
    for (const double k : stiffness) {
      if (k < 0) section.fail("stiffness", "stiffness is negative", "give a value above 0 N/m");
    }
    if (masses.size() == 1) {
      const double k = stiffness.front();
      omega = std::sqrt(
          whole ? (k * (1 + specimens.stiffness_ratio) + specimens.stiffness) / (m + specimens.mass) : k / m);
    }
  }

  StructureReading reading;
  reading.structure.stiffness = shear_matrix(stiffness);
  reading.structure.inertia = masses;
  reading.structure.influence.assign(masses.size(), 1.0);
  reading.structure.mass = BandMatrix::diagonal(masses);
  double initial = omega;
  if (masses.size() == 1 && section.has("damping_ratio")) {
    const BandMatrix rest = initial_stiffness(document, reading.structure);
    const double added = rest(0, 0) - reading.structure.stiffness(0, 0);
    if (added != 0) initial = std::sqrt(omega * omega + added / (m + (whole ? specimens.mass : 0)));
  }
  read_damping(document, section, reading.structure, true, initial, !whole);
  reading.reference_frequency = omega;
  return reading;
}

}  // namespace gusset

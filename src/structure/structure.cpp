#include "structure/structure.hpp"

#include <cmath>

#include "base/linear_system.hpp"

namespace gusset {
namespace {

/// Storey quantities k_1 … k_n (between floor i and floor i − 1) as the tridiagonal floor matrix.
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

void require_count(const Section& section, std::string_view key, std::size_t count,
                   std::size_t wanted) {
  if (count == wanted) return;
  section.fail(key,
               section.name_of(key) + " has " + std::to_string(count) + " values, but there are " +
                   std::to_string(wanted) + " storeys (one a mass)",
               "give one value a storey, from the lowest up");
}

std::vector<double> read_damping(const Section& section, std::size_t storeys, double mass,
                                 double omega) {
  if (section.has("damping_ratio")) {
    if (section.has("damping")) {
      section.fail("damping_ratio", "both damping and damping_ratio are given", "keep one of them");
    }
    if (storeys > 1) {
      section.fail("damping_ratio", "damping_ratio describes one storey, this structure has " +
                                        std::to_string(storeys),
                   "give damping as a list, one value a storey");
    }
    return {2 * section.non_negative("damping_ratio", dim::none) * mass * omega};
  }
  if (!section.has("damping")) return std::vector<double>(storeys, 0.0);
  std::vector<double> damping = section.list("damping", dim::damping);
  require_count(section, "damping", damping.size(), storeys);
  for (const double c : damping) {
    if (c < 0) section.fail("damping", "damping is negative", "give a value of at least 0 N*s/m");
  }
  return damping;
}

}  // namespace

LinearSystem Structure::linear_system() const {
  const int n = size();
  LinearSystem system;
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
  system.influence = Eigen::VectorXd::Ones(n);
  return system;
}

std::vector<double> read_masses(const Section& section) {
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

StructureReading read_structure(const Section& section, const SpecimenShare& specimens) {
  const std::vector<double> masses = read_masses(section);
  const bool whole =
      section.choice("frequency_of", {"numerical", "whole"}, "numerical") == "whole";
  const double m = masses.front();
  double omega = 0;
  std::vector<double> stiffness;
  if (section.has("frequency")) {
    if (section.has("stiffness")) {
      section.fail("frequency", "both stiffness and frequency are given", "keep one of them");
    }
    if (masses.size() > 1) {
      section.fail("frequency", "frequency describes one storey, this structure has " +
                                    std::to_string(masses.size()),
                   "give stiffness as a list, one value a storey");
    }
    omega = section.positive("frequency", dim::frequency);
    double k = omega * omega * m;
    if (whole) {
      k = (omega * omega * (m + specimens.mass) - specimens.stiffness) /
          (1 + specimens.stiffness_ratio);
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
      omega = std::sqrt(whole ? (k * (1 + specimens.stiffness_ratio) + specimens.stiffness) /
                                    (m + specimens.mass)
                              : k / m);
    }
  }

  StructureReading reading;
  reading.structure.stiffness = shear_matrix(stiffness);
  reading.structure.damping = shear_matrix(read_damping(section, masses.size(), m, omega));
  reading.structure.inertia = masses;
  reading.structure.mass = BandMatrix::diagonal(masses);
  reading.reference_frequency = omega;
  return reading;
}

}  // namespace gusset

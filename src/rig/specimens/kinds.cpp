#include "rig/specimens/kinds.hpp"

namespace gusset {

const std::vector<const SpecimenKind*>& specimen_kinds() {
  static const std::vector<const SpecimenKind*> kinds = [] {
    std::vector<const SpecimenKind*> all{
        &mass_kind, &oscillator_kind, &spring_kind, &dashpot_kind, &sum_kind,
    };
    for (const SpecimenKind& kind : restoring_specimen_kinds()) all.push_back(&kind);
    return all;
  }();
  return kinds;
}

const SpecimenKind& specimen_kind(const Section& section) {
  // "none" is dealt with before, and makes no sense as a part of a sum.
  const bool part = section.path.find("parts") != std::string::npos;
  return find_kind(specimen_kinds(), section, {}, part ? "" : "none");
}

double read_specimen_mass(const Section& section, double numerical_mass) {
  if (section.has("mass") && section.has("mass_ratio")) {
    section.fail("mass_ratio", "both mass and mass_ratio are given", "keep one of them");
  }
  if (section.has("mass")) return section.positive("mass", dim::mass);
  return section.non_negative("mass_ratio", dim::none) * numerical_mass;
}

}  // namespace gusset

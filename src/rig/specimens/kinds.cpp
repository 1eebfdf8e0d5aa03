#include "rig/specimens/kinds.hpp"

namespace gusset {

namespace {

std::vector<const SpecimenKind*>& table() {
#define GUSSET_LINE(name) &name##_kind,
  static std::vector<const SpecimenKind*> kinds = [] {
    std::vector<const SpecimenKind*> all{GUSSET_SPECIMENS(GUSSET_LINE)};
    for (const SpecimenKind& kind : restoring_specimen_kinds()) all.push_back(&kind);
    return all;
  }();
#undef GUSSET_LINE
  return kinds;
}

}  // namespace

const std::vector<const SpecimenKind*>& specimen_kinds() { return table(); }
void add_kind(const SpecimenKind& kind) { add_to(table(), kind); }
void remove_kind(const SpecimenKind& kind) { remove_from(table(), kind); }

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

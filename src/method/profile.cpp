#include "method/profile.hpp"

namespace gusset {

Profile read_profile(const Section& section, Profile fallback) {
  const std::string name =
      section.choice("profile", {"ramp", "quadratic", "b-spline"}, name_of(fallback));
  if (name == "ramp") return Profile::ramp;
  if (name == "quadratic") return Profile::quadratic;
  return Profile::b_spline;
}

const char* name_of(Profile profile) {
  switch (profile) {
    case Profile::ramp: return "ramp";
    case Profile::quadratic: return "quadratic";
    case Profile::b_spline: break;
  }
  return "b-spline";
}

}  // namespace gusset

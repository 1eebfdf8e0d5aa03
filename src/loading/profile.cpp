#include "loading/profile.hpp"

namespace gusset {

Profile read_profile(const Section& section, Profile fallback) {
  const std::string name =
      section.choice("profile", {"ramp", "quadratic", "b-spline", "p1", "p2", "p3"}, name_of(fallback));
  if (name == "ramp") return Profile::ramp;
  if (name == "quadratic") return Profile::quadratic;
  if (name == "p1") return Profile::p1;
  if (name == "p2") return Profile::p2;
  if (name == "p3") return Profile::p3;
  return Profile::b_spline;
}

const char* name_of(Profile profile) {
  switch (profile) {
    case Profile::ramp: return "ramp";
    case Profile::quadratic: return "quadratic";
    case Profile::p1: return "p1";
    case Profile::p2: return "p2";
    case Profile::p3: return "p3";
    case Profile::b_spline: break;
  }
  return "b-spline";
}

}  // namespace gusset

#include "base/quantity_text.hpp"

#include <cmath>
#include <cstdio>
#include <string_view>
#include <utility>

namespace gusset {

std::string brief(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value == 0 ? 0 : value);  // no "-0"
  return text;
}

ShownUnit shown_unit(const std::string& si_unit, double peak) {
  const double size = std::abs(peak);
  if (si_unit == "m" || si_unit == "m/s") {
    if (size != 0 && size < 1) return {"m" + si_unit, 1e3};
  } else if (si_unit == "s") {
    if (size != 0 && size < 1e-4) return {"µs", 1e6};
    if (size != 0 && size < 0.5) return {"ms", 1e3};
  } else if (si_unit == "m^3/s") {
    return {"l/min", 6e4};
  } else if (si_unit == "N" || si_unit == "J") {
    if (size >= 1e6) return {"M" + si_unit, 1e-6};
    if (size >= 1e3) return {"k" + si_unit, 1e-3};
  } else if (si_unit == "m^3/s") {
    return {"l/min", 6e4};  // as on the plates of valves and pumps
  }
  return {si_unit, 1};
}

std::string typeset(std::string text) {
  for (const auto& [plain, sign] : {std::pair{"^2", "²"}, std::pair{"^3", "³"}, std::pair{"*", "·"}}) {
    for (std::size_t at = text.find(plain); at != std::string::npos; at = text.find(plain)) {
      text.replace(at, std::string_view(plain).size(), sign);
    }
  }
  return text;
}

std::string readable(double value, const std::string& si_unit) {
  const ShownUnit shown = shown_unit(si_unit, value);
  return brief(value * shown.factor) + (shown.unit.empty() ? "" : " " + shown.unit);
}

}  // namespace gusset

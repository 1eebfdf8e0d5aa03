#pragma once

#include <string>

namespace gusset {

/// Four significant digits.
std::string brief(double value);

/// "12.3 mm", "0.45 kN": a quantity for people, with a prefix that suits its size.
std::string readable(double value, const std::string& si_unit);

/// Units as they are written in a file, typeset: "m/s^2" as "m/s²", "N*s/m" as "N·s/m".
std::string typeset(std::string text);

/// The unit in which values up to `peak` are best drawn or listed: "mm" for 0.03 m.
struct ShownUnit {
  std::string unit;
  double factor = 1;  ///< from SI to it
};
ShownUnit shown_unit(const std::string& si_unit, double peak);

}  // namespace gusset

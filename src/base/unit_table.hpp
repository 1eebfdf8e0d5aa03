#pragma once

#include <string>
#include <string_view>

#include "base/units.hpp"

namespace gusset::detail {

/// One unit the user may write. The factor to SI is kept as a fraction of two exact doubles, so
/// that "10 ms" is 10/1000, the very double a programmer writes as 0.01, and not 10*0.001.
struct Unit {
  std::string_view name;
  double numerator;
  double denominator;
  Dimension dimension;
};

/// nullptr if there is no such unit. Upper and lower case differ: MN is not mN.
const Unit* find_unit(std::string_view name);

/// What to write instead of an unknown unit: the nearest one, or a word of explanation.
std::string unit_advice(std::string_view name);

/// What a dimension is called.
struct DimensionName {
  Dimension dimension;
  std::string_view si;        ///< "N*s/m"
  std::string_view noun;      ///< "a damping coefficient"
  std::string_view examples;  ///< "N*s/m, kN*s/m or kip*s/in"
};

/// nullptr for a dimension without a usual name.
const DimensionName* find_dimension_name(const Dimension& dimension);

/// "a mass", or "a quantity in m/s^3" for a dimension without a usual name.
std::string dimension_noun(const Dimension& dimension);

/// The first of the examples: the unit a fix is written with.
std::string usual_unit(const Dimension& dimension);

}  // namespace gusset::detail

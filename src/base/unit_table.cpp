#include "base/unit_table.hpp"

#include <array>
#include <numbers>
#include <vector>

#include "base/error.hpp"

namespace gusset::detail {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double lbf = 44482216152605;  // 1e-13 N: 0.45359237 kg * 9.80665 m/s^2, exactly
constexpr Dimension current{.current = 1};

// There is no gram: in this field "g" is standard gravity, and a letter must not mean two things.
// For the same reason "gal" is the galileo (cm/s^2) and there is no gallon, only gpm.
constexpr std::array units{
    Unit{"m", 1, 1, dim::length}, Unit{"cm", 1, 100, dim::length}, Unit{"mm", 1, 1000, dim::length},
    Unit{"um", 1, 1e6, dim::length}, Unit{"µm", 1, 1e6, dim::length},  // U+00B5, the sign on keyboards
    Unit{"μm", 1, 1e6, dim::length},                                   // U+03BC, the Greek letter
    Unit{"km", 1000, 1, dim::length}, Unit{"in", 254, 10000, dim::length},
    Unit{"ft", 3048, 10000, dim::length}, Unit{"yd", 9144, 10000, dim::length},

    Unit{"s", 1, 1, dim::time}, Unit{"ms", 1, 1000, dim::time}, Unit{"us", 1, 1e6, dim::time},
    Unit{"µs", 1, 1e6, dim::time}, Unit{"μs", 1, 1e6, dim::time}, Unit{"min", 60, 1, dim::time},
    Unit{"h", 3600, 1, dim::time},

    // A cycle is 2*pi radians; inside, every frequency is in rad/s.
    Unit{"Hz", 2 * pi, 1, dim::frequency}, Unit{"kHz", 2000 * pi, 1, dim::frequency},
    Unit{"rpm", 2 * pi, 60, dim::frequency}, Unit{"rad", 1, 1, dim::angle}, Unit{"mrad", 1, 1000, dim::angle},
    Unit{"deg", pi, 180, dim::angle}, Unit{"rev", 2 * pi, 1, dim::angle},

    Unit{"N", 1, 1, dim::force}, Unit{"kN", 1000, 1, dim::force}, Unit{"MN", 1e6, 1, dim::force},
    Unit{"mN", 1, 1000, dim::force}, Unit{"lbf", lbf, 1e13, dim::force}, Unit{"kip", lbf, 1e10, dim::force},
    Unit{"kgf", 980665, 1e5, dim::force}, Unit{"tf", 980665, 100, dim::force},

    Unit{"kg", 1, 1, dim::mass}, Unit{"t", 1000, 1, dim::mass}, Unit{"Mg", 1000, 1, dim::mass},
    Unit{"lb", 45359237, 1e8, dim::mass}, Unit{"lbm", 45359237, 1e8, dim::mass},
    Unit{"slug", lbf, 3048e9, dim::mass},  // lbf*s^2/ft

    Unit{"g", 980665, 1e5, dim::acceleration}, Unit{"gal", 1, 100, dim::acceleration},
    Unit{"mgal", 1, 1e5, dim::acceleration},

    Unit{"Pa", 1, 1, dim::pressure}, Unit{"kPa", 1000, 1, dim::pressure}, Unit{"MPa", 1e6, 1, dim::pressure},
    Unit{"GPa", 1e9, 1, dim::pressure}, Unit{"bar", 1e5, 1, dim::pressure},
    Unit{"psi", lbf, 64516e5, dim::pressure},  // lbf/in^2; 1 in^2 = 64516e-8 m^2
    Unit{"ksi", lbf, 64516e2, dim::pressure}, Unit{"atm", 101325, 1, dim::pressure},

    Unit{"V", 1, 1, dim::voltage}, Unit{"mV", 1, 1000, dim::voltage}, Unit{"A", 1, 1, current},
    Unit{"mA", 1, 1000, current},

    Unit{"L", 1, 1000, dim::volume}, Unit{"l", 1, 1000, dim::volume}, Unit{"mL", 1, 1e6, dim::volume},
    Unit{"gpm", 3785411784, 60e12, dim::flow},  // US gallon = 231 in^3 = 3.785411784e-3 m^3
    Unit{"lpm", 1, 60e3, dim::flow},

    Unit{"J", 1, 1, dim::energy}, Unit{"kJ", 1000, 1, dim::energy}, Unit{"W", 1, 1, dim::power},
    Unit{"kW", 1000, 1, dim::power}, Unit{"MW", 1e6, 1, dim::power},
    Unit{"hp", 16764 * lbf, 1e15, dim::power},  // 550 ft*lbf/s; 550 ft = 167.64 m
};

constexpr std::array dimension_names{
    DimensionName{dim::none, "1", "a number without a unit", "no unit"},
    DimensionName{dim::length, "m", "a length", "m, mm or in"},
    DimensionName{dim::mass, "kg", "a mass", "kg, t or slug"},
    DimensionName{dim::time, "s", "a time", "s, ms or min"},
    DimensionName{current, "A", "a current", "A or mA"},
    DimensionName{dim::angle, "rad", "an angle", "rad, mrad or deg"},
    DimensionName{dim::frequency, "rad/s", "a frequency", "Hz, rad/s or rpm"},
    DimensionName{dim::velocity, "m/s", "a velocity", "m/s, mm/s or in/s"},
    DimensionName{dim::acceleration, "m/s^2", "an acceleration", "m/s^2, g or gal"},
    DimensionName{{.time = -2, .angle = 1}, "rad/s^2", "an angular acceleration", "rad/s^2 or deg/s^2"},
    DimensionName{{.time = -1}, "1/s", "a rate", "1/s or 1/min"},
    DimensionName{dim::force, "N", "a force", "N, kN or kip"},
    DimensionName{dim::stiffness, "N/m", "a stiffness", "N/m, kN/mm or kip/in"},
    DimensionName{dim::damping, "N*s/m", "a damping coefficient", "N*s/m, kN*s/m or kip*s/in"},
    DimensionName{dim::pressure, "Pa", "a pressure", "Pa, MPa or psi"},
    DimensionName{dim::area, "m^2", "an area", "m^2, mm^2 or in^2"},
    DimensionName{dim::volume, "m^3", "a volume", "m^3, L or in^3"},
    DimensionName{dim::flow, "m^3/s", "a flow", "m^3/s, L/s or gpm"},
    DimensionName{dim::energy, "J", "an energy", "J, kJ or kip*in"},
    DimensionName{dim::power, "W", "a power", "W, kW or hp"},
    DimensionName{dim::voltage, "V", "a voltage", "V or mV"},
};

struct Advice {
  std::string_view word;
  std::string_view fix;
};

// Spellings people use that no edit distance would lead to the right unit.
constexpr std::string_view no_gram =
    "g is standard gravity here and there is no gram; write a mass in kg (1e-3 kg)";
constexpr std::array advices{
    Advice{"gram", no_gram},
    Advice{"grams", no_gram},
    Advice{"gramme", no_gram},
    Advice{"gr", no_gram},
    Advice{"gm", no_gram},
    Advice{"mg", "write 1e-3 g for a thousandth of gravity, or 1e-6 kg for a milligram"},
    Advice{"gallon", "gal is cm/s^2 here and there is no gallon; write L, in^3 or, for a flow, gpm"},
    Advice{"gallons", "gal is cm/s^2 here and there is no gallon; write L, in^3 or, for a flow, gpm"},
    Advice{"lbs", "write lb for a mass, lbf for a force"},
    Advice{"pound", "write lb for a mass, lbf for a force"},
    Advice{"pounds", "write lb for a mass, lbf for a force"},
    Advice{"ton", "write t (1000 kg) for a mass, tf for a force"},
    Advice{"tons", "write t (1000 kg) for a mass, tf for a force"},
    Advice{"tonf", "did you mean tf?"},
    Advice{"sec", "did you mean s?"},
    Advice{"secs", "did you mean s?"},
    Advice{"second", "did you mean s?"},
    Advice{"seconds", "did you mean s?"},
    Advice{"msec", "did you mean ms?"},
    Advice{"usec", "did you mean us?"},
    Advice{"minute", "did you mean min?"},
    Advice{"minutes", "did you mean min?"},
    Advice{"hr", "did you mean h?"},
    Advice{"hour", "did you mean h?"},
    Advice{"hours", "did you mean h?"},
    Advice{"inch", "did you mean in?"},
    Advice{"inches", "did you mean in?"},
    Advice{"foot", "did you mean ft?"},
    Advice{"feet", "did you mean ft?"},
    Advice{"yard", "did you mean yd?"},
    Advice{"meter", "did you mean m?"},
    Advice{"meters", "did you mean m?"},
    Advice{"metre", "did you mean m?"},
    Advice{"metres", "did you mean m?"},
    Advice{"micron", "did you mean um?"},
    Advice{"newton", "did you mean N?"},
    Advice{"newtons", "did you mean N?"},
    Advice{"Nm", "put * between the units: N*m"},
    Advice{"kNm", "put * between the units: kN*m"},
    Advice{"Ns", "put * between the units: N*s"},
    Advice{"kips", "did you mean kip?"},
    Advice{"hertz", "did you mean Hz?"},
    Advice{"cps", "did you mean Hz?"},
    Advice{"degree", "did you mean deg?"},
    Advice{"degrees", "did you mean deg?"},
    Advice{"radian", "did you mean rad?"},
    Advice{"radians", "did you mean rad?"},
    Advice{"volt", "did you mean V?"},
    Advice{"volts", "did you mean V?"},
    Advice{"amp", "did you mean A?"},
    Advice{"amps", "did you mean A?"},
    Advice{"liter", "did you mean L?"},
    Advice{"litre", "did you mean L?"},
    Advice{"pascal", "did you mean Pa?"},
    Advice{"percent", "write the fraction as a bare number: 0.05 for five percent"},
};

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : int{c}; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace

const Unit* find_unit(std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

std::string unit_advice(std::string_view name) {
  for (const Advice& advice : advices) {
    if (advice.word == name) return std::string(advice.fix);
  }
  std::vector<std::string_view> other_case;
  std::vector<std::string_view> names;
  for (const Unit& unit : units) {
    names.push_back(unit.name);
    if (same_letters(unit.name, name)) other_case.push_back(unit.name);
  }
  if (!other_case.empty()) {
    return "upper and lower case matter: did you mean " + alternatives(other_case) + "?";
  }
  for (const Advice& advice : advices) {
    if (same_letters(advice.word, name)) return std::string(advice.fix);
  }
  if (const std::string_view near = nearest(name, names); !near.empty()) {
    return "did you mean " + std::string(near) + "?";
  }
  return "use units such as m, mm, in, s, ms, Hz, kg, t, N, kN, kip, g, MPa, joined by * / ^";
}

const DimensionName* find_dimension_name(const Dimension& dimension) {
  for (const DimensionName& name : dimension_names) {
    if (name.dimension == dimension) return &name;
  }
  return nullptr;
}

std::string dimension_noun(const Dimension& dimension) {
  if (const DimensionName* name = find_dimension_name(dimension)) return std::string(name->noun);
  return "a quantity in " + si_unit(dimension);
}

std::string usual_unit(const Dimension& dimension) {
  if (dimension == dim::none) return {};
  const std::string examples = unit_examples(dimension);
  return examples.substr(0, examples.find_first_of(", "));
}

}  // namespace gusset::detail

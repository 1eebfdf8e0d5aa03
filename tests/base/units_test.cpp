#include "base/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <clocale>
#include <cmath>
#include <numbers>
#include <string>

namespace gusset {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double inch = 0.0254, foot = 0.3048, lbf = 0.45359237 * 9.80665;

struct Case {
  const char* text;
  double value;
  Dimension dimension;
};

class Definition : public testing::TestWithParam<Case> {};

TEST_P(Definition, ConvertsExactly) {
  const Case& c = GetParam();
  const Quantity q = parse_quantity(c.text);
  EXPECT_DOUBLE_EQ(q.value, c.value);
  EXPECT_TRUE(q.dimension == c.dimension) << si_unit(q.dimension);
}

INSTANTIATE_TEST_SUITE_P(
    Units, Definition,
    testing::Values(
        Case{"3 m", 3, dim::length}, Case{"1 cm", 0.01, dim::length}, Case{"1 mm", 1e-3, dim::length},
        Case{"1 um", 1e-6, dim::length}, Case{"1 µm", 1e-6, dim::length}, Case{"1 μs", 1e-6, dim::time},
        Case{"1 km", 1e3, dim::length}, Case{"1 in", inch, dim::length}, Case{"1 ft", 12 * inch, dim::length},
        Case{"1 yd", 36 * inch, dim::length}, Case{"10 ms", 0.01, dim::time}, Case{"1 us", 1e-6, dim::time},
        Case{"1 min", 60, dim::time}, Case{"1 h", 3600, dim::time}, Case{"1 Hz", 2 * pi, dim::frequency},
        Case{"1 kHz", 2000 * pi, dim::frequency}, Case{"60 rpm", 2 * pi, dim::frequency},
        Case{"1 rad/s", 1, dim::frequency}, Case{"1 rev/s", 2 * pi, dim::frequency},
        Case{"180 deg", pi, dim::angle}, Case{"1 mrad", 1e-3, dim::angle}, Case{"1 kN", 1e3, dim::force},
        Case{"1 MN", 1e6, dim::force}, Case{"1 mN", 1e-3, dim::force},
        Case{"1 lbf", 4.4482216152605, dim::force}, Case{"1 lbf", lbf, dim::force},
        Case{"1 kip", 4448.2216152605, dim::force}, Case{"1 kgf", 9.80665, dim::force},
        Case{"1 tf", 9806.65, dim::force}, Case{"1 t", 1000, dim::mass}, Case{"1 Mg", 1000, dim::mass},
        Case{"1 lb", 0.45359237, dim::mass}, Case{"1 lbm", 0.45359237, dim::mass},
        Case{"1 slug", lbf / foot, dim::mass}, Case{"1 g", 9.80665, dim::acceleration},
        Case{"1 gal", 0.01, dim::acceleration}, Case{"1 mgal", 1e-5, dim::acceleration},
        Case{"1 kPa", 1e3, dim::pressure}, Case{"1 MPa", 1e6, dim::pressure},
        Case{"1 GPa", 1e9, dim::pressure}, Case{"1 bar", 1e5, dim::pressure},
        Case{"1 psi", lbf / (inch * inch), dim::pressure},
        Case{"1 ksi", 1000 * lbf / (inch * inch), dim::pressure}, Case{"1 atm", 101325, dim::pressure},
        Case{"1 mV", 1e-3, dim::voltage}, Case{"1 W/A", 1, dim::voltage}, Case{"1 mA", 1e-3, {.current = 1}},
        Case{"1 L", 1e-3, dim::volume}, Case{"1 l", 1e-3, dim::volume}, Case{"1 mL", 1e-6, dim::volume},
        Case{"1 gpm", 231 * inch* inch* inch / 60, dim::flow}, Case{"60000 lpm", 1, dim::flow},
        Case{"1 kJ", 1e3, dim::energy}, Case{"1 N*m", 1, dim::energy}, Case{"1 MW", 1e6, dim::power},
        Case{"1 kW", 1e3, dim::power}, Case{"1 hp", 550 * foot* lbf, dim::power},
        Case{"8.8e-4 kip*s^2/in", 8.8e-4 * 1000 * lbf / inch, dim::mass},
        Case{"-0.3 g", -0.3 * 9.80665, dim::acceleration}, Case{"+2", 2, dim::none},
        Case{"  5\tN \t", 5, dim::force}, Case{"5kN", 5e3, dim::force}, Case{".5 m", 0.5, dim::length},
        Case{"2 1/s", 2, {.time = -1}}, Case{"2 m·s^-1", 2, dim::velocity}, Case{"2 m^3 / s", 2, dim::flow},
        Case{"6 (kN)/(mm*mm)", 6e9, dim::pressure}, Case{"2 N/m/s", 2, {.mass = 1, .time = -3}},
        Case{"5 N*(s/m)^0.3", 5, {.length = 0.7, .mass = 1, .time = -1.7}}, Case{"0 kg", 0, dim::mass}));

TEST(Units, DecimalPrefixesGiveTheDoubleOfTheLiteral) {
  EXPECT_EQ(parse_quantity("10 ms").value, 0.01);
  EXPECT_EQ(parse_quantity("7 mm").value, 0.007);
  EXPECT_EQ(parse_quantity("300 um").value, 0.0003);
  EXPECT_EQ(parse_quantity("1.1 mm").value, 0.0011);
}

struct Bad {
  const char* text;
  std::size_t position;
  const char* cause;
  const char* fix;
};

class Refusal : public testing::TestWithParam<Bad> {};

TEST_P(Refusal, SaysWhereWhyAndWhatToWrite) {
  const Bad& bad = GetParam();
  try {
    parse_quantity(bad.text);
    FAIL() << bad.text;
  } catch (const UnitError& error) {
    EXPECT_EQ(error.position(), bad.position) << bad.text;
    EXPECT_NE(std::string(error.what()).find(bad.cause), std::string::npos) << error.what();
    EXPECT_NE(error.fix().find(bad.fix), std::string::npos) << error.fix();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Refusal,
    testing::Values(Bad{"", 0, "number is missing", "300 kg"}, Bad{"kg", 0, "not a number", "300 kg"},
                    Bad{"inf kg", 0, "not a number", ""}, Bad{"-nan", 0, "not a number", ""},
                    Bad{"1e999 m", 0, "double", "exponent"}, Bad{"1e-999 m", 0, "double", "exponent"},
                    Bad{"1e308 km", 0, "double", "exponent"}, Bad{"3 KN", 2, "'KN'", "kN"},
                    Bad{"3 Kg", 2, "'Kg'", "kg"}, Bad{"3 hz", 2, "'hz'", "Hz"},
                    Bad{"3 sec", 2, "'sec'", "mean s?"}, Bad{"3 gram", 2, "'gram'", "no gram"},
                    Bad{"3 mg", 2, "'mg'", "1e-3 g"}, Bad{"3 gallon", 2, "'gallon'", "gpm"},
                    Bad{"3 kgg", 2, "'kgg'", "kg"}, Bad{"3 kip*sec^2/in", 6, "'sec'", "mean s?"},
                    Bad{"3 frobnicate", 2, "'frobnicate'", "units such as"}, Bad{"0,3 g", 1, "','", "0.3"},
                    Bad{"3 N m", 4, "without an operator", "N*m"}, Bad{"3 kip-s", 5, "'-'", "*"},
                    Bad{"3 m2", 3, "number inside", "m^2"}, Bad{"3 m²", 3, "superscript", "^"},
                    Bad{"5 %", 2, "'%'", "0.05"}, Bad{"3 m^", 4, "number is missing", "exponent"},
                    Bad{"3 m^x", 4, "not a number", "exponent"}, Bad{"3 m^1000", 4, "exponent", "100"},
                    Bad{"3 (m", 4, "not closed", ")"}, Bad{"3 m)", 3, "')'", "("}, Bad{"3 ()", 3, "')'", ""},
                    Bad{"3 m*", 4, "missing", "unit"}, Bad{"2*kg", 1, "operator", "2 kg"},
                    Bad{"2/s", 1, "operator", "1/s"}, Bad{"3 m/12", 4, "number inside", ""},
                    Bad{"3 (m^50)^50", 11, "range", ""}, Bad{"3 km^99*km^99", 13, "range", ""}));

TEST(Units, NestingIsBounded) {
  const auto nested = [](int depth) {
    return "1 " + std::string(depth, '(') + "m" + std::string(depth, ')');
  };
  EXPECT_EQ(parse_quantity(nested(32)).value, 1);
  EXPECT_THROW(parse_quantity(nested(33)), UnitError);
  EXPECT_THROW(parse_quantity("1 " + std::string(1000000, '(')), UnitError);
}

TEST(Units, GramAndGravityAreNotMixedUp) {
  EXPECT_TRUE(parse_unit("g").dimension == dim::acceleration);
  EXPECT_TRUE(parse_unit("kg").dimension == dim::mass);
  EXPECT_TRUE(parse_unit("gal").dimension == dim::acceleration);
}

TEST(Units, HertzIsNotPerSecond) {
  EXPECT_FALSE(parse_unit("Hz").dimension == parse_unit("1/s").dimension);
  EXPECT_TRUE(parse_unit("Hz").dimension == parse_unit("rad/s").dimension);
}

TEST(Units, LocaleDoesNotMatter) {
  const char* old = std::setlocale(LC_ALL, nullptr);
  const std::string saved = old ? old : "C";
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed; elsewhere nothing changes
  EXPECT_EQ(parse_quantity("0.5 m").value, 0.5);
  EXPECT_EQ(si_unit(dim::length.power(0.5)), "m^0.5");
  std::setlocale(LC_ALL, saved.c_str());
}

TEST(SiUnit, UsualNames) {
  EXPECT_EQ(si_unit(dim::none), "1");
  EXPECT_EQ(si_unit(dim::force), "N");
  EXPECT_EQ(si_unit(dim::pressure), "Pa");
  EXPECT_EQ(si_unit(dim::voltage), "V");
  EXPECT_EQ(si_unit(dim::damping), "N*s/m");
  EXPECT_EQ(si_unit(dim::stiffness), "N/m");
  EXPECT_EQ(si_unit(dim::acceleration), "m/s^2");
  EXPECT_EQ(si_unit(dim::frequency), "rad/s");
  EXPECT_EQ(si_unit(dim::flow), "m^3/s");
  EXPECT_EQ(si_unit(dim::energy), "J");
  EXPECT_EQ(si_unit(dim::power), "W");
  EXPECT_EQ(si_unit({.length = 0.7, .mass = 1, .time = -1.7}), "N*(s/m)^0.3");
  EXPECT_EQ(si_unit({.length = 2, .mass = 1}), "kg*m^2");
  EXPECT_EQ(si_unit({.length = 1, .time = -3}), "m/s^3");
  EXPECT_EQ(si_unit({.length = -1, .mass = 1}), "kg/m");
}

TEST(UnitExamples, EveryExampleReadsBackWithItsDimension) {
  for (const Dimension& d : {dim::length, dim::mass, dim::time, dim::angle, dim::frequency, dim::velocity,
                             dim::acceleration, dim::force, dim::stiffness, dim::damping, dim::pressure,
                             dim::area, dim::volume, dim::flow, dim::energy, dim::power, dim::voltage}) {
    std::string examples = unit_examples(d);
    if (const std::size_t last = examples.find(" or "); last != std::string::npos) {
      examples.replace(last, 4, ", ");
    }
    for (std::size_t start = 0; start < examples.size();) {
      const std::size_t comma = std::min(examples.find(", ", start), examples.size());
      const std::string one = examples.substr(start, comma - start);
      EXPECT_TRUE(parse_unit(one).dimension == d) << one;
      start = comma + 2;
    }
  }
  EXPECT_EQ(unit_examples(dim::mass), "kg, t or slug");
}

Dimension any_dimension() {
  const auto exponent = [] { return *rc::gen::inRange(-40, 41) / 10.0; };
  return {exponent(), exponent(), exponent(), exponent(), exponent()};
}

TEST(SiUnit, ReadsBackAsFactorOne) {
  EXPECT_TRUE(rc::check("parse_unit(si_unit(d)) is 1 in d", [] {
    const Dimension d = any_dimension();
    const Quantity back = parse_unit(si_unit(d));
    RC_ASSERT(back.dimension == d);
    RC_ASSERT(back.value == 1.0);
  }));
}

TEST(Dimension, Algebra) {
  EXPECT_TRUE(rc::check("a group with powers", [] {
    const Dimension a = any_dimension(), b = any_dimension(), c = any_dimension();
    RC_ASSERT(a * b == b * a);
    RC_ASSERT((a * b) * c == a * (b * c));
    RC_ASSERT(a / a == dim::none);
    RC_ASSERT((a / b) * b == a);
    RC_ASSERT(a.power(2) == a * a);
    RC_ASSERT((a * b).power(0.5) == a.power(0.5) * b.power(0.5));
    RC_ASSERT(a.power(0) == dim::none);
  }));
  EXPECT_FALSE(dim::length == dim::mass);
  EXPECT_FALSE(dim::frequency == (dim::none / dim::time));
}

TEST(Units, ProductsOfUnitsMultiplyValuesAndDimensions) {
  EXPECT_TRUE(rc::check("u*v and u/v", [] {
    const auto name = [] {
      return *rc::gen::elementOf(
          std::vector<std::string>{"mm", "kip", "slug", "Hz", "ms", "psi", "g", "gpm", "mA", "deg", "hp"});
    };
    const std::string u = name(), v = name();
    const Quantity qu = parse_unit(u), qv = parse_unit(v);
    const Quantity product = parse_unit(u + "*" + v), ratio = parse_unit(u + "/" + v);
    RC_ASSERT(product.dimension == qu.dimension * qv.dimension);
    RC_ASSERT(ratio.dimension == qu.dimension / qv.dimension);
    RC_ASSERT(std::abs(product.value / (qu.value * qv.value) - 1) < 1e-14);
    RC_ASSERT(std::abs(ratio.value / (qu.value / qv.value) - 1) < 1e-14);
  }));
}

}  // namespace
}  // namespace gusset

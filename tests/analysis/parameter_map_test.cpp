#include "analysis/parameter_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

using test::shipped;

TEST(ParameterMap, EveryPointIsASingleAnalysis) {
  const Document document = shipped("wu-dynamic-specimen");
  const ParameterMap map = parameter_map(document, parse_map_axis("specimen.mass_ratio=0.1:2:5"),
                                         parse_map_axis("integrator.dt=10 ms:150 ms:4"), 1);
  ASSERT_EQ(map.radius.size(), 20U);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 5; ++column) {
      Document single = document;
      single.set_number("specimen.mass_ratio", map.x.at(column), dim::none);
      single.set_number("integrator.dt", map.y.at(row), dim::time);
      EXPECT_EQ(map.radius[static_cast<std::size_t>(5 * row + column)], test::spectral_radius(single));
    }
  }
  EXPECT_DOUBLE_EQ(map.x.at(0), 0.1);
  EXPECT_DOUBLE_EQ(map.x.at(4), 2);
  EXPECT_DOUBLE_EQ(map.y.at(3), 0.15);
}

TEST(ParameterMapThreads, GiveTheSameBits) {
  const Document document = shipped("quickstart");
  const MapAxis x = parse_map_axis("specimen.damping=1 kN*s/m:100 kN*s/m:23");
  const MapAxis y = parse_map_axis("rig.delay=0:8 ms:19");
  const ParameterMap one = parameter_map(document, x, y, 1);
  for (const int threads : {2, 3, 8, 40}) {
    const ParameterMap several = parameter_map(document, x, y, threads);
    ASSERT_EQ(several.radius.size(), one.radius.size());
    EXPECT_EQ(0, std::memcmp(several.radius.data(), one.radius.data(), one.radius.size() * sizeof(double)))
        << threads;
  }
}

TEST(ParameterMapThreads, BlankPointsInEveryThread) {
  // The whole at 1 Hz cannot be softer than its specimen: no numerical stiffness is left.
  const Document document = test::document(R"(
duration = "1 s"
[structure]
mass = "100 kg"
frequency = "1 Hz"
frequency_of = "whole"
[integrator]
dt = "10 ms"
[method]
profile = "ramp"
[specimen]
kind = "spring"
stiffness = "1 kN/m"
)");
  const ParameterMap map = parameter_map(document, parse_map_axis("specimen.stiffness=1:8 kN/m:8"),
                                         parse_map_axis("integrator.dt=1:20 ms:4"), 3);
  const double most = 100 * 4 * M_PI * M_PI;  // N/m
  for (std::size_t i = 0; i < map.radius.size(); ++i) {
    const double specimen = map.x.at(static_cast<int>(i % 8));
    EXPECT_EQ(std::isnan(map.radius[i]), specimen >= most) << specimen;
  }
}

TEST(ParameterMap, UnknownUnitsOfTheKeyAreSaidBeforeTheWork) {
  const Document document = shipped("wu-pure-inertia");
  const MapAxis y = parse_map_axis("specimen.mass_ratio=0.1:0.9:3");
  // A time without unit, a mass ratio with one.
  EXPECT_THROW(parameter_map(document, parse_map_axis("integrator.dt=1:50:3"), y, 1), InputError);
  EXPECT_THROW(parameter_map(document, parse_map_axis("integrator.dt=1 mm:50 mm:3"), y, 1), InputError);
}

TEST(ParameterMap, KeysThatNothingReadsAreRefused) {
  const MapAxis y = parse_map_axis("integrator.dt=1 ms:50 ms:3");
  for (const std::string name : {"wu-pure-inertia", "quickstart"}) {
    for (const char* axis : {"specimen.mas_ratio=0.1:0.9:3", "nonsense.key=1:2:3"}) {
      EXPECT_THROW(parameter_map(shipped(name), parse_map_axis(axis), y, 1), InputError) << axis;
    }
  }
  EXPECT_NO_THROW(parameter_map(shipped("quickstart"), parse_map_axis("rig.delay=1:2 ms:2"), y, 1));
}

TEST(MapAxis, ReadsRangesWithAndWithoutUnits) {
  const MapAxis bare = parse_map_axis("specimen.mass_ratio=0.1:2:200");
  EXPECT_EQ(bare.key, "specimen.mass_ratio");
  EXPECT_EQ(bare.count, 200);
  EXPECT_TRUE(bare.unit.empty());
  const MapAxis shared = parse_map_axis("integrator.dt=1:50 ms:100");
  EXPECT_DOUBLE_EQ(shared.low, 1e-3);
  EXPECT_DOUBLE_EQ(shared.high, 50e-3);
  EXPECT_EQ(shared.unit, "ms");
  EXPECT_TRUE(shared.dimension == dim::time);
  const MapAxis mixed = parse_map_axis("integrator.dt=500 us:0.05 s:100");
  EXPECT_DOUBLE_EQ(mixed.low, 5e-4);
  EXPECT_DOUBLE_EQ(mixed.high, 0.05);
  const MapAxis single = parse_map_axis("a.b=2:2:1");
  EXPECT_DOUBLE_EQ(single.at(0), 2);
}

TEST(MapAxis, RejectsWhatIsNoRange) {
  for (const char* text : {"",
                           "=",
                           "specimen.mass_ratio",
                           "specimen.mass_ratio=",
                           "specimen.mass_ratio=0.1",
                           "specimen.mass_ratio=0.1:2",
                           "=0.1:2:3",
                           "a.b=0.1:2:",
                           "a.b=0.1:2:x",
                           "a.b=0.1:2:3x",
                           "a.b=0.1:2:0",
                           "a.b=0.1:2:-4",
                           "a.b=0.1:2:1e9",
                           "a.b=0.1:2:100001",
                           "a.b=2:0.1:5",
                           "a.b=1:1:5",
                           "a.b=x:2:5",
                           "a.b=1:y:5",
                           "a.b=1 kg:2 s:5",
                           "a.b=nan:2:5",
                           "a.b=1:inf:5",
                           "a.b=1 foo:2 foo:5",
                           "a.b=1::5",
                           "a.b=:1:5",
                           "a.b=1:2:99999999999999999999"}) {
    try {
      const MapAxis axis = parse_map_axis(text);
      ADD_FAILURE() << text << " was read as " << axis.low << " to " << axis.high;
    } catch (const InputError& error) {
      EXPECT_FALSE(error.fix().empty()) << text;
      EXPECT_FALSE(error.cause().empty()) << text;
    }
  }
}

}  // namespace
}  // namespace gusset

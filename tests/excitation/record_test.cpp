#include "excitation/record.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "base/error.hpp"

namespace gusset {
namespace {

constexpr double g = 9.80665;

TEST(ElCentro, ReadsAsItsCommentSays) {
  std::ifstream file(GUSSET_SOURCE_DIR "/records/el-centro-1940-ns.csv");
  ASSERT_TRUE(file.is_open());
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Record record = parse_csv_record(text, "el-centro-1940-ns");
  EXPECT_EQ(record.name, "el-centro-1940-ns");
  EXPECT_EQ(record.acceleration.size(), 1559u);
  EXPECT_EQ(record.dt, 0.02);
  EXPECT_DOUBLE_EQ(record.peak(), 0.31882 * g);
  EXPECT_DOUBLE_EQ(std::abs(record.at(2.02)), 0.31882 * g);
}

TEST(Record, InterpolatesAndIsZeroOutside) {
  const Record record{"r", 0.5, {1, 3, -5}};
  EXPECT_EQ(record.at(0), 1);
  EXPECT_EQ(record.at(0.25), 2);
  EXPECT_EQ(record.at(0.5), 3);
  EXPECT_EQ(record.at(0.75), -1);
  EXPECT_EQ(record.at(1.0), -5);
  EXPECT_EQ(record.at(1.0001), 0);
  EXPECT_EQ(record.at(-1e-9), 0);
  EXPECT_EQ(record.at(std::nan("")), 0);
  EXPECT_EQ(record.at(INFINITY), 0);
  EXPECT_EQ(record.peak(), 5);
  EXPECT_EQ(Record{}.at(0), 0);
  EXPECT_EQ(Record{}.peak(), 0);
}

TEST(Record, TheLastSampleIsReachedDespiteRounding) {
  EXPECT_TRUE(rc::check("at((n-1)*dt) is the last sample", [] {
    const int n = *rc::gen::inRange(2, 5000);
    const double dt = *rc::gen::inRange(1, 10000) / 7919.0;
    Record record{"r", dt, std::vector<double>(static_cast<std::size_t>(n), 1.0)};
    RC_ASSERT(std::abs(record.at((n - 1) * dt) - 1.0) < 1e-12);
    RC_ASSERT(record.at((n - 0.5) * dt) == 0);
  }));
}

struct Header {
  const char* text;
  double factor;
};
class Headers : public testing::TestWithParam<Header> {};

TEST_P(Headers, GiveTheUnits) {
  const Record record = parse_csv_record(std::string(GetParam().text) + "\n0,1\n10,2\n", "r");
  EXPECT_DOUBLE_EQ(record.acceleration[1], 2 * GetParam().factor);
}

INSTANTIATE_TEST_SUITE_P(
    Csv, Headers,
    testing::Values(Header{"time_s,acceleration_g", g}, Header{"time [s],acceleration [g]", g},
                    Header{"time_s,acceleration_m/s^2", 1}, Header{"time_s,acceleration_cm_s2", 0.01},
                    Header{"time [ms], acceleration [gal]", 0.01}, Header{"Time (s),Acceleration (g)", g},
                    Header{"TIME [s],ACCELERATION (cm/s^2)", 0.01},
                    Header{"\"time [s]\",\"acceleration [m/s^2]\"", 1}));

TEST(Csv, ToleratesWhatSpreadsheetsWrite) {
  const Record record = parse_csv_record(
      "\xEF\xBB\xBF# made elsewhere\r\n\r\ntime_ms,acceleration_gal,velocity,\r\n"
      "5, +100 ,7,,\r\n\r\n10,-2e2,x,\r\n,,,\r\n15,0,8,",
      "r");
  EXPECT_EQ(record.dt, 0.005);
  ASSERT_EQ(record.acceleration.size(), 3u);
  EXPECT_DOUBLE_EQ(record.acceleration[0], 1);
  EXPECT_DOUBLE_EQ(record.acceleration[1], -2);
}

TEST(Csv, OneColumnTakesTheStepFromAComment) {
  const Record record = parse_csv_record("# somewhere, dt = 20 ms, north\nacceleration_g\n0.1\n0.2\n", "r");
  EXPECT_EQ(record.dt, 0.02);
  EXPECT_DOUBLE_EQ(record.acceleration[0], 0.1 * g);
}

struct Bad {
  const char* text;
  int line, column;
  const char* cause;
  const char* fix;
};
class Refused : public testing::TestWithParam<Bad> {};

TEST_P(Refused, WithPlaceCauseAndFix) {
  const Bad& bad = GetParam();
  try {
    parse_csv_record(bad.text, "r.csv");
    FAIL() << bad.text;
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "r.csv");
    EXPECT_EQ(error.where().line, bad.line) << error.what();
    EXPECT_EQ(error.where().column, bad.column) << error.what();
    EXPECT_NE(error.cause().find(bad.cause), std::string::npos) << error.what();
    EXPECT_NE(error.fix().find(bad.fix), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Csv, Refused,
    testing::Values(Bad{"", 0, 0, "no header", "time_s"}, Bad{"# only\n\n", 2, 0, "no header", "time_s"},
                    Bad{"0,1\n1,2\n", 1, 1, "before any header", "time_s"},
                    Bad{"time,acceleration_g\n0,1\n", 1, 1, "`time` has no unit", "time [s]"},
                    Bad{"time_s,acceleration\n0,1\n", 1, 8, "no unit", "acceleration [m/s^2]"},
                    Bad{"time_s,acceleration [G]\n0,1\n", 1, 22, "unknown unit 'G'", "mean g?"},
                    Bad{"time_s,acceleration_mm\n0,1\n", 1, 8, "is in m", "m/s^2"},
                    Bad{"time_s,acceleraton_g\n0,1\n", 1, 1, "no column `acceleration`", "acceleraton"},
                    Bad{"time_s,time_s,acceleration_g\n", 1, 8, "second column", "one time"},
                    Bad{"time_s;acceleration_g\n0;1\n", 1, 1, "commas", "commas"},
                    Bad{"acceleration_g\n1\n2\n", 1, 1, "no column `time`", "# dt = 0.02 s"},
                    Bad{"# dt = 0.02\nacceleration_g\n1\n2\n", 1, 8, "not a time", "# dt = 0.02 s"},
                    Bad{"# dt = -1 s\nacceleration_g\n1\n2\n", 1, 8, "above zero", "# dt = 0.02 s"},
                    Bad{"# dt = 1 sec\nacceleration_g\n1\n2\n", 1, 8, "'sec'", "# dt = 0.02 s"},
                    Bad{"time_s,acceleration_g\n0,1\n1\n", 3, 1, "a row of 1", "each column"},
                    Bad{"time_s,acceleration_g\n0,1\n1,2,3\n", 3, 5, "a row of 3", "each column"},
                    Bad{"time_s,acceleration_g\n0,1\n1, x\n", 3, 4, "`x` is not", "number"},
                    Bad{"time_s,acceleration_g\n0,nan\n1,2\n", 2, 3, "`nan`", "number"},
                    Bad{"time_s,acceleration_g\n0,inf\n1,2\n", 2, 3, "`inf`", "number"},
                    Bad{"time_s,acceleration_g\n0,1e999\n1,2\n", 2, 3, "finite", "number"},
                    Bad{"time_s,acceleration_g\n0,1.5.2\n1,2\n", 2, 3, "finite", "number"},
                    Bad{"time_s,acceleration_g\n0,1\n", 2, 0, "two samples", "one line a sample"},
                    Bad{"time_s,acceleration_g\n0,1\n1,1\n2,1\n4,1\n5,1\n", 5, 1, "equally", "resample"},
                    Bad{"time_s,acceleration_g\n0,1\n1,1\n2.002,1\n3.002,1\n", 4, 1, "equally", "resample"},
                    Bad{"time_s,acceleration_g\n2,1\n1,1\n0,1\n", 3, 1, "increase", "sort"},
                    Bad{"time_s,acceleration_g\n0,1\n0,1\n", 3, 1, "increase", "sort"}));

TEST(Csv, SpacingWithinAThousandthIsEqual) {
  const Record record = parse_csv_record("time_s,acceleration_g\n0,1\n1.0004,1\n2,1\n3,1\n", "r");
  EXPECT_DOUBLE_EQ(record.dt, 1);
}

TEST(Csv, RoundTripOfAnySamples) {
  EXPECT_TRUE(rc::check("written samples are read back", [] {
    const auto samples =
        *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(-9999, 9999)),
                           [](const auto& v) { return v.size() >= 2; });
    std::string text = "time_ms,acceleration_m/s^2\n";
    for (std::size_t i = 0; i < samples.size(); ++i) {
      text += std::to_string(5 * i) + "," + std::to_string(samples[i]) + "\n";
    }
    const Record record = parse_csv_record(text, "r");
    RC_ASSERT(record.dt == 0.005);
    RC_ASSERT(record.acceleration.size() == samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      RC_ASSERT(record.acceleration[i] == samples[i]);
    }
  }));
}

}  // namespace
}  // namespace gusset

#include "runs/csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "base/error.hpp"

namespace gusset {
namespace {

Run example() {
  gusset::Run run;
  run.tables.push_back({"structure", 0, 0.01, {{"storey1.displacement", "m", {1, 2, 3}}}});
  run.tables.push_back({"rig", 0, 0.0025, {{"jack.force", "N", {0, 1, 2, 3, 4, 5, 6, 7, 8}}}});
  return run;
}

TEST(ToCsv, TakesEveryKthSampleOfTheFasterTable) {
  EXPECT_EQ(to_csv(example()),
            "time [s],storey1.displacement [m],jack.force [N]\n"
            "0,1,0\n"
            "0.01,2,4\n"
            "0.02,3,8\n");
}

TEST(ToCsv, GivesOneTableAtItsOwnRate) {
  const std::string csv = to_csv(example(), "rig");
  EXPECT_TRUE(csv.starts_with("time [s],jack.force [N]\n0,0\n0.0025,1\n0.005,2\n")) << csv;
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 10);
}

TEST(ToCsv, ReadsBackBitForBit) {
  const double limit = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  std::vector<double> values = {0.1, -0.0, 1.0 / 3, 5e-324, limit, -limit, least, M_PI, 1e22, 123456789.125};
  gusset::Run run;
  run.tables.push_back({"structure", 0.1, 0.1, {{"a", "m", values}}});
  std::istringstream csv(to_csv(run));
  std::string line;
  std::getline(csv, line);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_TRUE(std::getline(csv, line));
    char* comma = nullptr;
    const double time = std::strtod(line.c_str(), &comma);
    const double value = std::strtod(comma + 1, nullptr);
    EXPECT_EQ(time, 0.1 + static_cast<double>(i) * 0.1);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(values[i])) << line;
  }
}

TEST(ToCsv, WritesWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  gusset::Run run;
  run.tables.push_back({"structure", 0, 1, {{"a", "", {nan, -nan, inf, -inf}}}});
  EXPECT_EQ(to_csv(run), "time [s],a\n0,NaN\n1,NaN\n2,Inf\n3,-Inf\n");
}

TEST(ToCsv, QuotesWhatNeedsIt) {
  gusset::Run run;
  run.tables.push_back({"structure", 0, 1, {{"a,b", "m", {1}}, {"say \"c\"\n", "N", {2}}}});
  EXPECT_EQ(to_csv(run), "time [s],\"a,b [m]\",\"say \"\"c\"\"\n [N]\"\n0,1,2\n");
}

TEST(ToCsv, TellsChannelsOfOneNameApart) {
  gusset::Run run = example();
  run.tables.push_back({"reference", 0, 0.01, {{"storey1.displacement", "m", {7, 8, 9}}}});
  EXPECT_TRUE(
      to_csv(run).starts_with("time [s],storey1.displacement [m],jack.force "
                              "[N],reference.storey1.displacement [m]\n0,1,0,7"));
}

TEST(ToCsv, FillsUpATableThatEndsEarlyOrStartsLate) {
  gusset::Run run = example();
  run.tables[1].start = 0.01;
  run.tables[1].channels[0].values.resize(4);
  EXPECT_EQ(to_csv(run),
            "time [s],storey1.displacement [m],jack.force [N]\n"
            "0,1,NaN\n"
            "0.01,2,0\n"
            "0.02,3,NaN\n");
}

TEST(ToCsv, RefusesRatesThatDoNotFit) {
  for (const double step : {0.003, 0.02, 0.0, -0.005, std::nan("")}) {
    gusset::Run run = example();
    run.tables[1].step = step;
    try {
      to_csv(run);
      ADD_FAILURE() << step;
    } catch (const InputError& error) {
      EXPECT_NE(error.fix().find("--table rig"), std::string::npos) << error.fix();
    }
    EXPECT_NO_THROW(to_csv(run, "structure"));
  }
  gusset::Run shifted = example();
  shifted.tables[1].start = 0.001;
  EXPECT_THROW(to_csv(shifted), InputError);
}

TEST(ToCsv, TakesRatesThatFitButForRounding) {
  gusset::Run run = example();
  run.tables[0].step = 0.3;
  run.tables[1].step = 0.1;  // 0.3 / 0.1 is 2.9999999999999996
  EXPECT_NE(to_csv(run).find("\n0.3,2,3\n"), std::string::npos);
}

TEST(ToCsv, NamesTheTablesThereAre) {
  try {
    to_csv(example(), "rigg");
    ADD_FAILURE();
  } catch (const InputError& error) {
    EXPECT_NE(error.fix().find("structure"), std::string::npos);
    EXPECT_NE(error.fix().find("rig"), std::string::npos);
  }
  EXPECT_THROW(to_csv(gusset::Run{}), InputError);
}

TEST(ToCsv, EmptyTableIsAHeader) {
  gusset::Run run;
  run.tables.push_back({"structure", 0, 0.01, {{"a", "m", {}}}});
  EXPECT_EQ(to_csv(run), "time [s],a [m]\n");
}

TEST(RunFind, FindsByNameAndByTable) {
  gusset::Run run = example();
  run.tables.push_back({"reference", 0, 0.01, {{"storey1.displacement", "m", {7, 8, 9}}}});
  EXPECT_EQ(run.find("jack.force"), &run.tables[1].channels[0]);
  EXPECT_EQ(run.find("storey1.displacement"), &run.tables[0].channels[0]);
  EXPECT_EQ(run.find("reference.storey1.displacement"), &run.tables[2].channels[0]);
  EXPECT_EQ(run.find("storey1"), nullptr);
  EXPECT_EQ(run.find(""), nullptr);
}

}  // namespace
}  // namespace gusset

#include "base/error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace gusset {
namespace {

TEST(InputError, SaysPlaceCauseAndFix) {
  const InputError error({"test.toml", 3, 8}, "mass has no unit", "write mass = \"300 kg\"");
  EXPECT_STREQ(error.what(), "test.toml:3:8: mass has no unit\n  fix: write mass = \"300 kg\"");
  EXPECT_EQ(error.where().file, "test.toml");
  EXPECT_EQ(error.where().line, 3);
  EXPECT_EQ(error.where().column, 8);
  EXPECT_EQ(error.cause(), "mass has no unit");
  EXPECT_EQ(error.fix(), "write mass = \"300 kg\"");
}

TEST(InputError, LeavesOutWhatIsUnknown) {
  EXPECT_STREQ(InputError({"a", 0, 0}, "c", "").what(), "a: c");
  EXPECT_STREQ(InputError({"a", 2, 0}, "c", "").what(), "a:2: c");
  EXPECT_STREQ(InputError({"a", 0, 7}, "c", "").what(), "a: c");
  EXPECT_STREQ(InputError({"", 0, 0}, "c", "f").what(), "c\n  fix: f");
}

TEST(EditDistance, KnownValues) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("mass", "amss"), 1u);  // a swap is one mistake
}

TEST(EditDistance, IsAMetricOnPairs) {
  EXPECT_TRUE(rc::check("symmetric, zero only for equals, bounded by the longer",
                        [](const std::string& a, const std::string& b) {
                          const std::size_t d = edit_distance(a, b);
                          RC_ASSERT(d == edit_distance(b, a));
                          RC_ASSERT((d == 0) == (a == b));
                          RC_ASSERT(d <= std::max(a.size(), b.size()));
                        }));
}

TEST(Nearest, FindsMisspellings) {
  const std::vector<std::string_view> keys{"mass", "mass_ratio", "frequency", "damping_ratio"};
  EXPECT_EQ(nearest("masss", keys), "mass");
  EXPECT_EQ(nearest("amss", keys), "mass");
  EXPECT_EQ(nearest("frequenzy", keys), "frequency");
  EXPECT_EQ(nearest("mass-ratio", keys), "mass_ratio");
  EXPECT_EQ(nearest("Frequency", keys), "frequency");
}

TEST(Nearest, FindsShortenings) {
  EXPECT_EQ(nearest("freq", {"mass", "frequency"}), "frequency");
  EXPECT_EQ(nearest("wen", {"bilinear", "bouc-wen"}), "bouc-wen");
  EXPECT_EQ(nearest("damping", {"damping_ratio_of_mode"}), "damping_ratio_of_mode");
}

TEST(Nearest, PrefersTheNearerOne) {
  EXPECT_EQ(nearest("damping_ratioo", {"damping", "damping_ratio"}), "damping_ratio");
}

TEST(Nearest, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest("colour", {"mass", "frequency"}), "");
  EXPECT_EQ(nearest("x", {"y", "dt"}), "");
  EXPECT_EQ(nearest("mass", {}), "");
  EXPECT_EQ(nearest("", {"mass"}), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), {"mass"}), "");
}

TEST(Nearest, AnswerIsACandidate) {
  EXPECT_TRUE(rc::check(
      "one of the candidates or nothing", [](const std::string& word, const std::vector<std::string>& names) {
        const std::vector<std::string_view> views(names.begin(), names.end());
        const std::string_view best = nearest(word, views);
        RC_ASSERT(best.empty() || std::find(names.begin(), names.end(), best) != names.end());
      }));
}

TEST(Alternatives, ReadsAsAList) {
  EXPECT_EQ(alternatives({}), "");
  EXPECT_EQ(alternatives({"a"}), "a");
  EXPECT_EQ(alternatives({"a", "b"}), "a or b");
  EXPECT_EQ(alternatives({"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace gusset

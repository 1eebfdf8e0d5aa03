// The gate itself, on data that are wrong.

#include <gtest/gtest.h>

#include <cmath>

#include "golden/cases.hpp"

namespace gusset {
namespace {

using namespace test;

const Digest honest{{"state", "numerical.displacement", "m", 0x1234, 2.0},
                    {"transitions", "brace.branch", "", 7, 3.0},
                    {"row", "brace.target", "m", 0x55, 10.0},
                    {"row", "brace.force", "N", 0x66, 1e4}};

/// What differs after a change to line `i`.
template <class Change>
std::size_t found_after(std::size_t i, Change change, bool exact = true) {
  Digest digest = honest;
  change(digest[i]);
  return differences(honest, digest, exact).size();
}

TEST(GoldenComparison, PassesWhatIsTheSame) {
  EXPECT_TRUE(differences(honest, honest, true).empty());
  EXPECT_EQ(parse_digest("# a comment\n" + to_text(honest)), honest);
  Digest moved = honest;  // in memory only
  std::swap(moved[0], moved[1]);
  EXPECT_TRUE(differences(honest, moved, true).empty());
}

TEST(GoldenComparison, SeesOneBit) {
  EXPECT_EQ(found_after(0, [](Line& line) { line.hash ^= 1; }), 1U);
  Running a, b;
  for (int i = 0; i < 1000; ++i) {
    a.add(i == 500 ? std::nextafter(500.0, 501.0) : i);
    b.add(i);
  }
  EXPECT_NE(a.hash(), b.hash());
  Running zero, negative;
  zero.add(0.0);
  negative.add(-0.0);
  EXPECT_NE(zero.hash(), negative.hash());
}

TEST(GoldenComparison, SeesNamesUnitsAndOrder) {
  EXPECT_EQ(found_after(2, [](Line& line) { line.unit = "N"; }), 1U);
  EXPECT_EQ(found_after(2, [](Line& line) { line.name = "brace.goal"; }),
            2U);  // one missing, one new
  Digest other = honest;
  std::swap(other[2], other[3]);
  EXPECT_EQ(differences(honest, other, true).size(), 1U);
  other.pop_back();
  EXPECT_EQ(differences(honest, other, true).size(), 1U);
  EXPECT_EQ(differences(other, honest, true).size(), 1U);
}

TEST(GoldenComparison, WithAnotherLibraryValuesCount) {
  const auto shift = [](double by) {
    return [by](Line& line) {
      line.hash ^= 1;
      line.value += by;
    };
  };
  EXPECT_EQ(found_after(2, shift(1e-9), false), 0U);
  EXPECT_EQ(found_after(2, shift(1e-7), false), 1U);
  EXPECT_EQ(found_after(1, shift(1e-9), false), 1U) << "counters are whole numbers";
}

TEST(GoldenComparison, RenamesApplyToTheirKind) {
  const std::vector<Rename> renames =
      parse_renames("# why\nstate numerical.* -> structure.*\nrow brace.target -> brace.goal\n");
  Digest digest = honest;
  renamed_by(renames, digest);
  EXPECT_EQ(digest[0].name, "structure.displacement");
  EXPECT_EQ(digest[2].name, "brace.goal");
  EXPECT_EQ(digest[3].name, "brace.force");
  EXPECT_THROW(parse_renames("one two\n"), std::runtime_error);
}

TEST(GoldenComparison, ShorthandsOfCases) {
  const std::vector<Case> cases =
      parse_cases("$a: rig.kind=delay\n$b: $a; rig.delay=1 ms\none: base; $b; delay in front=2 ms\n");
  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].base, "base");
  EXPECT_EQ(cases[0].assignments, (std::vector<std::string>{"rig.kind=delay", "rig.delay=1 ms"}));
  EXPECT_DOUBLE_EQ(cases[0].extra_delay, 2e-3);
}

}  // namespace
}  // namespace gusset

#include "structure/partition.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

Partition of(const char* experimental) {
  const Document document =
      test::shipped("shao-five-storey", {std::string("partition.experimental=") + experimental});
  const Document whole = test::shipped("shao-five-storey");
  return read_partition(document.section("partition"),
                        test::build_for_analysis(whole).structure().linear_system());
}

using Weights = std::vector<std::pair<int, double>>;

TEST(Partition, ARestoringForceBelongsToTheSideThatOwnsItsStorey) {
  const Document document = test::shipped("shao-five-storey");
  const Section& section = document.section("structure");
  const auto place = [&](const Partition& partition, Weights at) {
    return place_of(partition, section, {"device", std::move(at)});
  };
  const Partition middle = of("[2, 3, 4]");
  const StoreyPlace below = place(middle, {{0, 1}});
  EXPECT_FALSE(below.experimental);
  EXPECT_EQ(below.at.weights, (Weights{{0, 1}}));
  EXPECT_EQ(below.far, -1);
  // The lowest storey of the specimen stands on floor b, relative to which the specimen moves.
  const StoreyPlace lowest = place(middle, {{1, 1}, {0, -1}});
  EXPECT_TRUE(lowest.experimental);
  EXPECT_EQ(lowest.at.weights, (Weights{{0, 1}}));
  const StoreyPlace inner = place(middle, {{3, 1}, {2, -1}});
  EXPECT_TRUE(inner.experimental);
  EXPECT_EQ(inner.at.weights, (Weights{{2, 1}, {1, -1}}));
  // Storey 5 is numerical: the device is computed, and its lower end stands on the specimen.
  const StoreyPlace across = place(middle, {{4, 1}, {3, -1}});
  EXPECT_FALSE(across.experimental);
  EXPECT_EQ(across.at.weights, (Weights{{1, 1}}));
  EXPECT_EQ(across.far, 2);
  // From an experimental floor to the ground, which is in the laboratory only if the specimen stands on it.
  EXPECT_THROW(place(middle, {{2, 1}}), InputError);
  const StoreyPlace grounded = place(of("[1, 2]"), {{1, 1}});
  EXPECT_TRUE(grounded.experimental);
  EXPECT_EQ(grounded.at.weights, (Weights{{1, 1}}));
}

TEST(Partition, TheNumericalPartIsAStructure) {
  const Partition partition = of("[2, 3, 4]");
  const Structure structure = numerical_structure(partition);
  ASSERT_EQ(structure.size(), 2);
  EXPECT_FALSE(structure.stiffness.symmetric());
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      EXPECT_EQ(structure.mass(i, j), partition.mass(i, j));
      EXPECT_EQ(structure.damping(i, j), partition.damping(i, j));
      EXPECT_EQ(structure.stiffness(i, j), partition.stiffness(i, j));
    }
    EXPECT_EQ(structure.inertia[static_cast<std::size_t>(i)], partition.mass(i, i));
  }
  // The storey above the specimen carries floor b's motion up, and nothing down.
  EXPECT_LT(structure.stiffness(1, 0), 0);
  EXPECT_EQ(structure.stiffness(0, 1), 0);
}

}  // namespace
}  // namespace gusset

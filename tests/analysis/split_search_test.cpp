#include "analysis/split_search.hpp"

#include <gtest/gtest.h>

#include "support/documents.hpp"

namespace gusset {
namespace {

TEST(SplitSearch, FindsTheOptimumThatCanBeSolvedByHand) {
  // The topmost storey alone: no force from above, and with all mass in the laboratory the table takes
  // α_l·ü_b, the actuator (1 − α_l)·m·ü_b. Equal margins: α_l = A/(A + F/m).
  const double acceleration = 4, force = 12000, mass = 10000;
  const Document document = test::document(R"(
    duration = "8 s"
    [structure]
    mass = { values = [20, 10], unit = "t" }
    stiffness = { values = [30, 12], unit = "MN/m" }
    damping = { values = [150, 60], unit = "kN*s/m" }
    [partition]
    experimental = [2]
    [excitation]
    record = "el-centro-1940-ns"
    scale = 0.2
    [method]
    kind = "shake-table"
    feedback = "sampled"
    [integrator]
    dt = "2 ms"
    [capacity]
    table_acceleration = "4 m/s^2"
    actuator_force = "12 kN")");
  const SplitSearch search =
      search_splits(document, make_test(document, test::shipped_records()), {.points = 6, .progress = {}});
  ASSERT_TRUE(search.best_margin.has_value());
  EXPECT_NEAR(search.best_margin->alpha_l, acceleration / (acceleration + force / mass), 1e-4);
  for (const SplitDemand& demand : search.grid) {
    if (!demand.good()) continue;
    EXPECT_LE(*demand.spectral_radius, 1 + 1e-6);
    EXPECT_GE(demand.margin, 1);
    EXPECT_LT(demand.alpha_m, 0.51);
  }
}

}  // namespace
}  // namespace gusset

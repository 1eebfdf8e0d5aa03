// Shake-table tests of structures that yield, in the computer and in the laboratory, against the whole
// structure in steps 200 times finer.

#include <gtest/gtest.h>

#include "analysis/needs.hpp"
#include "base/error.hpp"
#include "support/fine_structure.hpp"
#include "support/simulations.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using test::simulated;
using test::values_of;

constexpr double duration = 8;

enum class Wrong { nothing, specimen_elastic, pulls_the_base };

/// The structure of experiments/shao-yielding.toml.
test::FineStructure fine(Wrong wrong = Wrong::nothing) {
  // Two mistakes that a partition can make: a specimen taken for linear, and a device across the cut that
  // pulls the floor below the specimen instead of the specimen.
  const int pulls = wrong == Wrong::pulls_the_base ? 0 : -2;
  const double yield = wrong == Wrong::specimen_elastic ? 1e9 : 120;
  return {{154, 77, 38.5},
          {208, 208, 208},
          {60e3, 12e3, 2e3},
          {{0, test::fine_bilinear(50e3, 300, 0.05)},
           {1, test::fine_bilinear(10e3, yield, 0.05)},
           {2, test::fine_bouc_wen(3.5e3, 0.012, 0.05), pulls},
           {2, test::fine_viscous(30, 0.5, 5e-3), pulls}}};
}

Document yielding(const std::string& feedback, const std::string& dt, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"method.feedback=" + feedback, "integrator.dt=" + dt, "duration=8 s"});
  return test::shipped("shao-yielding", more);
}

/// Largest deviation of each floor's displacement from the fine solution, over its peak; the worst floor's.
double error_of(const Document& document, Wrong wrong = Wrong::nothing) {
  const Test tested = make_test(document, test::shipped_records());
  const Experiment& experiment = *tested.experiment;
  const Simulation run = simulate(tested, {.reference = false, .progress = {}});
  EXPECT_FALSE(run.stop.has_value());
  test::FineStructure structure = fine(wrong);
  const std::vector<Eigen::VectorXd> reference = structure.run(
      [&](std::int64_t step) { return tested.input(step).acceleration; }, tested.steps, experiment.dt(), 200);
  double worst = 0;
  for (int floor = 0; floor < 3; ++floor) {
    const std::vector<double>& found = values_of(run, Structure::name_of(floor) + ".displacement");
    double peak = 0, off = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      peak = std::max(peak, std::abs(reference[i](floor)));
      off = std::max(off, std::abs(found[i] - reference[i](floor)));
    }
    worst = std::max(worst, off / peak);
  }
  return worst;
}

TEST(YieldingTable, EverythingYields) {
  const Simulation run = simulated(yielding("sampled", "0.9765625 ms"), false);
  // In N·m; the elastic energy of each at yield is below 1 J.
  for (const char* name : {"restoring1", "restoring2", "restoring3", "restoring4"}) {
    EXPECT_GT(values_of(run, std::string(name) + ".dissipated").back(), 2) << name;
  }
}

TEST(YieldingTable, SampledErrsByItsDelay) {
  // What is measured acts between one and two samples later, whatever the structure: first order in Δt.
  const double slow = error_of(yielding("sampled", "0.9765625 ms"));
  const double fast = error_of(yielding("sampled", "0.244140625 ms"));
  EXPECT_LT(slow, 0.05);
  EXPECT_NEAR(slow / fast, 4, 1);
  EXPECT_GT(error_of(yielding("sampled", "0.244140625 ms"), Wrong::specimen_elastic), 10 * fast);
  EXPECT_GT(error_of(yielding("sampled", "0.244140625 ms"), Wrong::pulls_the_base), 10 * fast);
}

TEST(YieldingTable, IterationsLeaveTheIntegratorsError) {
  const double slow = error_of(yielding("iterations", "1.953125 ms"));
  const double fast = error_of(yielding("iterations", "0.9765625 ms"));
  EXPECT_LT(fast, 1e-3);
  EXPECT_GT(slow / fast, 2.5);  // 4 but for the corners
  EXPECT_LT(error_of(yielding("iterations", "0.9765625 ms",
                              {"method.alpha_m=0.9", "method.alpha_l=0", "method.alpha_p=0"})),
            5e-3);
  EXPECT_GT(error_of(yielding("iterations", "0.9765625 ms"), Wrong::specimen_elastic), 10 * slow);
  EXPECT_GT(error_of(yielding("iterations", "0.9765625 ms"), Wrong::pulls_the_base), 10 * slow);
}

TEST(YieldingTable, OpenLoopFollowsItsModel) {
  const double ramp = error_of(yielding("open-loop", "0.9765625 ms", {"method.between=ramp"}));
  EXPECT_LT(ramp, 2e-3);
  // Held commands act half a sample late: first order.
  const double slow = error_of(yielding("open-loop", "0.9765625 ms"));
  const double fast = error_of(yielding("open-loop", "0.244140625 ms"));
  EXPECT_LT(slow, 0.05);
  EXPECT_NEAR(slow / fast, 4, 1);
  EXPECT_GT(error_of(yielding("open-loop", "0.9765625 ms", {"method.between=ramp"}), Wrong::specimen_elastic),
            10 * ramp);
}

TEST(YieldingTable, EveryIntegratorThatMayYield) {
  for (const char* kind : {"central-difference", "newmark-explicit", "hht-alpha", "generalized-alpha",
                           "alpha-os", "cr", "kr-alpha", "mkr-alpha", "rosenbrock"}) {
    EXPECT_LT(error_of(yielding("iterations", "0.9765625 ms", {std::string("integrator.kind=") + kind})),
              0.01)
        << kind;
  }
  for (const char* kind : {"exact", "rk4"}) {
    EXPECT_THROW(
        test::build_for_analysis(yielding("sampled", "1 ms", {std::string("integrator.kind=") + kind})),
        InputError);
  }
}

TEST(YieldingTable, IterationsSayWhetherTheyConverge) {
  const auto unresolved = [](const std::vector<std::string>& set) {
    const Simulation run = simulated(yielding("iterations", "0.9765625 ms", set), false);
    for (const auto& [name, value] : run.summary) {
      if (name == "method.unresolved") return value;
    }
    return -1.0;
  };
  const auto warned = [](const std::vector<std::string>& set) {
    const std::vector<std::string> warnings =
        review(make_test(yielding("iterations", "0.9765625 ms", set), test::shipped_records())).warnings;
    return std::any_of(warnings.begin(), warnings.end(), [](const std::string& text) {
      return text.find("do not converge") != std::string::npos;
    });
  };
  EXPECT_GE(unresolved({}), 0);
  EXPECT_LT(unresolved({}), 1e-4);
  EXPECT_FALSE(warned({}));
  // A specimen that loses most of a high stiffness, in two sub-steps of long samples.
  const std::vector<std::string> hard{"integrator.dt=20 ms", "method.substeps=2",
                                      "method.alpha_m=0.95", "method.alpha_l=0",
                                      "method.alpha_p=0",    "structure.restoring.2.stiffness=500 kN/m"};
  EXPECT_GT(unresolved(hard), 1e-3);
  EXPECT_TRUE(warned(hard));
}

TEST(YieldingTable, BeforeYieldTheLoopIsTheLinearOne) {
  // The same building with springs in the matrices, and with springs that could yield and do not.
  const char* head =
      "duration = \"1 s\"\n"
      "[partition]\nexperimental = [2]\n"
      "[method]\nkind = \"shake-table\"\nalpha_l = 0.5\nalpha_m = 0.3\nalpha_p = 0.2\n"
      "[integrator]\nkind = \"newmark\"\ndt = \"2 ms\"\n"
      "[structure]\nmass = { values = [154, 77, 38.5], unit = \"kg\" }\n"
      "damping = { values = [208, 208, 208], unit = \"N*s/m\" }\n";
  const std::string linear = std::string(head) + "stiffness = { values = [110, 22, 5.5], unit = \"kN/m\" }\n";
  std::string bilinear = std::string(head) + "stiffness = { values = [60, 12, 2], unit = \"kN/m\" }\n";
  const char* springs[] = {"50 kN/m", "10 kN/m", "3.5 kN/m"};
  for (int storey = 1; storey <= 3; ++storey) {
    bilinear += "[[structure.restoring]]\nstorey = " + std::to_string(storey) +
                "\nkind = \"bilinear\"\nyield_force = \"1 MN\"\nstiffness = \"" + springs[storey - 1] +
                "\"\n";
  }
  for (const char* feedback : {"sampled", "iterations", "open-loop"}) {
    const std::vector<std::string> set{std::string("method.feedback=") + feedback};
    const double expected = test::spectral_radius(test::document(linear, set));
    // Storeys across the cut count on their own stiffness only at the floor that is computed.
    EXPECT_NEAR(test::spectral_radius(test::document(bilinear, set)), expected, 1e-6) << feedback;
    const Experiment whole = test::build_for_analysis(test::document(bilinear, set));
    const Experiment same = test::build_for_analysis(test::document(linear, set));
    EXPECT_TRUE(whole.whole().stiffness.isApprox(same.whole().stiffness, 1e-12)) << feedback;
    EXPECT_FALSE(whole.affine());
  }
}

TEST(YieldingTable, KeepsEverythingInTheStateAndAllocatesNothing) {
  for (const char* feedback : {"sampled", "iterations", "open-loop"}) {
    for (const char* between : {"hold", "ramp"}) {
      const Document document =
          yielding(feedback, "0.9765625 ms", {std::string("method.between=") + between});
      const auto make = [&] { return test::loop_of(make_test(document, test::shipped_records())); };
      EXPECT_FALSE(test::has_hidden_state(make, 3000)) << feedback << " " << between;
      EXPECT_FALSE(test::allocates(make(), 100)) << feedback << " " << between;
    }
  }
}

TEST(YieldingTable, RefusesWhatHasNoMeaning) {
  const auto message = [](const std::vector<std::string>& set) -> std::string {
    try {
      test::build_for_analysis(test::shipped("shao-yielding", set));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message({"method.feedback=ideal", "integrator.kind=exact"}).find("linear reference"),
            std::string::npos);
  EXPECT_NE(message({"method.feedback=ideal"}).find("integrator"), std::string::npos);
  EXPECT_NE(message({"structure.restoring.2.acts=floor"}).find("laboratory"), std::string::npos);
  EXPECT_EQ(message({}), "");
}

}  // namespace
}  // namespace gusset

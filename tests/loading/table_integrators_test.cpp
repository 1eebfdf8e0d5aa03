// The numerical part of linear shake-table tests: matrices of its own against integrators.

#include <gtest/gtest.h>

#include "integrate/integrator.hpp"
#include "support/linear_table.hpp"
#include "support/simulations.hpp"

namespace gusset {
namespace {

using test::LinearTableTest;
using test::simulated;
using test::values_of;

using From = LinearTableTest::Feedback;

/// Peak deviation of the loop from the oracle over the oracle's peak, of the worst floor.
double distance_from_oracle(const Document& document) {
  const Test tested = make_test(document, test::shipped_records());
  const Experiment& experiment = *tested.experiment;
  const Simulation run = simulate(tested, {.reference = false, .progress = {}});
  const Section& method = document.section("method");
  const std::string feedback = method.text("feedback", "sampled");
  LinearTableTest::Settings settings;
  settings.partition = read_partition(document.section("partition"), experiment.structure().linear_system());
  settings.split = read_split(method, static_cast<int>(settings.partition.experimental.size()));
  settings.feedback = feedback == "sampled"      ? From::sampled
                      : feedback == "iterations" ? From::iterations
                                                 : From::open_loop;
  settings.substeps = experiment.substeps();
  settings.ramp = method.text("between", feedback == "iterations" ? "ramp" : "hold") == "ramp";
  settings.dt = experiment.dt();
  const std::vector<Eigen::VectorXd> oracle =
      LinearTableTest(std::move(settings))
          .run([&](std::int64_t step) { return tested.input(step); }, tested.steps);
  double worst = 0;
  for (int floor = 0; floor < experiment.structure().size(); ++floor) {
    const std::vector<double>& found = values_of(run, Structure::name_of(floor) + ".displacement");
    EXPECT_EQ(found.size(), oracle.size());
    double peak = 0, off = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      peak = std::max(peak, std::abs(oracle[i](floor)));
      off = std::max(off, std::abs(found[i] - oracle[i](floor)));
    }
    EXPECT_GT(peak, 1e-4);
    worst = std::max(worst, off / peak);
  }
  return worst;
}

constexpr const char* shao[] = {"shao-case-1",   "shao-case-2n",  "shao-case-2e",  "shao-case-3",
                                "shao-case-4",   "shao-case-5",   "shao-table1-1", "shao-table1-2",
                                "shao-table1-3", "shao-table1-4", "shao-table1-5", "shao-five-storey"};

TEST(TableIntegrators, ExactEqualsMatricesOfItsOwn) {
  for (const char* name : shao) {
    for (const char* feedback : {"sampled", "iterations", "open-loop"}) {
      for (const char* between : {"hold", "ramp"}) {
        const Document document = test::shipped(
            name, {std::string("method.feedback=") + feedback, std::string("method.between=") + between,
                   "method.alpha_m=0.3", "duration=6 s"});
        EXPECT_LT(distance_from_oracle(document), 1e-10) << name << " " << feedback << " " << between;
      }
    }
  }
}

TEST(TableIntegrators, FirstAndLastStoreysInTheLaboratory) {
  for (const char* storeys : {"[1]", "[3]", "[1, 2]", "[2, 3]"}) {
    for (const char* feedback : {"sampled", "iterations", "open-loop"}) {
      const Document document =
          test::shipped("shao-three-storey",
                        {std::string("partition.experimental=") + storeys, "method.alpha_p=0",
                         "method.alpha_m=0.2", std::string("method.feedback=") + feedback, "duration=6 s"});
      EXPECT_LT(distance_from_oracle(document), 1e-10) << storeys << " " << feedback;
    }
  }
}

TEST(TableIntegrators, AnotherIntegratorIsAnotherTest) {
  // The comparison bites: a step of ordinary accuracy is far away from 1e-10.
  EXPECT_GT(distance_from_oracle(test::shipped(
                "shao-case-4", {"method.feedback=sampled", "integrator.kind=newmark", "duration=6 s"})),
            1e-6);
}

/// Largest difference between a test by this integrator and the exact one, of all floors, over the peak.
double distance_from_exact(const std::string& integrator, const char* feedback, const std::string& dt) {
  const auto run = [&](const std::string& kind) {
    return simulated(
        test::shipped("shao-three-storey", {std::string("method.feedback=") + feedback, "method.between=ramp",
                                            "method.alpha_m=0.3", "integrator.kind=" + kind,
                                            "integrator.dt=" + dt, "duration=5.12 s"}),
        false);
  };
  const Simulation exact = run("exact"), other = run(integrator);
  double worst = 0;
  for (const char* storey : {"storey1", "storey2", "storey3"}) {
    const std::string name = std::string(storey) + ".displacement";
    worst = std::max(worst, test::largest_difference(values_of(exact, name), values_of(other, name)) /
                                test::peak_of(values_of(exact, name)));
  }
  return worst;
}

TEST(TableIntegrators, EveryIntegratorConvergesToTheExactOneAtItsOrder) {
  for (const IntegratorKind* kind : integrator_kinds()) {
    const std::string name = kind->name;
    if (name == "exact") continue;
    for (const char* feedback : {"sampled", "iterations", "open-loop"}) {
      const double coarse = distance_from_exact(name, feedback, "4 ms");
      const double fine = distance_from_exact(name, feedback, "2 ms");
      // Schemes that know a force at t_i only make of it what suits them: held over the sample or not, half a
      // sample apart. Two stages, or the middle of the step, hold it as the exact one does.
      const bool holds = name == "rk4" || name == "rosenbrock" || name == "generalized-alpha";
      const bool delayed = std::string(feedback) == "sampled" && !holds;
      // Second order; Runge-Kutta's fourth. A record is linear between samples, not smooth: less in places.
      const double least = delayed ? 0.9 : name == "rk4" ? 2.7 : 1.7;
      EXPECT_LT(coarse, 0.07) << name << " " << feedback;
      EXPECT_GT(std::log2(coarse / fine), least) << name << " " << feedback << " " << coarse << " " << fine;
    }
  }
}

}  // namespace
}  // namespace gusset

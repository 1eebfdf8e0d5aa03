// Implicit schemes with a fixed number of corrections, with specimens that yield, against a fine
// solution of the same structure with the yielding part inside it.

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "support/documents.hpp"
#include "support/recorded.hpp"

namespace gusset {
namespace {

using namespace test;

constexpr const char* common = R"(
duration = "1 s"
[structure]
mass = "1 t"
stiffness = "20 kN/m"
damping = "200 N*s/m"
[initial]
velocity = "0.3 m/s"
)";

std::string yielding(const char* heading, const char* place) {
  return std::string(heading) + "\nkind = \"bilinear\"\n" + place +
         "stiffness = \"80 kN/m\"\nyield_force = \"1 kN\"\nhardening = 0.05\n";
}

/// Displacement at multiples of 5 ms.
std::vector<double> history(const std::string& text, double dt) {
  const Test tested = make_test(document(text));
  const Experiment& experiment = *tested.experiment;
  State state = experiment.start().state;
  test::Recorded output(experiment);
  std::vector<double> result;
  const auto every = static_cast<std::int64_t>(std::lround(0.005 / dt));
  for (std::int64_t i = 0; i <= tested.steps; ++i) {
    if (i % every == 0) result.push_back(*state.at(experiment.method().integrator()->displacement()));
    output.step(state, {});
  }
  return result;
}

const std::vector<double>& reference() {
  static const std::vector<double> values =
      history(std::string(common) + yielding("[[structure.restoring]]", "storey = 1\n") +
                  "[integrator]\nkind = \"central-difference\"\ndt = \"0.02 ms\"\n",
              0.02e-3);
  return values;
}

double peak() {
  double largest = 0;
  for (const double value : reference()) largest = std::max(largest, std::abs(value));
  return largest;
}

double error_of(const std::string& integrator, const char* dt, const char* rig_dt, double step) {
  const std::vector<double> values =
      history(std::string(common) + yielding("[specimen]", "") + "[rig]\ndt = \"" + rig_dt +
                  "\"\n[integrator]\n" + integrator + "dt = \"" + dt + "\"\n",
              step);
  double largest = 0;
  for (std::size_t i = 0; i < reference().size(); ++i) {
    largest = std::max(largest, std::abs(values[i] - reference()[i]));
  }
  return largest;
}

TEST(ImplicitWithYieldingSpecimen, ReferenceYields) {
  // 1 kN of 80 kN/m is 12.5 mm; without yielding the mass would go v/ω = 30 mm.
  EXPECT_GT(peak(), 0.0125 * 1.5);
}

TEST(ImplicitWithYieldingSpecimen, ConvergesToTheWholeStructure) {
  for (const char* scheme : {"kind = \"newmark\"\n", "kind = \"hht-alpha\"\nalpha = -0.05\n",
                             "kind = \"generalized-alpha\"\nrho_inf = 0.9\n"}) {
    const double coarse = error_of(scheme, "5 ms", "1 ms", 5e-3);
    const double fine = error_of(scheme, "1 ms", "0.2 ms", 1e-3);
    EXPECT_LT(coarse, 0.03 * peak()) << scheme;
    EXPECT_LT(fine, 0.35 * coarse) << scheme;
    EXPECT_LT(fine, 0.006 * peak()) << scheme;
  }
}

TEST(ImplicitWithYieldingSpecimen, MoreCorrectionsHelp) {
  const double one = error_of("kind = \"newmark\"\niterations = 1\n", "5 ms", "1 ms", 5e-3);
  const double five = error_of("kind = \"newmark\"\niterations = 5\n", "5 ms", "1 ms", 5e-3);
  EXPECT_LE(five, 1.05 * one);
}

TEST(LinearOnly, RefusesWhatYields) {
  for (const char* kind : {"rk4", "exact"}) {
    for (const std::string& part :
         {yielding("[specimen]", ""), yielding("[[structure.restoring]]", "storey = 1\n")}) {
      const std::string text =
          std::string(common) + part + "[rig]\n[integrator]\nkind = \"" + kind + "\"\ndt = \"5 ms\"\n";
      try {
        Experiment::build(document(text));
        FAIL() << kind;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("straight line"), std::string::npos) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace gusset

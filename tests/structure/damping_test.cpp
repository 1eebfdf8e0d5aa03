// Rayleigh and modal damping of structures whose stiffness stands in restoring forces: the ratios asked for
// are those that the modes have, and what damping does to a storey that yields.

#include "structure/damping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "analysis/damping_review.hpp"
#include "analysis/needs.hpp"
#include "base/linear_system.hpp"
#include "build/test.hpp"
#include "support/documents.hpp"
#include "support/recorded.hpp"

namespace gusset::test {
namespace {

/// Four storeys, the first one linear or in a restoring force of the same stiffness.
std::string frame(const std::string& damping, bool restoring, const std::string& more = "",
                  const std::string& yield = "1000 MN") {
  std::string text =
      "[structure]\nmass = { values = [40, 40, 40, 30], unit = \"t\" }\nstiffness = { values = [";
  text += restoring ? "0" : "35";
  text += ", 30, 25, 20], unit = \"kN/mm\" }\n" + damping + "\n";
  if (restoring) {
    text +=
        "[[structure.restoring]]\nstorey = 1\nkind = \"bilinear\"\nstiffness = \"35 kN/mm\"\nyield_force = "
        "\"" +
        yield + "\"\nhardening = 0.05\n" + more + "\n";
  }
  return text +
         "[excitation]\nrecord = \"el-centro-1940-ns\"\npeak = \"0.4 g\"\n[integrator]\nkind = \"cr\"\ndt = "
         "\"4 "
         "ms\"\n[specimen]\nkind = \"none\"\n";
}

constexpr const char* rayleigh = "rayleigh = { ratios = [0.02, 0.02], modes = [1, 3] }";

Test test_of(const std::string& text, const std::vector<std::string>& assignments = {}) {
  return make_test(document(text, assignments), shipped_records());
}

std::vector<double> ratios_at_rest(const Experiment& experiment) {
  const LinearSystem system = experiment.whole();
  const NaturalModes modes = natural_modes(system);
  std::vector<double> all;
  for (Eigen::Index k = 0; k < modes.shapes.cols(); ++k) {
    const Eigen::VectorXd shape = modes.shapes.col(k);
    all.push_back(shape.dot(system.damping * shape) / (2 * modes.frequencies[static_cast<std::size_t>(k)]));
  }
  return all;
}

/// The largest displacement of the first floor.
double peak_of(const Test& test) {
  const Experiment& experiment = *test.experiment;
  State state = test.start().state;
  Recorded output(experiment);
  double peak = 0;
  for (std::int64_t i = 0; i < test.steps; ++i) {
    output.step(state, test.input(i));
    peak = std::max(peak, std::abs(output.structure[0]));
  }
  return peak;
}

TEST(Damping, RayleighCountsTheInitialStiffnessOfRestoringForces) {
  const gusset::Test linear = test_of(frame(rayleigh, false)), yielding = test_of(frame(rayleigh, true));
  const std::vector<double> expected = ratios_at_rest(*linear.experiment);
  const std::vector<double> found = ratios_at_rest(*yielding.experiment);
  EXPECT_NEAR(found[0], 0.02, 1e-10);
  EXPECT_NEAR(found[2], 0.02, 1e-10);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(found[k], expected[k], 1e-10);
  EXPECT_NEAR(1e3 * peak_of(linear), 39.55, 0.005);
  EXPECT_NEAR(1e3 * peak_of(yielding), 39.55, 0.005);
}

TEST(Damping, LinearIsWhatItWas) {
  const char* linear = "rayleigh = { ratios = [0.02, 0.02], modes = [1, 3], stiffness = \"linear\" }";
  const gusset::Test test = test_of(frame(linear, true));
  const std::vector<double> found = ratios_at_rest(*test.experiment);
  EXPECT_NEAR(found[0], 0.0035, 5e-6);
  EXPECT_NEAR(found[2], 0.01796, 5e-6);
  EXPECT_NEAR(1e3 * peak_of(test), 49.21, 0.005);
  const Review wrong = review(test);
  ASSERT_EQ(wrong.damping.size(), 2U);
  EXPECT_FALSE(wrong.damping[0].met());
  EXPECT_NEAR(wrong.damping[0].ratio, 0.0035, 5e-6);
  EXPECT_TRUE(std::any_of(wrong.warnings.begin(), wrong.warnings.end(), [](const std::string& warning) {
    return warning.find("2 % is asked for in mode 1, and the mode has 0.35 %") != std::string::npos;
  }));
  for (const std::string& warning : review(test_of(frame(rayleigh, true))).warnings) {
    EXPECT_EQ(warning.find("asked for"), std::string::npos) << warning;
  }
}

TEST(Damping, ModalCountsThemToo) {
  const std::vector<double> found = ratios_at_rest(*test_of(frame("damping_ratio = 0.02", true)).experiment);
  for (const double ratio : found) EXPECT_NEAR(ratio, 0.02, 1e-10);
  const std::vector<double> several =
      ratios_at_rest(*test_of(frame("damping_ratio = [0.01, 0.02, 0.03, 0.04]", true)).experiment);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(several[k], 0.01 * static_cast<double>(k + 1), 1e-10);
  // One storey: all stiffness, or a part of it, in the restoring force.
  for (const double linear : {0.0, 3e5}) {
    const gusset::Test one = test_of(
        "[structure]\nmass = \"1 t\"\nstiffness = \"0 N/m\"\ndamping_ratio = 0.05\n[[structure.restoring]]\n"
        "kind = \"elastic-plastic\"\nstiffness = \"1 MN/m\"\nyield_force = \"10 kN\"\n[integrator]\ndt = \"1 "
        "ms\"\n"
        "[excitation]\nrecord = \"el-centro-1940-ns\"\n",
        {assign("structure.stiffness", linear, "N/m")});
    EXPECT_NEAR(one.experiment->structure().damping(0, 0), 2 * 0.05 * std::sqrt(1e3 * (1e6 + linear)), 1e-6);
  }
}

TEST(Damping, DevicesCountOnlyIfTheySaySo) {
  const std::string lugre =
      "[[structure.restoring]]\nstorey = 2\nkind = \"lugre\"\nforce = \"5 kN\"\nstiffness = \"50 MN/m\"\n";
  const gusset::Test plain = test_of(frame(rayleigh, true)), with = test_of(frame(rayleigh, true, lugre));
  const gusset::Test counted = test_of(frame(rayleigh, true, lugre + "rayleigh = true\n"));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      EXPECT_DOUBLE_EQ(with.experiment->structure().damping(i, j),
                       plain.experiment->structure().damping(i, j));
    }
  }
  EXPECT_GT(counted.experiment->structure().damping(1, 1), 1.5 * plain.experiment->structure().damping(1, 1));
  // And a part of the structure may say that it does not.
  const gusset::Test less = test_of(frame(rayleigh, true, "rayleigh = false\n"));
  EXPECT_NEAR(ratios_at_rest(*less.experiment)[0], 0.0035, 5e-6);
  for (const RestoringKind* kind : restoring_kinds()) {
    const std::string name = kind->name;
    const bool structural = name == "bilinear" || name == "elastic-plastic" || name == "bouc-wen";
    EXPECT_EQ(kind->device, !structural) << name;
  }
}

TEST(Damping, AModeThatNothingHoldsIsSaid) {
  const std::string device =
      "[structure]\nmass = { values = [2, 2], unit = \"t\" }\nstiffness = { values = [0, 4], unit = \"MN/m\" "
      "}\n" +
      std::string("rayleigh = { ratios = [0.02, 0.02], modes = [1, 2] }\n") +
      "[[structure.restoring]]\nstorey = 1\nkind = \"friction-pendulum\"\nweight = \"40 kN\"\nradius = \"1 "
      "m\"\nfriction = 0.05\n[integrator]\nkind = \"newmark\"\ndt = \"2 ms\"\n[excitation]\nrecord = "
      "\"el-centro-1940-ns\"\n";
  const std::vector<ModeDamping> modes = damping_of_modes(*test_of(device).experiment);
  ASSERT_EQ(modes.size(), 2U);
  EXPECT_FALSE(modes[0].held);
  EXPECT_TRUE(modes[1].met());
  EXPECT_NE(damping_warnings(modes, {}).at(0).find("which nothing of the numerical part holds"),
            std::string::npos);
}

TEST(Damping, RefusesWhatCannotFollowTheTangent) {
  const char* tangent = "rayleigh = { ratios = [0.02, 0.02], modes = [1, 3], stiffness = \"tangent\" }";
  for (const char* kind : {"cr", "central-difference", "kr-alpha", "alpha-os", "rosenbrock"}) {
    try {
      test_of(frame(tangent, true), {std::string("integrator.kind=") + kind});
      ADD_FAILURE() << kind;
    } catch (const InputError& error) {
      EXPECT_EQ(error.where().line, 4) << kind;
      EXPECT_NE(error.fix().find("newmark"), std::string::npos);
    }
  }
  for (const char* kind : {"newmark", "hht-alpha", "generalized-alpha"}) {
    EXPECT_NO_THROW(test_of(frame(tangent, true), {std::string("integrator.kind=") + kind}));
  }
  EXPECT_THROW(test_of(frame(tangent, true), {"method.kind=effective-force", "method.virtual_mass_ratio=0",
                                              "integrator.kind=newmark"}),
               InputError);
  // No mode has stiffness: nothing to fit.
  EXPECT_THROW(
      test_of(
          "[structure]\nmass = { values = [2, 2], unit = \"t\" }\nstiffness = { values = [0, 0], unit "
          "= \"N/m\" }\nrayleigh = { ratios = [0.02, 0.02], modes = [1, 2] }\n[integrator]\ndt = \"1 ms\"\n"),
      InputError);
}

// --- a storey that yields, against a small solution of its own

constexpr double m = 1e3, k = 4e5, yield = 2e3, hardening = 0.1, b = 0.01;

std::string oscillator(const char* of, const std::string& more) {
  char text[700];
  std::snprintf(
      text, sizeof text,
      "[structure]\nmass = \"%g kg\"\nstiffness = \"0 N/m\"\nrayleigh = { stiffness_factor = \"%g s\", "
      "stiffness = \"%s\" }\n[[structure.restoring]]\nkind = \"bilinear\"\nstiffness = \"%g "
      "N/m\"\nyield_force = \"%g N\"\nhardening = %g\n[integrator]\nkind = \"newmark\"\ndt = \"1 ms\"\n",
      m, b, of, k, yield, hardening);
  return text + more;
}

/// x at every millisecond, by steps of half a microsecond (symplectic Euler).
std::vector<double> solve(bool tangent, double velocity, int milliseconds) {
  constexpr int parts = 2000;
  constexpr double h = 1e-3 / parts;
  double x = 0, v = velocity, plastic = 0;
  std::vector<double> all;
  for (int i = 0; i < milliseconds; ++i) {
    all.push_back(x);
    for (int j = 0; j < parts; ++j) {
      double q = k * (x - plastic);
      const bool yields = std::abs(q) > yield;
      if (yields) {
        q = std::copysign(yield, q);
        plastic = x - q / k;
      }
      const double c = b * k * (tangent && yields ? hardening : 1.0);
      v -= h * (hardening * k * x + (1 - hardening) * q + c * v) / m;
      x += h * v;
    }
  }
  return all;
}

std::vector<double> run(const char* of, double velocity, int milliseconds) {
  const gusset::Test test = test_of(
      oscillator(of, "[initial]\nvelocity = \"" + std::to_string(velocity) + " m/s\"\n"), {"duration=2 s"});
  State state = test.start().state;
  Recorded output(*test.experiment, true);
  std::vector<double> all;
  for (int i = 0; i < milliseconds; ++i) {
    output.step(state, {});
    all.push_back(output.structure[0]);
  }
  return all;
}

double distance(const std::vector<double>& left, const std::vector<double>& right) {
  double largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i) largest = std::max(largest, std::abs(left[i] - right[i]));
  return largest;
}

TEST(Damping, TangentFollowsAnIndependentSolution) {
  constexpr double velocity = 0.5;  // yields at 5 mm, would reach 25 mm elastically
  constexpr int steps = 1000;
  const std::vector<double> with = solve(true, velocity, steps), without = solve(false, velocity, steps);
  const double scale = *std::max_element(with.begin(), with.end());
  ASSERT_GT(scale, 3 * yield / k);
  EXPECT_LT(distance(run("tangent", velocity, steps), with), 2e-3 * scale);
  EXPECT_LT(distance(run("initial", velocity, steps), without), 2e-3 * scale);
  // The two are not the same: the test above would find one taken for the other.
  EXPECT_GT(distance(with, without), 0.1 * scale);
  // Below yield they are, to the bit.
  const std::vector<double> a = run("tangent", 0.05, steps), c = run("initial", 0.05, steps);
  EXPECT_LT(*std::max_element(a.begin(), a.end()), yield / k);
  EXPECT_EQ(a, c);
}

TEST(Damping, WarnsWhereDampingCarriesWhatTheYieldingStoreyDoesNot) {
  // What the ground gets: the mass times its absolute acceleration. The storey gives its yield force and a
  // little hardening; the rest is the dashpot's.
  const auto look = [](const char* of) {
    const gusset::Test test =
        test_of(oscillator(of, "[excitation]\nrecord = \"el-centro-1940-ns\"\npeak = \"0.5 g\"\n"));
    State state = test.start().state;
    Recorded output(*test.experiment);
    double carried = 0;
    double viscous = 0;
    for (std::int64_t i = 0; i < test.steps; ++i) {
      const Input input = test.input(i);
      const bool yields = state.branches.at(0).value != 0;
      output.step(state, input);
      if (!yields) continue;
      const double x = output.structure[0];
      const double shear = m * std::abs(output.structure[2] + input.acceleration);
      const double storey = (1 - hardening) * yield + hardening * k * std::abs(x);
      carried = std::max(carried, (shear - storey) / yield);
      viscous = std::max(viscous, b * k * std::abs(output.structure[1]));
    }
    const Review found = review(test);
    EXPECT_EQ(found.viscous.size(), 1U);
    const bool warned =
        std::any_of(found.warnings.begin(), found.warnings.end(), [](const std::string& text) {
          return text.find("the viscous force of storey 1 reaches") != std::string::npos;
        });
    return std::tuple(carried, viscous, found.viscous.at(0), warned);
  };
  const auto [carried, viscous, force, warned] = look("initial");
  EXPECT_NEAR(force.force, viscous, 1e-9 * viscous);
  EXPECT_GT(force.share(), 0.5);
  EXPECT_GT(carried, 0.5);
  EXPECT_TRUE(warned);
  const auto [less, all, tangent, again] = look("tangent");
  EXPECT_LT(less, 0.25 * carried);
  EXPECT_LT(tangent.share(), 0.25 * force.share());
  // A weak earthquake does not come near, and nothing is said.
  const gusset::Test weak =
      test_of(oscillator("initial", "[excitation]\nrecord = \"el-centro-1940-ns\"\npeak = \"0.01 g\"\n"));
  for (const std::string& text : review(weak).warnings) {
    EXPECT_EQ(text.find("viscous force"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace gusset::test

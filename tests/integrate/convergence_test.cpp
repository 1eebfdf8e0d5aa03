// How fast each integrator comes to the exact response of a damped three-storey building, and that
// none of them allocates.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/exact.hpp"
#include "integrate/oscillators.hpp"
#include "support/allocation_counter.hpp"
#include "support/recorded.hpp"

namespace gusset::test {
namespace {

struct Errors {
  double displacement = 0, velocity = 0;
};

/// Root mean square over the floors and over the common instants of 20 ms.
Errors errors(const Scheme& scheme, double dt, bool shaken) {
  const Test tested = building(scheme, dt, shaken);
  const Experiment& experiment = *tested.experiment;
  const auto [d, v, a0] = experiment.whole_start();
  ExactResponse exact(experiment.whole(), d, v, dt);
  State state = tested.start().state;
  test::Recorded output(experiment, true);
  const auto every = static_cast<std::int64_t>(std::lround(0.02 / dt));
  Errors sum;
  int count = 0;
  for (std::int64_t i = 0; i <= tested.steps; ++i) {
    const Input input = tested.input(i);
    output.step(state, input);
    if (i % every == 0) {
      ++count;
      for (int k = 0; k < 3; ++k) {
        const auto at = static_cast<std::size_t>(k);
        sum.displacement += std::pow(output.structure[at] - exact.displacement(k), 2);
        sum.velocity += std::pow(output.structure[3 + at] - exact.velocity(k), 2);
      }
    }
    exact.advance(input.acceleration, tested.input(i + 1).acceleration);
  }
  return {std::sqrt(sum.displacement / count), std::sqrt(sum.velocity / count)};
}

/// Least-squares slope of log error over log Δt.
double slope(const std::vector<double>& dt, const std::vector<double>& error) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(dt.size());
  for (std::size_t i = 0; i < dt.size(); ++i) {
    const double x = std::log(dt[i]);
    const double y = std::log(error[i]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

class Convergence : public testing::TestWithParam<bool> {};

TEST_P(Convergence, OrderOfEachScheme) {
  const bool shaken = GetParam();
  const std::vector<double> steps{0.005, 0.0025, 0.00125, 0.000625};
  std::vector<Scheme> schemes = all_schemes();
  schemes.push_back({"newmark", "gamma = 0.6\nbeta = 0.3025"});
  schemes.push_back({"newmark-explicit", "gamma = 0.6"});
  for (const Scheme& scheme : schemes) {
    if (scheme.kind == "exact") {
      const Errors error = errors(scheme, 0.02, shaken);
      EXPECT_LT(error.displacement, 1e-13);
      EXPECT_LT(error.velocity, 1e-12);
      continue;
    }
    double order = 2;
    if (scheme.kind == "rk4") order = 4;
    if (scheme.settings.starts_with("gamma")) order = 1;
    std::vector<double> d, v;
    for (const double dt : steps) {
      const Errors error = errors(scheme, dt, shaken);
      d.push_back(error.displacement);
      v.push_back(error.velocity);
    }
    EXPECT_NEAR(slope(steps, d), order, 0.1) << name_of(scheme);
    EXPECT_NEAR(slope(steps, v), order, 0.1) << name_of(scheme);
  }
}

INSTANTIATE_TEST_SUITE_P(Vibration, Convergence, testing::Values(false, true),
                         [](const auto& each) { return each.param ? "Forced" : "Free"; });

TEST(Integrators, KrAlphaWithoutDampingIsChenRicles) {
  const auto a = building({"cr", ""}, 0.01, true);
  const auto b = building({"kr-alpha", "rho_inf = 1"}, 0.01, true);
  State x = a.start().state, y = b.start().state;
  test::Recorded out_a(*a.experiment), out_b(*b.experiment);
  double largest = 0, difference = 0;
  for (std::int64_t i = 0; i < a.steps; ++i) {
    out_a.step(x, a.input(i));
    out_b.step(y, b.input(i));
    for (std::size_t k = 0; k < 3; ++k) {
      largest = std::max(largest, std::abs(out_a.structure[k]));
      difference = std::max(difference, std::abs(out_a.structure[k] - out_b.structure[k]));
    }
  }
  EXPECT_GT(largest, 1e-2);
  // Not the same arithmetic: the parameters agree (α1 = α2 = CR's α, α3 = ½), and where the start is
  // in equilibrium the weighted equation of motion then gives CR's.
  EXPECT_LT(difference, 1e-12 * largest);
}

TEST(Integrators, HhtWithoutDampingIsAverageAcceleration) {
  for (const Scheme& scheme : {Scheme{"hht-alpha", "alpha = 0"}, Scheme{"alpha-os", "alpha = 0"}}) {
    const auto a = building({"newmark", ""}, 0.01, true);
    const auto b = building(scheme, 0.01, true);
    State x = a.start().state, y = b.start().state;
    test::Recorded out_a(*a.experiment), out_b(*b.experiment);
    for (std::int64_t i = 0; i < a.steps; ++i) {
      out_a.step(x, a.input(i));
      out_b.step(y, b.input(i));
      for (std::size_t k = 0; k < 9; ++k) {
        ASSERT_NEAR(out_a.structure[k], out_b.structure[k], 1e-11) << name_of(scheme) << i;
      }
    }
  }
}

TEST(Integrators, StepMovesByItsIncrement) {
  for (const Scheme& scheme : all_schemes()) {
    const auto tested = building(scheme, 0.01, false);
    const Experiment& experiment = *tested.experiment;
    const Integrator& integrator = *experiment.method().integrator();
    State state = tested.start().state;
    test::Recorded output(experiment, true);
    for (int i = 0; i < 20; ++i) {
      const State before = state;
      output.step(state, {});
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(state.at(integrator.displacement())[k],
                    before.at(integrator.displacement())[k] + state.at(integrator.increment())[k], 1e-16)
            << name_of(scheme);
      }
    }
  }
}

TEST(Integrators, NoneAllocates) {
  for (const Scheme& scheme : all_schemes()) {
    const auto tested = building(scheme, 0.01, true);
    const Experiment& experiment = *tested.experiment;
    State state = tested.start().state;
    test::Recorded output(experiment, true);
    const Input input = tested.input(3);
    const AllocationCounter counter;
    for (int i = 0; i < 5; ++i) output.step(state, input);
    EXPECT_EQ(counter.count(), 0U) << name_of(scheme);
  }
}

/// A spring as specimen belongs to the whole structure: schemes that know it act as on the whole.
TEST(Integrators, SpringSpecimenIsPartOfTheStructure) {
  const auto split = [](const Scheme& scheme, double omega_dt, int substeps) {
    char text[400];
    std::snprintf(text, sizeof text,
                  "[structure]\nmass = \"2 kg\"\nstiffness = \"1 N/m\"\n"
                  "[specimen]\nkind = \"spring\"\nstiffness = \"1 N/m\"\n"
                  "[method]\nprofile = \"ramp\"\n[rig]\ndt = \"%.17g s\"\n",
                  omega_dt / substeps);
    return Experiment::build(Document::parse(text + integrator_section(scheme, omega_dt), "split"),
                             {.any_step = true});
  };
  for (const Scheme& scheme : all_schemes()) {
    for (const int substeps : {1, 2, 5}) {
      const double omega = 1.3;
      const auto wanted = eigenvalues(oscillator(scheme, omega, 0));
      const auto got = eigenvalues(split(scheme, omega, substeps));
      for (const auto& value : wanted) {
        double nearest = 1;
        for (const auto& other : got) nearest = std::min(nearest, std::abs(other - value));
        EXPECT_LT(nearest, 1e-7) << name_of(scheme) << " with " << substeps << " sub-steps";
      }
    }
  }
}

}  // namespace
}  // namespace gusset::test

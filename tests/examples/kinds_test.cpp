// The kinds of examples/kinds/, which the manual shows: they are used as a program of its own would use them,
// and do what their equations say.
#include "kinds/examples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "compensate/compensator.hpp"
#include "integrate/integrator.hpp"
#include "rig/specimen.hpp"
#include "structure/restoring.hpp"
#include "support/simulations.hpp"

namespace gusset::test {
namespace {

constexpr char oscillator[] =
    "duration = \"4 s\"\n[structure]\nmass = \"1 kg\"\nfrequency = \"1 Hz\"\n[integrator]\ndt = \"10 ms\"\n";

std::string with(const std::string& more) { return oscillator + more; }

TEST(ExampleKinds, LeadOfASpringIsADashpot) {
  const AddedKind lead(examples::lead_kind);
  // f = K·(x + τ·x') either way.
  const std::string compensated = with(
      "[specimen]\nkind = \"spring\"\nstiffness = \"8 N/m\"\n[compensator]\nkind = \"lead\"\nlead = \"25 "
      "ms\"\n");
  const std::string damped = with(
      "[specimen]\nkind = \"sum\"\n[[specimen.parts]]\nkind = \"spring\"\nstiffness = \"8 N/m\"\n"
      "[[specimen.parts]]\nkind = \"dashpot\"\ndamping = \"0.2 N*s/m\"\n");
  EXPECT_NEAR(spectral_radius(document(compensated)), spectral_radius(document(damped)), 1e-12);
  EXPECT_LT(spectral_radius(document(compensated)),
            spectral_radius(document(compensated, {"compensator.kind=none"})) - 1e-4);
}

TEST(ExampleKinds, SymplecticEulerIsStableUpToTwo) {
  const AddedKind euler(examples::symplectic_euler_kind);
  // λ² − (2 − Ω²)·λ + 1 = 0: on the unit circle up to Ω = 2, beyond it real.
  const auto radius = [](double omega) {
    const double pi = std::acos(-1.0);
    return spectral_radius(
        document(with("kind = \"symplectic-euler\"\n"), {assign("integrator.dt", omega / (2 * pi), "s")}));
  };
  EXPECT_NEAR(radius(1.9), 1, 1e-9);
  const double half = 2.1 * 2.1 / 2 - 1;
  EXPECT_NEAR(radius(2.1), half + std::sqrt(half * half - 1), 1e-9);
}

TEST(ExampleKinds, CubicSpringKeepsItsEnergy) {
  const AddedKind cubic(examples::cubic_kind);
  const Document file = document(
      "duration = \"3 s\"\n[structure]\nmass = \"2 kg\"\nstiffness = \"0 N/m\"\n"
      "[[structure.restoring]]\nkind = \"cubic\"\nstorey = 1\nstiffness = \"80 N/m\"\nhardening = \"0.1 m\"\n"
      "[initial]\ndisplacement = \"0.1 m\"\n[integrator]\ndt = \"0.2 ms\"\n");
  const Simulation simulation = simulated(file, false);
  // ½·m·v² = ½·k·x₀² + ¼·k·x₀⁴/x_h², with x₀ = x_h.
  EXPECT_NEAR(peak_of(values_of(simulation, "storey1.velocity")), std::sqrt(1.5 * 80 * 0.01 / 2), 1e-4);
  EXPECT_NEAR(peak_of(values_of(simulation, "storey1.displacement")), 0.1, 1e-5);
}

TEST(ExampleKinds, InerterIsAMassWithoutGround) {
  const AddedKind inerter(examples::inerter_kind);
  const auto radius = [](const std::string& specimen) {
    return spectral_radius(document(with("[specimen]\n" + specimen)));
  };
  EXPECT_NEAR(radius("kind = \"inerter\"\ninertance = \"0.3 kg\"\n"),
              radius("kind = \"mass\"\nmass = \"0.3 kg\"\n"), 1e-12);
  EXPECT_THROW(simulated(document(with("[method]\nprofile = \"ramp\"\n[specimen]\nkind = \"inerter\"\n"
                                       "inertance = \"0.3 kg\"\n"))),
               InputError);
}

TEST(ExampleKinds, TablesForgetThemAndRefuseASecondOne) {
  const std::size_t before = compensator_kinds().size();
  {
    const AddedKind lead(examples::lead_kind);
    EXPECT_EQ(compensator_kinds().size(), before + 1);
    EXPECT_THROW(AddedKind again(examples::lead_kind), std::logic_error);
    EXPECT_EQ(compensator_kinds().size(), before + 1);
  }
  EXPECT_EQ(compensator_kinds().size(), before);
  EXPECT_THROW(spectral_radius(document(with("[specimen]\nkind = \"spring\"\nstiffness = \"8 N/m\"\n"
                                             "[compensator]\nkind = \"lead\"\nlead = \"25 ms\"\n"))),
               InputError);
}

}  // namespace
}  // namespace gusset::test

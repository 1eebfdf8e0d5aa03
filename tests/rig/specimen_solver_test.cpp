// Specimens that are not linear, solved together with the piston that moves them.

#include "rig/specimen_solver.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <numbers>

#include "rig/benches.hpp"
#include "rig/plant_rig.hpp"
#include "support/step_checks.hpp"

namespace gusset {
namespace {

using std::numbers::pi;
using test::Bench;

/// A mass under a constant force, held back by f = C·sqrt(v): a plant of one freedom, in pieces of `h`.
class Pushed {
 public:
  Pushed(double mass, double force, const std::string& specimen, double h)
      : document_(test::document("[specimen]\n" + specimen + "\n[rig]\nmass = \"1 kg\"\n")),
        mass_(mass),
        force_(force),
        h_(h),
        channel_{{"specimen", {}}, Control::displacement} {
    const RigContext context{.document = document_,
                             .section = document_.section("rig"),
                             .channels = {&channel_, 1},
                             .layout = layout_,
                             .dt = h,
                             .specimen = document_.section("specimen")};
    own_ = read_own_specimen(context, mass, {&h_, 1});
    DriveModel drive = DriveModel::with_states(Interface{"", {{0, 1.0}}}, 0);
    drive.mass = mass;
    drive.force_input = 1;
    plant_ = Plant(own_.matrices, {drive});
    Eigen::VectorXd gain(2);
    gain << -0.5 * h * h / mass, -h / mass;
    solver_ = SpecimenSolver(plant_, own_.kept, own_.damping, {gain}, {&h_, 1});
    state_ = layout_.zero();
  }
  /// One piece with r of its beginning held; then solved for, or, wrongly, not.
  void step(bool solved) {
    const double before = z_[1];
    const double a = (force_ - r_) / mass_;
    z_[0] += h_ * z_[1] + 0.5 * h_ * h_ * a;
    z_[1] += h_ * a;
    if (solved) trials = std::max(trials, solver_.solve(*own_.specimen, state_, z_.data(), before, r_, 0));
    const double acceleration = (z_[1] - before) / h_;
    r_ = own_.specimen->advance(state_, {z_[0], z_[1], acceleration, before, 0}) -
         plant_.specimen_force(0, z_.data(), &acceleration, 0, 0);
  }
  double velocity() const { return z_[1]; }
  int trials = 0;

 private:
  Document document_;
  double mass_, force_, h_;
  Layout layout_;
  Channel channel_;
  OwnSpecimen own_;
  Plant plant_;
  SpecimenSolver solver_;
  State state_;
  std::array<double, 2> z_{};
  double r_ = 0;
};

const std::string fluid_damper = "kind = \"viscous\"\ndamping = \"250 kN*(s/m)^0.5\"\nexponent = 0.5\n";

/// m·v' = F − C·√v from rest:  t = (2m/C²)·(−F·ln(1 − C√v/F) − C·√v).
TEST(SpecimenSolver, FollowsTheClosedFormOfADamperOfPowerOneHalf) {
  const double mass = 2e4, force = 100e3, c = 250e3, h = 1e-5;
  Pushed pushed(mass, force, fluid_damper, h);
  double worst = 0;
  for (int i = 1; i <= 120000; ++i) {
    pushed.step(true);
    const double w = c * std::sqrt(pushed.velocity());
    const double time = 2 * mass / (c * c) * (-force * std::log(1 - w / force) - w);
    if (i > 100 && w < 0.999 * force) worst = std::max(worst, std::abs(time - i * h));
  }
  // The final velocity is (F/C)²; the way there is right to a few pieces.
  EXPECT_NEAR(pushed.velocity(), 0.16, 1e-6);
  EXPECT_LT(worst, 5 * h);
  EXPECT_LE(pushed.trials, 20);
}

/// A piston of 150 kg: h·c_0/m = 167 at rest. With the remainder known from the piece before, which is what
/// the solver replaces, the same pieces are unstable.
TEST(SpecimenSolver, IsStableWhereThePieceBeforeDoesNotTell) {
  Pushed solved(150, 100e3, fluid_damper, 1e-3), lagging(150, 100e3, fluid_damper, 1e-3);
  double fastest = 0;
  for (int i = 0; i < 200; ++i) {
    solved.step(true);
    lagging.step(false);
    fastest = std::max(fastest, std::abs(solved.velocity()));
  }
  EXPECT_NEAR(solved.velocity(), 0.16, 1e-6);
  EXPECT_LT(fastest, 0.161);
  EXPECT_GT(std::abs(lagging.velocity() - 0.16), 0.16);
}

const char* const actuator =
    "kind = \"nonlinear-actuator\"\nparameters = \"own\"\ndt = \"1 ms\"\nsupply_pressure = \"207 bar\"\n"
    "area = \"125 cm^2\"\nstroke = \"125 mm\"\nrated_flow = \"250 l/min\"\nrated_pressure = \"70 bar\"\n"
    "bulk_modulus = \"0.7 GPa\"\nmass = \"150 kg\"\ndead_length = \"30 mm\"\nkp = \"600 V/m\"\n";

const std::vector<std::pair<const char*, std::string>>& specimens() {
  static const std::vector<std::pair<const char*, std::string>> all{
      {"fluid damper", fluid_damper},
      {"exponent 0.3, steep",
       "kind = \"viscous\"\ndamping = \"150 kN*(s/m)^0.3\"\nexponent = 0.3\nvelocity = \"0.01 "
       "mm/s\"\n"},
      {"friction", "kind = \"friction\"\nforce = \"60 kN\"\nvelocity = \"0.1 mm/s\"\n"},
      {"lugre",
       "kind = \"lugre\"\nforce = \"50 kN\"\nstatic_force = \"60 kN\"\nstiffness = \"200 kN/mm\"\n"
       "bristle_damping = \"5e5 N*s/m\"\n"},
      {"bouc-wen", "kind = \"bouc-wen\"\nstiffness = \"20 kN/mm\"\nyield_displacement = \"4 mm\"\n"},
      {"bilinear", "kind = \"bilinear\"\nstiffness = \"35 kN/mm\"\nyield_force = \"100 kN\"\n"},
      {"gap", "kind = \"gap\"\nstiffness = \"20 kN/mm\"\ngap = \"15 mm\"\n"},
      {"maxwell", "kind = \"maxwell\"\nstiffness = \"30 kN/mm\"\ndamping = \"800 kN*s/m\"\n"},
      {"sum",
       "kind = \"sum\"\nparts = [{ kind = \"mass\", mass = \"500 kg\" }, { kind = \"spring\", stiffness = "
       "\"1 kN/mm\" }, { kind = \"viscous\", damping = \"100 kN*(s/m)^0.5\", exponent = 0.5 }, { kind = "
       "\"bilinear\", stiffness = \"5 kN/mm\", yield_force = \"30 kN\" }]\n"}};
  return all;
}

/// The inner steps that the actuator chooses against a thousand a millisecond: never beyond what the actuator can
/// make, and the same force.
TEST(SpecimenSolver, EveryKindOnAHydraulicPiston) {
  for (const auto& [name, specimen] : specimens()) {
    Bench own(actuator, specimen), fine(actuator, specimen, "", {"rig.inner_steps=1000"});
    const double most = *own.rig().unreachable_force(0);
    EXPECT_NEAR(most, 1.05 * 258.75e3, 1);
    double largest = 0, difference = 0, moved = 0;
    for (int i = 1; i < 600; ++i) {
      const double t = i * 1e-3, w = 2 * pi * 2;
      for (Bench* bench : {&own, &fine}) {
        bench->follow(0.02 * std::sin(w * t), 0.02 * w * std::cos(w * t), -0.02 * w * w * std::sin(w * t));
      }
      ASSERT_TRUE(std::isfinite(own.value("force"))) << name;
      largest = std::max(largest, std::abs(own.value("force")));
      difference = std::max(difference, std::abs(own.value("force") - fine.value("force")));
      moved = std::max(moved, std::abs(own.value("measured") - fine.value("measured")));
    }
    EXPECT_LT(largest, most) << name;
    EXPECT_GT(largest, 20e3) << name;
    EXPECT_LT(difference, 0.015 * largest) << name;
    EXPECT_LT(moved, 2e-5) << name;
  }
}

/// A linear servo with a damper of power one half, against the same equations in a thousand Runge–Kutta steps a
/// millisecond, written out.
TEST(SpecimenSolver, OnALinearServo) {
  const double area = 0.012, gain = 2e-3, volume = 2.5e-3, beta = 7e8, leak = 2e-11, mass = 400, kp = 60;
  const double c = 60e3, small = 2e-3;
  Bench bench(
      "kind = \"actuator\"\ndt = \"1 ms\"\narea = \"0.012 m^2\"\nflow_gain = \"2e-3 m^3/s/V\"\nvolume = "
      "\"2.5e-3 m^3\"\nbulk_modulus = \"0.7 GPa\"\nleakage = \"2e-11 m^3/s/Pa\"\nmass = \"400 kg\"\nkp = "
      "\"60 V/m\"\n",
      "kind = \"viscous\"\ndamping = \"60 kN*(s/m)^0.5\"\nexponent = 0.5\nvelocity = \"2 mm/s\"\n");
  const auto damper = [&](double v) { return c * v * std::pow(v * v + small * small, -0.25); };
  std::array<double, 3> z{};  // x, v, p
  const auto rates = [&](const std::array<double, 3>& y, double u) {
    return std::array<double, 3>{y[1], (area * y[2] - damper(y[1])) / mass,
                                 4 * beta / volume * (gain * u - area * y[1] - leak * y[2])};
  };
  double peak = 0, difference = 0, speed = 0, speed_difference = 0;
  double drive = 0;
  for (int i = 1; i <= 800; ++i) {
    const double t = i * 1e-3, w = 2 * pi * 2;
    const double x =
        0.02 * std::sin(w * (t - 1e-3));  // the controller looks at the beginning of the sub-step
    drive = kp * (x - z[0]);
    for (int k = 0; k < 1000; ++k) {
      const double h = 1e-6;
      std::array<double, 3> sum{}, at = z;
      for (int stage = 0; stage < 4; ++stage) {
        const std::array<double, 3> rate = rates(at, drive);
        for (std::size_t j = 0; j < 3; ++j) {
          sum[j] += h / 6 * (stage == 0 || stage == 3 ? 1 : 2) * rate[j];
          at[j] = z[j] + (stage == 2 ? h : 0.5 * h) * rate[j];
        }
      }
      for (std::size_t j = 0; j < 3; ++j) z[j] += sum[j];
    }
    bench.follow(0.02 * std::sin(w * t), 0.02 * w * std::cos(w * t), -0.02 * w * w * std::sin(w * t));
    peak = std::max(peak, std::abs(damper(z[1])));
    speed = std::max(speed, std::abs(z[1]));
    difference = std::max(difference, std::abs(bench.value("force") - damper(z[1])));
    speed_difference = std::max(speed_difference, std::abs(bench.value("measured_velocity") - z[1]));
  }
  EXPECT_GT(peak, 10e3);
  EXPECT_LT(speed_difference, 0.01 * speed);
  EXPECT_LT(difference, 0.02 * peak);
}

TEST(SpecimenSolver, StepKeepsItsPromises) {
  const auto loop = [] {
    return test::loop_of(
        make_test(test::document(std::string("duration = \"1 s\"\n[structure]\nmass = \"20 t\"\n"
                                             "frequency = \"1 Hz\"\n[initial]\ndisplacement = "
                                             "\"1 cm\"\n[integrator]\ndt = \"9 ms\"\n"
                                             "[specimen]\n") +
                                 fluid_damper + "[rig]\n" + actuator)));
  };
  EXPECT_FALSE(test::has_hidden_state(loop, 40));
  EXPECT_FALSE(test::allocates(loop(), 40));
}

}  // namespace
}  // namespace gusset

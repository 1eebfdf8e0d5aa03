// A specimen with coupled degrees of freedom on two displacement-controlled actuators, one plant.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "loading/displacement.hpp"
#include "rig/by_hand.hpp"
#include "rig/drives/servo.hpp"
#include "rig/imposed.hpp"

namespace gusset::test {
namespace {

constexpr double dt = 2e-3, rig_dt = 1e-3;
constexpr int substeps = 2;

/// Two storeys, computed: M, C, K by storeys.
Document numerical(const char* profile) {
  return document(std::string(R"(
[structure]
mass = { values = [2000, 1500], unit = "kg" }
stiffness = { values = [1800, 1200], unit = "kN/m" }
damping = { values = [6, 4], unit = "kN*s/m" }
[integrator]
dt = "2 ms"
[method]
profile = ")") + profile +
                  "\"\n");
}
const Matrix m_n{{2000, 0}, {0, 1500}}, k_n{{3.0e6, -1.2e6}, {-1.2e6, 1.2e6}}, c_n{{10e3, -4e3}, {-4e3, 4e3}};

/// The specimen: two degrees of freedom where the actuators take hold, which are coupled, and one of its own.
TestStructure specimen() {
  return {Matrix{{60, 10, 0}, {10, 80, 5}, {0, 5, 120}},
          Matrix{{900, -200, -100}, {-200, 800, -150}, {-100, -150, 400}},
          Matrix{{9e4, -3e4, -2e4}, {-3e4, 8e4, -2.5e4}, {-2e4, -2.5e4, 9e4}}};
}

ServoParameters servo(double delay, int valve) {
  ServoParameters p;
  p.area = 2e-3;
  p.flow_gain = 1e-4;
  p.leakage = 4e-12;
  p.volume = 5e-4;
  p.bulk_modulus = 7e8;
  p.mass = 40;
  p.damping = 500;
  p.delay = delay;
  p.valve_order = valve;
  p.valve_time = 2e-3;
  p.valve_frequency = 400;
  p.valve_damping = 0.8;
  p.kp = 1500;
  p.ki = 300;
  p.kff = 15;
  p.kdp = -2e-7;
  return p;
}
/// 0.4 of a sub-step late, and 1.3: the sub-step is cut in three.
const double delays[] = {0.4e-3, 1.3e-3};
const int valves[] = {1, 2};

using MakeRig = std::function<std::unique_ptr<Rig>(const RigContext&, PlantRig::Stand)>;

std::unique_ptr<Rig> with_servos(const RigContext& context, PlantRig::Stand stand) {
  PlantRig::Drives drives;
  for (int c = 0; c < 2; ++c)
    drives.push_back(std::make_unique<ServoDrive>(servo(delays[c], valves[c]), rig_dt));
  return std::make_unique<PlantRig>(context, std::move(drives), std::move(stand));
}
std::unique_ptr<Rig> ideal(const RigContext& context, PlantRig::Stand stand) {
  return std::make_unique<ImposedRig>(context, std::move(stand));
}

Experiment test_with(const MakeRig& make, const char* profile) {
  const Document document = numerical(profile);
  ExperimentParts parts;
  parts.title = "coupled";
  parts.dt = dt;
  parts.rig_dt = rig_dt;
  parts.substeps = substeps;
  parts.structure = read_structure(document, {}).structure;
  parts.channels = {{{"lower", {{0, 1.0}}}, Control::displacement},
                    {{"upper", {{1, 1.0}}}, Control::displacement}};
  LayoutMark mark = parts.layout.mark();
  const std::vector<ForceEstimate> estimates{{parts.channels[0].interface, 0},
                                             {parts.channels[1].interface, 0}};
  auto integrator = make_integrator(
      {document.section("integrator"), parts.structure, dt, parts.layout, estimates, true, substeps, false});
  parts.method = std::make_unique<DisplacementMethod>(
      std::move(integrator), parts.channels, std::vector<StoreyForce>{}, estimates,
      read_profile(document.section("method")), dt, substeps, parts.layout);
  parts.loading_state = parts.layout.since(mark);
  mark = parts.layout.mark();
  std::unique_ptr<Rig> rig = make({.document = document,
                                   .section = document.section("rig"),
                                   .channels = parts.channels,
                                   .layout = parts.layout,
                                   .dt = rig_dt,
                                   .specimen = document.section("specimen")},
                                  {specimen(), {{"", {{0, 1.0}}}, {"", {{1, 1.0}}}}});
  const auto at_rest = [](const LinearStart&) { return LinearStart{Vector::Zero(3), Vector::Zero(3), {}}; };
  parts.rigs.push_back({std::move(rig), {0, 1}, {parts.layout.since(mark)}, at_rest});
  parts.compensators.resize(2);
  parts.displacement = parts.velocity = {0, 0};
  parts.specimen_displacement = parts.specimen_velocity = {0, 0};
  return Experiment(std::move(parts));
}

/// The numerical part and its goals, written out. State: d, p, f (two each), then the rig's.
struct ByHand {
  bool spline;
  /// Moves the rig over a sub-step: its state, the commands' value, rate, curvature; returns the forces.
  std::function<Eigen::Vector2d(Eigen::Ref<Vector>, const Eigen::Vector2d& x, const Eigen::Vector2d& v,
                                const Eigen::Vector2d& a)>
      rig;

  void operator()(Vector& s, double ground) const {
    const Matrix left = m_n / (dt * dt) + c_n / (2 * dt), right = m_n / (dt * dt) - c_n / (2 * dt);
    const Eigen::Vector2d d = s.segment<2>(0), p = s.segment<2>(2), f = s.segment<2>(4);
    const Eigen::Vector2d load = k_n * d + f + m_n * Eigen::Vector2d::Constant(ground);
    const Eigen::Vector2d next = left.partialPivLu().solve(right * p - load);
    const Eigen::Vector2d c0 = spline ? Eigen::Vector2d(d - 0.5 * p) : d, c1 = (spline ? p : next) / dt,
                          c2 = spline ? Eigen::Vector2d((next - p) / (dt * dt)) : Eigen::Vector2d::Zero();
    for (int j = 0; j < substeps; ++j) {
      const double t = (j + 1) * rig_dt;
      s.segment<2>(4) = rig(s.tail(s.size() - 6), c0 + t * c1 + 0.5 * t * t * c2, c1 + t * c2, c2);
    }
    s.segment<2>(0) = d + next;
    s.segment<2>(2) = next;
  }
};

/// The specimen that follows exactly: y'' from the motion of the attachments, by small steps.
Eigen::Vector2d follow(Eigen::Ref<Vector> own, const Eigen::Vector2d& x, const Eigen::Vector2d& v,
                       const Eigen::Vector2d& a) {
  const TestStructure s = specimen();
  const auto motion = [&](double left) {  // of the attachments, `left` before the end
    const Eigen::Vector2d position = x - left * v + 0.5 * left * left * a, speed = v - left * a;
    return std::pair(position, speed);
  };
  const auto acceleration = [&](double y, double w, double left) {
    const auto [position, speed] = motion(left);
    Eigen::Vector3d q, r;
    q << position, y;
    r << speed, w;
    return -(s.stiffness.row(2).dot(q) + s.damping.row(2).dot(r) + s.mass.row(2).head<2>().dot(a)) /
           s.mass(2, 2);
  };
  Vector state = own;
  integrate(state, rig_dt, 20, [&](const Vector& z, double t) {
    return Vector(Eigen::Vector2d(z(1), acceleration(z(0), z(1), rig_dt - t)));
  });
  own = state;
  Eigen::Vector3d q, r, b;
  q << x, state(0);
  r << v, state(1);
  b << a, acceleration(state(0), state(1), 0);
  return (s.mass * b + s.damping * r + s.stiffness * q).head<2>();
}

/// Two servo-hydraulic actuators on the specimen. State: q, q' (three each), Δp and flows of each actuator
/// (1 + 1, 1 + 2), ∫e of each, drives on their way (1 and 2).
constexpr int servo_states = 6 + 2 + 3 + 2 + 3;
Eigen::Vector2d drive(Eigen::Ref<Vector> own, const Eigen::Vector2d& x, const Eigen::Vector2d& v,
                      const Eigen::Vector2d& a) {
  const TestStructure s = specimen();
  const ServoParameters p[] = {servo(delays[0], valves[0]), servo(delays[1], valves[1])};
  Matrix mass = s.mass, damping = s.damping;
  for (int c = 0; c < 2; ++c) {
    mass(c, c) += p[c].mass;
    damping(c, c) += p[c].damping;
  }
  const int pressure[] = {6, 8}, integral = 11, late = 13;
  Eigen::Vector2d u;
  for (int c = 0; c < 2; ++c) {
    const double begin = x(c) - rig_dt * v(c) + 0.5 * rig_dt * rig_dt * a(c), rate = v(c) - rig_dt * a(c);
    const double error = begin - own(c);
    u(c) = p[c].kp * error + p[c].ki * own(integral + c) + p[c].kff * rate + p[c].kdp * own(pressure[c]);
    own(integral + c) += rig_dt * error;
  }
  // Seen by the valves, before and after the cut of each.
  const double older[] = {own(late), own(late + 2)}, newer[] = {u(0), own(late + 1)},
               cuts[] = {0.4e-3, 0.3e-3};
  own(late) = u(0);
  own(late + 2) = own(late + 1);
  own(late + 1) = u(1);
  const auto forces = [&](const Vector& z) {
    Eigen::Vector3d pushed = -s.stiffness * z.segment<3>(0) - damping * z.segment<3>(3);
    for (int c = 0; c < 2; ++c) pushed(c) += p[c].area * z(pressure[c]);
    return Eigen::Vector3d(mass.partialPivLu().solve(pushed));
  };
  Vector z = own.head(11);
  const double times[] = {0, 0.3e-3, 0.4e-3, 1e-3};
  for (int part = 0; part < 3; ++part) {
    const double from = times[part];
    integrate(z, times[part + 1] - from, 100, [&](const Vector& y, double) {
      Vector rates = Vector::Zero(11);
      rates.segment<3>(0) = y.segment<3>(3);
      rates.segment<3>(3) = forces(y);
      for (int c = 0; c < 2; ++c) {
        const double seen = from < cuts[c] - 1e-9 ? older[c] : newer[c];
        const double compliance = p[c].volume / (4 * p[c].bulk_modulus);
        const int at = pressure[c];
        rates(at) = (y(at + 1) - p[c].area * y(3 + c) - p[c].leakage * y(at)) / compliance;
        if (c == 0) {
          rates(at + 1) = (p[c].flow_gain * seen - y(at + 1)) / p[c].valve_time;
        } else {
          const double w = p[c].valve_frequency;
          rates(at + 1) = y(at + 2);
          rates(at + 2) =
              w * w * (p[c].flow_gain * seen - y(at + 1)) - 2 * p[c].valve_damping * w * y(at + 2);
        }
      }
      return rates;
    });
  }
  own.head(11) = z;
  return (s.mass * forces(z) + s.damping * z.segment<3>(3) + s.stiffness * z.segment<3>(0)).head<2>();
}

/// Over so many steps, relative to the largest values; the hand's own error is below the tolerance.
void expect_same(const Experiment& experiment, const ByHand& hand, int rig_states, double tolerance) {
  Experiment::Start start = experiment.start();
  Vector state = Vector::Zero(6 + rig_states);
  const Row& row = experiment.loop().row();
  const Port lower = row.find("lower.force").port, upper = row.find("upper.measured").port;
  const Port roof = experiment.response().displacement;
  double force = 0, force_error = 0, moved = 0, moved_error = 0;
  for (int i = 0; i < 3000; ++i) {
    Input input;
    input.acceleration = shaking(i, dt);
    const double before = state(1);
    hand(state, input.acceleration);
    experiment.step(start.state, input, start.row);
    force = std::max(force, std::abs(state(4)));
    force_error = std::max(force_error, std::abs(start.row[lower] - state(4)));
    moved = std::max(moved, std::abs(before));
    moved_error = std::max(moved_error, std::abs(start.row[roof[1]] - before));
    ASSERT_TRUE(std::isfinite(start.row[upper]));
  }
  EXPECT_GT(moved, 1e-4);
  EXPECT_LT(moved, 1);
  EXPECT_LT(force_error, tolerance * force);
  EXPECT_LT(moved_error, tolerance * moved);
}

TEST(CoupledSpecimen, IdealActuatorsAgainstASolutionBySmallSteps) {
  const Experiment experiment = test_with(ideal, "b-spline");
  expect_same(experiment, {true, follow}, 2, 1e-8);
}

TEST(CoupledSpecimen, ServosAgainstASolutionBySmallSteps) {
  const Experiment experiment = test_with(with_servos, "ramp");
  expect_same(experiment, {false, drive}, servo_states, 1e-8);
}

TEST(CoupledSpecimen, SpectralRadiusIsThatOfTheMatrixByHand) {
  Linearizer linearizer;
  const Experiment exact = test_with(ideal, "b-spline");
  EXPECT_TRUE(exact.affine());
  const double ideal_radius = spectrum(linearizer.matrix(exact)).radius;
  EXPECT_NEAR(ideal_radius, spectrum(matrix_of(ByHand{true, follow}, 6 + 2)).radius, 1e-9);
  const Experiment moved = test_with(with_servos, "ramp");
  const double servo_radius = spectrum(linearizer.matrix(moved)).radius;
  EXPECT_NEAR(servo_radius, spectrum(matrix_of(ByHand{false, drive}, 6 + servo_states)).radius, 1e-9);
  EXPECT_GT(std::abs(servo_radius - ideal_radius), 1e-6) << "the servos make no difference";
}

/// The coupling is what the test sees: without it the answer is another one.
TEST(CoupledSpecimen, TwoSpecimensSideBySideAreAnotherTest) {
  const auto uncoupled = [](const RigContext& context, PlantRig::Stand stand) {
    for (Matrix* matrix : {&stand.specimen.mass, &stand.specimen.damping, &stand.specimen.stiffness}) {
      *matrix = Matrix(matrix->diagonal().asDiagonal());
    }
    return with_servos(context, std::move(stand));
  };
  const Experiment coupled = test_with(with_servos, "ramp"), apart = test_with(uncoupled, "ramp");
  Experiment::Start one = coupled.start(), other = apart.start();
  const Port force = coupled.loop().row().find("lower.force").port;
  double largest = 0, difference = 0;
  for (int i = 0; i < 1000; ++i) {
    Input input;
    input.acceleration = shaking(i, dt);
    coupled.step(one.state, input, one.row);
    apart.step(other.state, input, other.row);
    largest = std::max(largest, std::abs(one.row[force]));
    difference = std::max(difference, std::abs(one.row[force] - other.row[force]));
  }
  EXPECT_GT(difference, 0.05 * largest);
}

TEST(CoupledSpecimen, InLockstepOverALinkEverySignalIsTheSameToTheBit) {
  for (const auto& tested :
       {test_of(test_with(ideal, "b-spline")), test_of(test_with(with_servos, "ramp"))}) {
    EXPECT_EQ(differs_in_lockstep(tested, 500), "");
    Experiment::Start start = tested.start();
    EXPECT_EQ(tested.experiment->loop().leak(tested.experiment->layout(), start.state, start.row), "");
  }
}

}  // namespace
}  // namespace gusset::test

// One plant with a displacement channel, a force channel and a shake table: a frame of three floors.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/linearize.hpp"
#include "analysis/spectrum.hpp"
#include "rig/by_hand.hpp"
#include "rig/drives/force.hpp"
#include "rig/drives/servo.hpp"
#include "rig/plant_rig.hpp"

namespace gusset::test {
namespace {

constexpr double dt = 1e-3;
constexpr double numerical_mass = 1000, numerical_stiffness = 2e5, numerical_damping = 3e3;
constexpr double jack_delay = 0.6e-3, table_delay = 1.25e-3, servo_delay = 0.4e-3;
constexpr double table_omega = 60, table_zeta = 0.7, stroke_omega = 3, stroke_zeta = 0.7;
constexpr double share = 0.3;  ///< of the numerical motion that the table makes

const Matrix mass{{300, 0, 0}, {0, 250, 0}, {0, 0, 200}},
    stiffness{{6e5, -2.5e5, 0}, {-2.5e5, 4.5e5, -2e5}, {0, -2e5, 2e5}},
    damping{{2e3, -700, 0}, {-700, 1.4e3, -600}, {0, -600, 900}};

ServoParameters servo() {
  ServoParameters p;
  p.area = 2e-3;
  p.flow_gain = 1e-4;
  p.leakage = 4e-12;
  p.volume = 5e-4;
  p.bulk_modulus = 7e8;
  p.mass = 40;
  p.damping = 500;
  p.delay = servo_delay;
  p.kp = 1500;
  p.kff = 15;
  p.kdp = -2e-7;
  return p;
}

/// The numerical part: an oscillator that feels the brace, by semi-implicit Euler,
///   v ← v − Δt·(k·d + c·v + f + m·a_g)/m,  d ← d + Δt·v
/// The brace is told d, in a ramp; the jack −½·m_3·a_g; the table a_g and a share of the oscillator's
/// acceleration.
class Mixed final : public Method {
 public:
  Mixed(std::vector<Channel> channels, Layout& layout)
      : Method(std::move(channels), Profile::ramp, dt, layout, 1) {
    d_ = layout.add("numerical", "displacement", "m", 1, 1e-3);
    v_ = layout.add("numerical", "velocity", "m/s", 1, 1e-2);
  }
  void begin(State& state, const Input& input, const Response&, Piece* pieces,
             double*) const noexcept override {
    double &d = *state.at(d_), &v = *state.at(v_);
    const double a =
        -(numerical_stiffness * d + numerical_damping * v + *state.at(forces())) / numerical_mass -
        input.acceleration;
    v += dt * a;
    pieces[0] = {d, v, 0};
    d += dt * v;
    pieces[1] = {-0.5 * mass(2, 2) * input.acceleration, 0, 0};
    pieces[2] = {input.acceleration + share * a, 0, 0};
  }
  void start(State&, const LinearStart&, const Input&, Command* targets) const override {
    for (std::size_t c = 0; c < 3; ++c) targets[c] = {};
  }
  int wires() const override { return 0; }

 private:
  Segment d_, v_;
};

Experiment mixed() {
  const Document document = test::document("");
  ExperimentParts parts;
  parts.title = "mixed";
  parts.dt = parts.rig_dt = dt;
  parts.channels = {{{"brace", {}}, Control::displacement},
                    {{"jack", {}}, Control::force},
                    {{"table", {}}, Control::acceleration}};
  LayoutMark mark = parts.layout.mark();
  parts.method = std::make_unique<Mixed>(parts.channels, parts.layout);
  parts.loading_state = parts.layout.since(mark);
  mark = parts.layout.mark();
  PlantRig::Drives drives;
  drives.push_back(std::make_unique<ServoDrive>(servo(), dt));
  drives.push_back(std::make_unique<PerfectForce>(jack_delay));
  drives.push_back(std::make_unique<TableDrive>(TableStroke{stroke_omega, stroke_zeta},
                                                TableDrive::Loop{table_omega, table_zeta}, table_delay));
  const RigContext context{.document = document,
                           .section = document.section("rig"),
                           .channels = parts.channels,
                           .layout = parts.layout,
                           .dt = dt,
                           .specimen = document.section("specimen")};
  auto rig = std::make_unique<PlantRig>(
      context, std::move(drives),
      PlantRig::Stand{{mass, damping, stiffness}, {{"", {{0, 1.0}}}, {"", {{2, 1.0}}}, {}}});
  const auto at_rest = [](const LinearStart&) { return LinearStart{Vector::Zero(3), Vector::Zero(3), {}}; };
  parts.rigs.push_back({std::move(rig), {0, 1, 2}, {parts.layout.since(mark)}, at_rest});
  parts.compensators.resize(3);
  return Experiment(std::move(parts));
}

/// The same by hand. State: d, v, f; q, q' (three each), Δp, a_t, a_t', y, y'; drive, force, acceleration on
/// their way (1, 1, 2).
enum Entry {
  d,
  v,
  f,
  q,
  speed = q + 3,
  pressure = speed + 3,
  table,
  table_rate,
  y,
  y_rate,
  late_drive,
  late_force,
  late_table,
  size = late_table + 2
};

void by_hand(Vector& s, double ground) {
  const ServoParameters p = servo();
  const double a = -(numerical_stiffness * s(d) + numerical_damping * s(v) + s(f)) / numerical_mass - ground;
  s(v) += dt * a;
  const double begin = s(d), rate = s(v);
  s(d) += dt * s(v);
  const double force = -0.5 * mass(2, 2) * ground, shaken = ground + share * a;
  const double u = p.kp * (begin - s(q)) + p.kff * rate + p.kdp * s(pressure);
  // Older and newer courses: cut at 0.4, 0.6 and 0.25 of the sub-step.
  const double drives[] = {s(late_drive), u}, forces[] = {s(late_force), force},
               tables[] = {s(late_table + 1), s(late_table)};
  s(late_drive) = u;
  s(late_force) = force;
  s(late_table + 1) = s(late_table);
  s(late_table) = shaken;
  Matrix moved = mass, damped = damping;
  moved(0, 0) += p.mass;
  damped(0, 0) += p.damping;
  const double times[] = {0, 0.25e-3, 0.4e-3, 0.6e-3, 1e-3};
  for (int part = 0; part < 4; ++part) {
    const double drive = drives[part >= 2], push = forces[part >= 3], told = tables[part >= 1];
    Vector z = s.segment(q, late_drive - q);
    integrate(z, times[part + 1] - times[part], 60, [&](const Vector& x, double) {
      Vector rates(x.size());
      const double at = x(table - q);
      Eigen::Vector3d load = -stiffness * x.head<3>() - damped * x.segment<3>(3);
      load(0) += p.area * x(pressure - q);
      load(2) += push;
      rates.head<3>() = x.segment<3>(3);
      rates.segment<3>(3) = moved.partialPivLu().solve(load) - Eigen::Vector3d::Constant(at);
      rates(pressure - q) = (p.flow_gain * drive - p.area * x(3) - p.leakage * x(pressure - q)) *
                            (4 * p.bulk_modulus / p.volume);
      rates(table - q) = x(table_rate - q);
      rates(table_rate - q) =
          table_omega * table_omega * (told - at) - 2 * table_zeta * table_omega * x(table_rate - q);
      rates(y - q) = x(y_rate - q);
      rates(y_rate - q) =
          told - stroke_omega * stroke_omega * x(y - q) - 2 * stroke_zeta * stroke_omega * x(y_rate - q);
      return rates;
    });
    s.segment(q, late_drive - q) = z;
  }
  // What the first floor does to the brace: its own inertia is that of the absolute motion.
  Eigen::Vector3d load = -stiffness * s.segment<3>(q) - damped * s.segment<3>(speed);
  load(0) += p.area * s(pressure);
  const double acceleration = load(0) / moved(0, 0) - s(table);
  s(f) = mass(0, 0) * (acceleration + s(table)) + stiffness.row(0).dot(s.segment<3>(q)) +
         damping.row(0).dot(s.segment<3>(speed));
}

TEST(MixedPlant, AgainstASolutionBySmallSteps) {
  const Experiment experiment = mixed();
  Experiment::Start start = experiment.start();
  const Row& row = experiment.loop().row();
  struct Seen {
    const char* name;
    int entry;
    double largest = 0, error = 0;
  };
  std::vector<Seen> seen{{"brace.measured", q},    {"brace.force", f},           {"brace.pressure", pressure},
                         {"jack.measured", q + 2}, {"jack.velocity", speed + 2}, {"table.measured", table},
                         {"table.displacement", y}};
  Vector state = Vector::Zero(size);
  for (int i = 0; i < 3000; ++i) {
    Input input;
    input.acceleration = shaking(i, dt);
    experiment.step(start.state, input, start.row);
    by_hand(state, input.acceleration);
    for (Seen& one : seen) {
      one.largest = std::max(one.largest, std::abs(state(one.entry)));
      one.error = std::max(one.error, std::abs(start.row[row.find(one.name).port] - state(one.entry)));
    }
  }
  for (const Seen& one : seen) {
    EXPECT_GT(one.largest, 0) << one.name;
    EXPECT_LT(one.error, 1e-8 * one.largest) << one.name;
  }
}

TEST(MixedPlant, SpectralRadiusIsThatOfTheMatrixByHand) {
  const Experiment experiment = mixed();
  EXPECT_TRUE(experiment.affine());
  Linearizer linearizer;
  const double radius = spectrum(linearizer.matrix(experiment)).radius;
  EXPECT_NEAR(radius, spectrum(matrix_of(by_hand, size)).radius, 1e-9);
  EXPECT_LT(radius, 1);
}

TEST(MixedPlant, InLockstepOverALinkEverySignalIsTheSameToTheBit) {
  const auto tested = test_of(mixed());
  EXPECT_EQ(differs_in_lockstep(tested, 1000), "");
  Experiment::Start start = tested.start();
  EXPECT_EQ(tested.experiment->loop().leak(tested.experiment->layout(), start.state, start.row), "");
}

TEST(MixedPlant, EachChannelMeasuresWhatItsControlSays) {
  const Experiment experiment = mixed();
  const Loop::Cut& cut = experiment.cut();
  std::vector<std::string> names;
  for (const Row::Entry& entry : cut.feedback) names.push_back(entry.name() + " " + entry.signal.unit);
  EXPECT_EQ(names, (std::vector<std::string>{
                       "brace.measured m", "brace.force N", "brace.measured_velocity m/s",
                       "brace.measured_acceleration m/s^2", "brace.pressure Pa", "brace.drive V",
                       "jack.measured m", "jack.force N", "jack.velocity m/s", "jack.acceleration m/s^2",
                       "table.measured m/s^2", "table.displacement m", "table.velocity m/s"}));
}

}  // namespace
}  // namespace gusset::test

// The plant of today against the one that it replaced, which was written for one channel and is kept in old/:
// over 3,000 sub-steps, and in the spectral radius of one.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "rig/benches.hpp"
#include "rig/servo_parameters.hpp"
#include "support/old_plant/blocks.hpp"
#include "support/old_plant/servo.hpp"

namespace gusset {
namespace {

using test::Bench;

constexpr double dt = 1e-3;

/// A rig that stands alone, with a row of its own.
class Alone {
 public:
  using Make = std::function<std::unique_ptr<Rig>(const RigContext&)>;

  Alone(const Document& document, const Make& make) : channel_{{"specimen", {}}, Control::displacement} {
    const RigContext context{.document = document,
                             .section = document.section("rig"),
                             .channels = {&channel_, 1},
                             .layout = layout_,
                             .dt = dt,
                             .specimen = document.section("specimen"),
                             .profile = Profile::quadratic};
    rig_ = make(context);
    names_ = rig_->signals(0);
    wires_ = Wires(4 + names_.size());
    place_ = {CommandPort{0}, Port{4, static_cast<int>(names_.size())}};
    state_ = layout_.zero();
    wires_.put(place_.command, {});
    rig_->start(state_, {Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1), {}}, row());
  }
  void advance(const Command& command) { advance(state_, command); }
  void advance(State& state, const Command& command) {
    wires_.put(place_.command, command);
    rig_->advance(state, row(), false);
  }
  const std::vector<Signal>& names() const { return names_; }
  double value(std::size_t signal) const { return wires_[place_.signals[static_cast<int>(signal)]]; }
  const Layout& layout() const { return layout_; }

  /// Of one sub-step under no command.
  Eigen::MatrixXd matrix() {
    const int n = layout_.size();
    Eigen::MatrixXd matrix(n, n);
    for (int j = 0; j < n; ++j) {
      State state = layout_.zero();
      state.values[static_cast<std::size_t>(j)] = 1;
      advance(state, {});
      for (int i = 0; i < n; ++i) matrix(i, j) = state.values[static_cast<std::size_t>(i)];
    }
    return matrix;
  }

 private:
  RigRow row() { return {WireView(wires_), &place_}; }

  Layout layout_;
  Channel channel_;
  std::unique_ptr<Rig> rig_;
  std::vector<Signal> names_;
  Wires wires_;
  RigRow::Place place_;
  State state_;
};

struct Case {
  const char* name;
  std::string rig, specimen;
  Alone::Make old;
  bool linear = true;
};

std::unique_ptr<Rig> old_servo(const RigContext& context) {
  const bool table = context.section.text("kind") == "shake-table";
  ServoParameters p = table ? read_servo(context.section, table_sets(), "rice-like")
                            : read_servo(context.section, actuator_sets(), "own");
  p.force_delay = read_force_delay(context.section, context.dt);
  return std::make_unique<old::ServoRig>(context, p);
}

std::unique_ptr<Rig> old_blocks(const RigContext& context) {
  const Section& s = context.section;
  return old::make_blocks(context,
                          {1, s.number("b0", dim::none), s.number("b1", dim::none), s.number("b2", dim::none),
                           s.number("a2", dim::none), s.number("a3", dim::none)},
                          {s.positive("mass", dim::mass), s.positive("damping", dim::damping),
                           s.positive("stiffness", dim::stiffness)},
                          s.positive("delay", dim::time), read_force_delay(s, context.dt));
}

const std::string oscillator =
    "kind = \"oscillator\"\nmass = \"150 kg\"\nfrequency = \"3 Hz\"\ndamping_ratio = 0.05";
const std::string spring = "kind = \"spring\"\nstiffness = \"200 kN/m\"";
const std::string yielding =
    "kind = \"bilinear\"\nstiffness = \"200 kN/m\"\nyield_force = \"0.5 kN\"\nhardening = 0.1";
const std::string table = "kind = \"shake-table\"\ndt = \"1 ms\"\n";
const std::string actuator = "kind = \"actuator\"\nparameters = \"carrion-spencer\"\ndt = \"1 ms\"\n";
const std::string blocks =
    "kind = \"blocks\"\ndt = \"1 ms\"\nb0 = 3e13\nb1 = 500\nb2 = 2e5\na2 = 2e6\na3 = 40\nmass = \"60 kg\"\n"
    "damping = \"400 N*s/m\"\nstiffness = \"30 kN/m\"\n";

std::vector<Case> cases() {
  return {
      {"table", table, oscillator, old_servo},
      {"table, late by a fraction", table + "delay = \"0.3 ms\"\nforce_delay = \"1.5 ms\"", oscillator,
       old_servo},
      {"table, yielding specimen", table + "delay = \"0.2 ms\"", yielding, old_servo, false},
      {"actuator", actuator, spring, old_servo},
      {"actuator, valve of second order",
       actuator + "valve = \"second-order\"\nvalve_frequency = \"60 Hz\"\nvalve_damping_ratio = 0.8",
       oscillator, old_servo},
      {"blocks", blocks + "delay = \"1 ms\"", spring, old_blocks},
      {"blocks, late by a fraction", blocks + "delay = \"1.6 ms\"\nforce_delay = 2", oscillator, old_blocks},
  };
}

Document document_of(const Case& one) {
  return test::document("[specimen]\n" + one.specimen + "\n[rig]\n" + one.rig + "\n");
}
std::unique_ptr<Rig> new_rig(const RigContext& context) { return make_rig(context); }

Command command_at(int i) {
  const double t = i * dt, w = 11, u = 37;
  const auto rate = [&](double s) { return 4e-3 * w * std::cos(w * s) + 1e-3 * u * std::cos(u * s); };
  return {4e-3 * std::sin(w * t) + 1e-3 * std::sin(u * t), rate(t),
          -4e-3 * w * w * std::sin(w * t) - 1e-3 * u * u * std::sin(u * t), rate(t - dt)};
}

TEST(PlantOracle, TheSameSignalsOver3000SubSteps) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const Document document = document_of(one);
    Alone now(document, new_rig), then(document, one.old);
    ASSERT_EQ(now.names().size(), then.names().size());
    const std::size_t count = now.names().size();
    std::vector<double> largest(count), error(count);
    for (int i = 1; i <= 3000; ++i) {
      now.advance(command_at(i));
      then.advance(command_at(i));
      for (std::size_t k = 0; k < count; ++k) {
        ASSERT_TRUE(std::isfinite(then.value(k)));
        largest[k] = std::max(largest[k], std::abs(then.value(k)));
        error[k] = std::max(error[k], std::abs(now.value(k) - then.value(k)));
      }
    }
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_EQ(now.names()[k].name, then.names()[k].name);
      EXPECT_GT(largest[k], 0) << now.names()[k].name;
      // A yielding specimen's force was that of the piece before; now it is that of the piece's end. Both are
      // first order in 0.1 ms.
      EXPECT_LE(error[k], (one.linear ? 1e-12 : 5e-3) * largest[k]) << now.names()[k].name;
    }
  }
}

TEST(PlantOracle, TheSameSpectralRadius) {
  for (const Case& one : cases()) {
    if (!one.linear) continue;
    SCOPED_TRACE(one.name);
    const Document document = document_of(one);
    Alone now(document, new_rig), then(document, one.old);
    ASSERT_EQ(now.layout().size(), then.layout().size());
    for (int i = 0; i < now.layout().size(); ++i)
      EXPECT_EQ(now.layout().name_of(i), then.layout().name_of(i));
    const double radius = then.matrix().eigenvalues().cwiseAbs().maxCoeff();
    EXPECT_GT(radius, 0.1);
    EXPECT_NEAR(now.matrix().eigenvalues().cwiseAbs().maxCoeff(), radius, 1e-12);
  }
}

}  // namespace
}  // namespace gusset

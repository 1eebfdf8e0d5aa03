#include <cmath>

#include "rig/propagator.hpp"
#include "rig/servo_parameters.hpp"
#include "rig/signal_delay.hpp"
#include "support/old_plant/blocks.hpp"
#include "support/old_plant/mechanics.hpp"

namespace gusset::old {
namespace {

/// The block structure of a small rig with an analogue servo-controller, the specimen solved with it:
///
///   e = gain·(u(t − τ) − x)                    unity displacement feedback
///   i'' + b1·i' + b2·i = b0·e                  servo-valve
///   F' + a3·F = i − a2·x'                      actuator, natural velocity feedback
///   m·x'' + c·x' + k·x = F − f                 the rig's own mass, damping, stiffness; f: specimen's
///
/// u moves linearly between samples. With s the Laplace variable and D(s) = m s² + c s + k of rig and
/// specimen together,
///
///   x/u = gain·b0 / [(s² + b1 s + b2)((s + a3)·D + a2 s) + gain·b0]
///
/// State: z = [x, specimen's own; their velocities; F; i, i'], commands on their way, delayed force.
class BlocksRig final : public SpecimenRig {
 public:
  BlocksRig(const RigContext& context, const Blocks& blocks, const Mechanics::Own& own, double delay,
            double force_delay);

  void advance(State& state, RigRow row, bool trial) const noexcept override;
  void start(State& state, const LinearStart& specimen, RigRow row) const override;
  const Specimen& specimen() const override { return mechanics_->specimen(); }
  std::vector<Signal> signals(std::size_t) const override {
    return {
        {"measured", "m"}, {"force", "N"}, {"measured_velocity", "m/s"}, {"measured_acceleration", "m/s^2"}};
  }

 private:
  void move(State& state, const LinearCommand::Part& part) const noexcept;
  double measure(const State& state, double* measured) const noexcept;

  Blocks blocks_;
  double own_stiffness_;
  std::vector<double> durations_;
  std::vector<int> pieces_;
  std::unique_ptr<Mechanics> mechanics_;
  Propagator plant_;
  Segment z_, remainder_;
  LinearCommand command_;
  SignalDelay force_delay_;
};

BlocksRig::BlocksRig(const RigContext& context, const Blocks& blocks, const Mechanics::Own& own, double delay,
                     double force_delay)
    : SpecimenRig(context), blocks_(blocks), own_stiffness_(own.stiffness) {
  const bool linear = specimen_linear(context);
  command_ = LinearCommand(context, delay);
  durations_ = command_.durations();
  for (double& duration : durations_) {
    pieces_.push_back(pieces_of(duration, linear));
    duration /= pieces_.back();
  }
  mechanics_ = std::make_unique<Mechanics>(context, own, durations_);
  const int m = mechanics_->size();
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(m + 3, m + 3);
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(m + 3, linear ? 1 : 2);
  a.topLeftCorner(m, m) = mechanics_->a();
  a.block(0, m, m, 1) = mechanics_->b();
  if (!linear) b.block(0, 1, m, 1) = -mechanics_->b();
  a(m, m / 2) = -blocks.a2;
  a(m, m) = -blocks.a3;
  a(m, m + 1) = 1;
  a(m + 1, m + 2) = 1;
  a(m + 2, 0) = -blocks.gain * blocks.b0;
  a(m + 2, m + 1) = -blocks.b2;
  a(m + 2, m + 2) = -blocks.b1;
  b(m + 2, 0) = blocks.gain * blocks.b0;
  plant_ = Propagator(a, b, durations_);

  Layout& layout = context.layout;
  z_ = layout.add(context.name(), "position", "m", m / 2, 1e-3);
  layout.add(context.name(), "speed", "m/s", m / 2, 1e-2);
  layout.add(context.name(), "actuator", "N", 1, 10);
  layout.add(context.name(), "valve", "N/s", 1, 1e3);
  layout.add(context.name(), "valve_rate", "N/s^2", 1, 1e5);
  remainder_ = layout.add(context.name(), "remainder", "N", linear ? 0 : 1, 1.0);
  force_delay_ = SignalDelay(layout, context.name(), "late_force", "N",
                             delay_steps(context.section, "force_delay", force_delay, context.dt), 1.0);
}

void BlocksRig::move(State& state, const LinearCommand::Part& part) const noexcept {
  double* z = state.at(z_);
  const int n = mechanics_->freedoms();
  const int pieces = pieces_[static_cast<std::size_t>(part.slot)];
  const double change[] = {(part.to - part.from) / pieces, 0};
  for (int i = 0; i < pieces; ++i) {
    double inputs[] = {part.from + i * change[0], 0};
    if (!mechanics_->linear()) inputs[1] = *state.at(remainder_);
    const double before = z[n];
    plant_.ramp(z, inputs, change, part.slot);
    if (mechanics_->linear()) continue;
    const double h = durations_[static_cast<std::size_t>(part.slot)];
    *state.at(remainder_) =
        mechanics_->remainder(state, z, {z[0], z[n], (z[n] - before) / h, before, part.slot});
  }
}

double BlocksRig::measure(const State& state, double* measured) const noexcept {
  const double* z = state.at(z_);
  const double r = mechanics_->linear() ? 0 : *state.at(remainder_);
  measured[0] = z[0];
  measured[2] = z[mechanics_->freedoms()];
  measured[3] = mechanics_->acceleration(z, z[mechanics_->size()] - r);
  return mechanics_->force(z, measured[3], r);
}

void BlocksRig::advance(State& state, RigRow row, bool) const noexcept {
  const Command& command = row.command(0);
  double* measured = row.signals(0);
  const LinearCommand::Parts parts = command_.step(state, command.value);
  for (int i = 0; i < parts.count; ++i) move(state, parts.part[i]);
  measured[1] = force_delay_.step(state, measure(state, measured));
}

void BlocksRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  const Motion motion = motion_of(row.command(0));
  double* measured = row.signals(0);
  double* z = state.at(z_);
  const double u = motion.displacement;
  // Where the loop rests under u: b2·i = gain·b0·(u − x), i = a3·F, F = k·x.
  const double holding = blocks_.b2 * blocks_.a3 / (blocks_.gain * blocks_.b0);
  const double x = u / (1 + holding * (mechanics_->static_force(1) + own_stiffness_));
  const double r = mechanics_->start(state, z, x, specimen.displacement(0), specimen.velocity(0));
  if (!mechanics_->linear()) *state.at(remainder_) = r;
  const int m = mechanics_->size();
  z[m] = mechanics_->static_force(x) + own_stiffness_ * x + r;
  z[m + 1] = blocks_.a3 * z[m];
  z[m + 2] = 0;
  command_.rest(state, u);
  measured[1] = measure(state, measured);
  force_delay_.rest(state, measured[1]);
}

}  // namespace

std::unique_ptr<Rig> make_blocks(const RigContext& context, const Blocks& blocks, const Mechanics::Own& own,
                                 double delay, double force_delay) {
  return std::make_unique<BlocksRig>(context, blocks, own, delay, force_delay);
}

}  // namespace gusset::old

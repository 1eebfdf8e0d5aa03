#include "support/old_plant/servo.hpp"

namespace gusset::old {

ServoRig::ServoRig(const RigContext& context, const ServoParameters& parameters)
    : SpecimenRig(context), p_(parameters), controller_(context, parameters) {
  const bool linear = specimen_linear(context);
  const int slots = controller_.split() ? 2 : 1;
  for (int i = 0; i < slots; ++i) {
    pieces_[i] = pieces_of(controller_.span(i), linear);
    durations_[i] = controller_.span(i) / pieces_[i];
  }
  const std::span<const double> durations(durations_, static_cast<std::size_t>(slots));
  mechanics_ = std::make_unique<Mechanics>(context, Mechanics::Own{p_.mass, p_.damping, 0}, durations);

  const int m = mechanics_->size();
  const int valve = p_.valve_order;
  const Eigen::Index size = m + 1 + valve;
  const Eigen::Index pressure = m;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(size, linear ? 1 : 2);
  a.topLeftCorner(m, m) = mechanics_->a();
  a.block(0, pressure, m, 1) = p_.area * mechanics_->b();
  if (!linear) b.block(0, 1, m, 1) = -mechanics_->b();
  const double compliance = p_.volume / (4 * p_.bulk_modulus);
  a(pressure, m / 2) = -p_.area / compliance;
  a(pressure, pressure) = -(p_.leakage + p_.flow_pressure) / compliance;
  if (valve == 0) {
    b(pressure, 0) = p_.flow_gain / compliance;
  } else {
    a(pressure, pressure + 1) = 1 / compliance;
    if (valve == 1) {
      a(pressure + 1, pressure + 1) = -1 / p_.valve_time;
      b(pressure + 1, 0) = p_.flow_gain / p_.valve_time;
    } else {
      const double w = p_.valve_frequency;
      a(pressure + 1, pressure + 2) = 1;
      a(pressure + 2, pressure + 1) = -w * w;
      a(pressure + 2, pressure + 2) = -2 * p_.valve_damping * w;
      b(pressure + 2, 0) = w * w * p_.flow_gain;
    }
  }
  plant_ = Propagator(a, b, durations);

  // Consecutive segments: the plant sees them as one vector.
  Layout& layout = context.layout;
  const std::string& name = context.name();
  z_ = layout.add(name, "position", "m", m / 2, 1e-3);
  layout.add(name, "speed", "m/s", m / 2, 1e-2);
  layout.add(name, "pressure", "Pa", 1, 1e4);
  layout.add(name, "flow", "m^3/s", valve, 1e-5);
  remainder_ = layout.add(name, "remainder", "N", linear ? 0 : 1, 1.0);
  force_delay_ = SignalDelay(layout, name, "late_force", "N",
                             delay_steps(context.section, "force_delay", p_.force_delay, context.dt), 1.0);
}

double ServoRig::force_on_piston(const double* z) const noexcept { return p_.area * z[mechanics_->size()]; }

void ServoRig::move(State& state, double drive, int slot) const noexcept {
  double* z = state.at(z_);
  if (mechanics_->linear()) {
    plant_.hold(z, &drive, slot);
    return;
  }
  const int n = mechanics_->freedoms();
  double& remainder = *state.at(remainder_);
  for (int i = 0; i < pieces_[slot]; ++i) {
    const double before = z[n];
    const double inputs[] = {drive, remainder};
    plant_.hold(z, inputs, slot);
    remainder =
        mechanics_->remainder(state, z, {z[0], z[n], (z[n] - before) / durations_[slot], before, slot});
  }
}

double ServoRig::measure(const State& state, double* measured) const noexcept {
  const double* z = state.at(z_);
  const double r = mechanics_->linear() ? 0 : *state.at(remainder_);
  const double piston = force_on_piston(z);
  const double acceleration = mechanics_->acceleration(z, piston - r);
  measured[0] = z[0];
  measured[2] = z[mechanics_->freedoms()];
  measured[3] = acceleration;
  measured[4] = z[mechanics_->size()];
  return p_.force_of_actuator ? piston : mechanics_->force(z, acceleration, r);
}

void ServoRig::advance(State& state, RigRow row, bool) const noexcept {
  const Command& command = row.command(0);
  double* measured = row.signals(0);
  const double* z = state.at(z_);
  const DigitalController::Drive drive =
      controller_.step(state, command, {z[0], z[mechanics_->freedoms()], z[mechanics_->size()]});
  if (controller_.split()) move(state, drive.older, 1);
  move(state, drive.newer, 0);
  measured[5] = drive.now;
  measured[1] = force_delay_.step(state, measure(state, measured));
}

void ServoRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  const Motion motion = motion_of(row.command(0));
  double* measured = row.signals(0);
  double* z = state.at(z_);
  const double x = motion.displacement;
  const double r = mechanics_->start(state, z, x, specimen.displacement(0), specimen.velocity(0));
  if (!mechanics_->linear()) *state.at(remainder_) = r;
  // At rest: the piston carries what holds the specimen there, the valve what leaks meanwhile.
  const int m = mechanics_->size();
  const double pressure = (mechanics_->static_force(x) + r) / p_.area;
  const double flow = (p_.leakage + p_.flow_pressure) * pressure;
  const double drive = flow / p_.flow_gain;
  z[m] = pressure;
  if (p_.valve_order > 0) z[m + 1] = flow;
  if (p_.valve_order > 1) z[m + 2] = 0;
  controller_.rest(state, x, pressure, drive);
  const double force = measure(state, measured);
  force_delay_.rest(state, force);
  measured[1] = force;
  measured[5] = drive;
}

std::vector<Signal> ServoRig::signals(std::size_t) const {
  return {
      {"measured", "m"},  {"force", "N"}, {"measured_velocity", "m/s"}, {"measured_acceleration", "m/s^2"},
      {"pressure", "Pa"}, {"drive", "V"}};
}

RigCapacity ServoRig::capacity(std::size_t) const {
  RigCapacity capacity = declared_;
  capacity.area = p_.area;
  return capacity;
}

}  // namespace gusset::old

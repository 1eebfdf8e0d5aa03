#include "rig/nonlinear.hpp"

#include <algorithm>
#include <cmath>

#include "rig/propagator.hpp"

namespace gusset {

NonlinearActuator::NonlinearActuator(const RigContext& context, const ServoParameters& control,
                                     const NonlinearParameters& parameters)
    : SpecimenRig(context), p_(parameters), controller_(control, context.dt) {
  const double share = p_.rated_flow / p_.nominal_flow;
  k_ = p_.nominal_flow / std::sqrt(0.5 * p_.rated_pressure);
  sigma_ = std::sqrt(1 - share * share) / share;
  half_ = p_.stroke + p_.dead_length;
  epsilon_ = 1e-3 * p_.supply;
  line_ = InputLine(context.layout, context.name(), "drives", "V",
                    delay_steps(context.section, "delay", control.delay, context.dt), false, 1e-3);
  controller_.claim(context.layout, context.name());
  // The newer input for (1 − f) of the sub-step (slot 0), before it the older for f (slot 1).
  const double spans[] = {(1 - line_.fraction()) * context.dt, line_.fraction() * context.dt};
  const int slots = line_.fraction() > 0 ? 2 : 1;
  const SpecimenAtRest rest = specimen_at_rest(context);
  for (int i = 0; i < slots; ++i) {
    pieces_[i] = inner_steps(spans[i], rest);
    durations_[i] = spans[i] / pieces_[i];
  }
  mechanics_ =
      std::make_unique<Mechanics>(context, Mechanics::Own{p_.mass, p_.damping, 0},
                                  std::span<const double>(durations_, static_cast<std::size_t>(slots)));
  size_ = mechanics_->size() + 2;
  Layout& layout = context.layout;
  const std::string& name = context.name();
  z_ = layout.add(name, "position", "m", mechanics_->freedoms(), 1e-3);
  layout.add(name, "speed", "m/s", mechanics_->freedoms(), 1e-2);
  layout.add(name, "pressure", "Pa", 1, 1e4);
  layout.add(name, "mean_pressure", "Pa", 1, 1e4, Layout::Kind::parameter);
  remainder_ = layout.add(name, "remainder", "N", mechanics_->linear() ? 0 : 1, 1.0);
  force_delay_ =
      SignalDelay(layout, name, "late_force", "N",
                  delay_steps(context.section, "force_delay", control.force_delay, context.dt), 1.0);
  energy_ = layout.add(name, "energy", "J", energies, 1.0, Layout::Kind::parameter);
  freeze_ = layout.add_branch(name, "freeze");
}

int NonlinearActuator::inner_steps(double span, const SpecimenAtRest& specimen) const {
  if (p_.inner_steps > 0) return p_.inner_steps;
  // Filling time of the smallest chamber through a wide open port at Δp = 0, and the oil column at the
  // end of the stroke with the lightest mass there is.
  const double slope = k_ / std::sqrt(1 + sigma_ * sigma_) / std::sqrt(epsilon_);
  const double filling = p_.area * p_.dead_length / (p_.bulk_modulus * slope);
  const double column = std::sqrt(
      p_.mass / (p_.bulk_modulus * p_.area * (1 / p_.dead_length + 1 / (2 * p_.stroke + p_.dead_length))));
  double longest = std::min(0.5 * filling, 0.1 * column);
  // What the specimen has in the plant must stay within the bounds of Runge and Kutta's rule.
  const double mass = p_.mass + specimen.mass;
  if (specimen.stiffness > 0) longest = std::min(longest, 0.5 * std::sqrt(mass / specimen.stiffness));
  if (specimen.damping > 0) longest = std::min(longest, mass / specimen.damping);
  return std::clamp(static_cast<int>(std::ceil(span / longest)), 1, 1000);
}

double NonlinearActuator::port(double opening, double drop) const noexcept {
  const double through = opening * k_ / std::sqrt(1 + opening * opening * sigma_ * sigma_);
  return through * drop / std::sqrt(std::sqrt(drop * drop + epsilon_ * epsilon_));
}

NonlinearActuator::Flows NonlinearActuator::flows(double drive, double overlap, double p1,
                                                  double p2) const noexcept {
  const double opening = std::clamp(std::abs(drive) / p_.full_drive - overlap, 0.0, 1.0);
  if (drive >= 0) return {port(opening, p_.supply - p1), port(opening, p2 - p_.back)};
  return {-port(opening, p1 - p_.back), -port(opening, p_.supply - p2)};
}

/// y = [z, energies].
void NonlinearActuator::rates(const double* y, double drive, double overlap, double remainder,
                              double* dy) const noexcept {
  const int n = mechanics_->freedoms();
  const int m = mechanics_->size();
  const double x = y[0];
  const double v = y[n];
  const double p1 = y[m + 1] + 0.5 * y[m];
  const double p2 = y[m + 1] - 0.5 * y[m];
  const double force = p_.area * (p1 - p2) - remainder;
  const Eigen::MatrixXd& a = mechanics_->a();
  for (int i = 0; i < m; ++i) {
    double sum = mechanics_->b()(i) * force;
    for (int j = 0; j < m; ++j) sum += a(i, j) * y[j];
    dy[i] = sum;
  }
  const Flows q = flows(drive, overlap, p1, p2);
  const double leaking = p_.leakage * (p1 - p2);
  const double swept = p_.area * v;
  const double net1 = q.one - swept - leaking;
  const double net2 = swept + leaking - q.two;
  const double rate1 = p_.bulk_modulus / (p_.area * (half_ + x)) * net1;
  const double rate2 = p_.bulk_modulus / (p_.area * (half_ - x)) * net2;
  dy[m] = rate1 - rate2;
  dy[m + 1] = 0.5 * (rate1 + rate2);
  double* e = dy + size_;
  const double in = drive >= 0 ? q.one : -q.two;   // out of the supply
  const double out = drive >= 0 ? q.two : -q.one;  // into the return
  e[supplied] = p_.supply * in - p_.back * out;
  e[valve] = drive >= 0 ? in * (p_.supply - p1) + out * (p2 - p_.back)
                        : in * (p_.supply - p2) + out * (p1 - p_.back);
  e[leak] = leaking * (p1 - p2);
  e[relief] = 0;
  e[compression] = p1 * net1 + p2 * net2;
  e[work] = swept * (p1 - p2);
}

void NonlinearActuator::hold_within_bounds(double* z, double* energy) const noexcept {
  const int n = mechanics_->freedoms();
  const int m = mechanics_->size();
  if (std::abs(z[0]) > p_.stroke) {
    z[0] = std::copysign(p_.stroke, z[0]);
    if (z[n] * z[0] > 0) z[n] = 0;
  }
  double pressures[] = {z[m + 1] + 0.5 * z[m], z[m + 1] - 0.5 * z[m]};
  bool changed = false;
  for (int i = 0; i < 2; ++i) {
    double& p = pressures[i];
    const double bounded = std::clamp(p, 0.0, p_.relief);
    if (bounded == p) continue;
    const double volume = p_.area * (i == 0 ? half_ + z[0] : half_ - z[0]);
    const double gone = 0.5 * volume / p_.bulk_modulus * (p * p - bounded * bounded);
    energy[compression] -= gone;
    energy[relief] += gone;
    p = bounded;
    changed = true;
  }
  if (!changed) return;
  z[m] = pressures[0] - pressures[1];
  z[m + 1] = 0.5 * (pressures[0] + pressures[1]);
}

void NonlinearActuator::move(State& state, double drive, int slot) const noexcept {
  constexpr int most = 64;
  double* z = state.at(z_);
  double* energy = state.at(energy_);
  const int n = mechanics_->freedoms();
  const int size = size_ + energies;
  const double h = durations_[slot];
  const bool frozen = state.branches[static_cast<std::size_t>(freeze_)].value != 0;
  const double overlap = frozen ? 0 : p_.overlap;
  double y[most], next[most], k[most], sum[most];
  for (int piece = 0; piece < pieces_[slot]; ++piece) {
    const double r = mechanics_->linear() ? 0 : *state.at(remainder_);
    std::copy(z, z + size_, y);
    std::copy(energy, energy + energies, y + size_);
    const double before = z[n];
    constexpr double places[] = {0.5, 0.5, 1};
    constexpr double weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    rates(y, drive, overlap, r, k);
    for (int i = 0; i < size; ++i) sum[i] = weights[0] * k[i];
    for (int stage = 1; stage < 4; ++stage) {
      for (int i = 0; i < size; ++i) next[i] = y[i] + h * places[stage - 1] * k[i];
      rates(next, drive, overlap, r, k);
      for (int i = 0; i < size; ++i) sum[i] += weights[stage] * k[i];
    }
    for (int i = 0; i < size_; ++i) z[i] = y[i] + h * sum[i];
    for (int i = 0; i < energies; ++i) energy[i] = y[size_ + i] + h * sum[size_ + i];
    if (!mechanics_->linear()) mechanics_->solve(state, z, before, r, slot);
    hold_within_bounds(z, energy);
    if (mechanics_->linear()) continue;
    *state.at(remainder_) = mechanics_->remainder(state, z, {z[0], z[n], (z[n] - before) / h, before, slot});
  }
}

double NonlinearActuator::measure(const State& state, double* measured) const noexcept {
  const double* z = state.at(z_);
  const int n = mechanics_->freedoms();
  const int m = mechanics_->size();
  const double r = mechanics_->linear() ? 0 : *state.at(remainder_);
  measured[0] = z[0];
  measured[2] = z[n];
  measured[3] = mechanics_->acceleration(z, p_.area * z[m] - r);
  // On its stop the piston does not accelerate, whatever pushes it further.
  if (std::abs(z[0]) >= p_.stroke && measured[3] * z[0] > 0) measured[3] = 0;
  // Half a difference about the mean may round to a hair beyond the bounds that hold.
  measured[5] = std::clamp(z[m + 1] + 0.5 * z[m], 0.0, p_.relief);
  measured[6] = std::clamp(z[m + 1] - 0.5 * z[m], 0.0, p_.relief);
  for (int i = 0; i < energies; ++i) measured[7 + i] = state.at(energy_)[i];
  return mechanics_->force(z, measured[3], r);
}

void NonlinearActuator::advance(State& state, RigRow row, bool) const noexcept {
  const Command& command = row.command(0);
  double* measured = row.signals(0);
  const double* z = state.at(z_);
  const int m = mechanics_->size();
  const double drive = controller_.step(state, command, {z[0], z[mechanics_->freedoms()], z[m]});
  const InputLine::Course course = line_.step(state, drive);
  if (line_.fraction() > 0) move(state, course.old_end, 1);
  move(state, course.new_end, 0);
  measured[4] = drive;
  measured[1] = force_delay_.step(state, measure(state, measured));
}

void NonlinearActuator::start(State& state, const LinearStart& specimen, RigRow row) const {
  const Motion motion = motion_of(row.command(0));
  double* measured = row.signals(0);
  double* z = state.at(z_);
  const double x = std::clamp(motion.displacement, -p_.stroke, p_.stroke);
  const double r = mechanics_->start(state, z, x, specimen.displacement(0), specimen.velocity(0));
  if (!mechanics_->linear()) *state.at(remainder_) = r;
  // Pressures about the middle of supply and return, apart by what holds the specimen; the drive makes
  // up for the leak.
  const int m = mechanics_->size();
  const double middle = 0.5 * (p_.supply + p_.back);
  const double difference = (mechanics_->static_force(x) + r) / p_.area;
  const double most = 2 * std::min(middle, p_.relief - middle);
  z[m] = std::clamp(difference, -most, most);
  z[m + 1] = middle;
  const double gain = k_ * std::sqrt(0.5 * (p_.supply - p_.back)) / p_.full_drive;
  const double drive = p_.leakage * difference / gain;
  controller_.rest(state, x, difference, drive);
  line_.rest(state, drive);
  measured[4] = drive;
  measured[1] = measure(state, measured);
  force_delay_.rest(state, measured[1]);
}

std::vector<Signal> NonlinearActuator::signals(std::size_t) const {
  return {{"measured", "m"},
          {"force", "N"},
          {"measured_velocity", "m/s"},
          {"measured_acceleration", "m/s^2"},
          {"drive", "V"},
          {"pressure1", "Pa"},
          {"pressure2", "Pa"},
          {"energy.supplied", "J"},
          {"energy.valve", "J"},
          {"energy.leak", "J"},
          {"energy.relief", "J"},
          {"energy.compression", "J"},
          {"energy.work", "J"}};
}

double NonlinearActuator::no_load_velocity() const {
  return p_.rated_flow / p_.area * std::sqrt((p_.supply - p_.back) / p_.rated_pressure);
}

RigCapacity NonlinearActuator::capacity(std::size_t) const {
  RigCapacity capacity = declared_;
  capacity.stroke = p_.stroke;
  if (!capacity.velocity) capacity.velocity = no_load_velocity();
  if (!capacity.force) capacity.force = stall_force();
  if (!capacity.flow) capacity.flow = p_.area * no_load_velocity();
  capacity.area = p_.area;
  return capacity;
}

}  // namespace gusset

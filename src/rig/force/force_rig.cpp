#include "rig/force/force_rig.hpp"

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <cstring>

#include "rig/signal_delay.hpp"
#include "structure/structure.hpp"

namespace gusset {

std::vector<double> read_floors(const Section& section, std::string_view key, const Dimension& dimension,
                                int floors, double fallback) {
  std::vector<double> values =
      section.has(key) ? section.list(key, dimension) : std::vector<double>{fallback};
  if (values.size() == 1) values.resize(static_cast<std::size_t>(floors), values.front());
  if (values.size() != static_cast<std::size_t>(floors)) {
    section.fail(key,
                 section.name_of(key) + " has " + std::to_string(values.size()) + " values, but there are " +
                     std::to_string(floors) + " actuators",
                 "give one value for all actuators, or one for each");
  }
  for (const double value : values) {
    if (value < 0) section.fail(key, section.name_of(key) + " is negative", "write zero or more");
  }
  return values;
}

Eigen::VectorXd read_each(const Section& section, std::string_view key, const Dimension& dimension,
                          int floors, double fallback) {
  const std::vector<double> values = read_floors(section, key, dimension, floors, fallback);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), floors);
}

ForceRig::Plant ForceRig::specimen_plant(const TestStructure& structure, const Eigen::MatrixXd& extra,
                                         int more) {
  const int n = structure.size();
  const Eigen::MatrixXd inverse = structure.mass.inverse();
  Plant plant;
  plant.a = Eigen::MatrixXd::Zero(2 * n + more, 2 * n + more);
  plant.a.block(0, n, n, n).setIdentity();
  plant.a.block(n, 0, n, n) = -inverse * (structure.stiffness + extra);
  plant.a.block(n, n, n, n) = -inverse * structure.damping;
  plant.b = Eigen::MatrixXd::Zero(2 * n + more, n);
  plant.b.block(n, 0, n, n) = inverse;
  plant.force = Eigen::MatrixXd::Zero(n, 2 * n + more);
  plant.force_input = Eigen::MatrixXd::Zero(n, n);
  return plant;
}

void ForceRig::set_plant(const RigContext& context, Plant plant, const std::vector<double>& delays) {
  floors_ = context.structure.size();
  table_ = context.table();
  ramp_ = context.ramp;
  trials_ = context.trials;
  dt_ = context.dt;
  const Eigen::Index own = plant.a.rows();
  const bool loop = table_ && context.document.section("table").has("frequency");
  states_ = static_cast<int>(own) + (table_ ? 2 : 0) + (loop ? 2 : 0);
  if (states_ > most_states) {
    context.section.fail("kind", "the rig has more than " + std::to_string(most_states) + " states",
                         "condense the specimen");
  }
  frequencies_ = natural_frequencies({context.structure.mass, context.structure.damping,
                                      context.structure.stiffness, Eigen::VectorXd::Ones(floors_)});
  a_ = Eigen::MatrixXd::Zero(states_, states_);
  a_.topLeftCorner(own, own) = plant.a;
  const int channels = floors_ + (table_ ? 1 : 0);
  b_ = Eigen::MatrixXd::Zero(states_, channels);
  force_ = Eigen::MatrixXd::Zero(floors_, states_);
  force_.leftCols(own) = plant.force;
  force_input_ = Eigen::MatrixXd::Zero(floors_, channels);
  const Eigen::Index first = table_ ? 1 : 0;
  b_.block(0, first, own, floors_) = plant.b;
  force_input_.rightCols(floors_) = plant.force_input;
  double table_delay = 0;
  if (table_) {
    const Section& section = context.document.section("table");
    displacement_control_ =
        section.choice("control", {"acceleration", "displacement"}, "acceleration") == "displacement";
    const auto [omega_y, zeta_y] = read_table_stroke(section);
    table_delay = section.non_negative("delay", dim::time, 0);
    const Eigen::Index y = states_ - 2;
    a_(y, y + 1) = 1;
    a_(y + 1, y) = -omega_y * omega_y;
    a_(y + 1, y + 1) = -2 * zeta_y * omega_y;
    b_(y + 1, 0) = 1;
    // What the table is told: u, or ÿ.
    Eigen::RowVectorXd told = Eigen::RowVectorXd::Zero(states_);
    if (displacement_control_) told = a_.row(y + 1);
    double direct = 1;
    if (loop) {
      const double omega = section.positive("frequency", dim::frequency);
      const double zeta = section.non_negative("damping_ratio", dim::none, 0.7);
      table_loop_ = static_cast<int>(own);
      a_(own, own + 1) = 1;
      a_.row(own + 1) = omega * omega * told;
      a_(own + 1, own) -= omega * omega;
      a_(own + 1, own + 1) -= 2 * zeta * omega;
      b_(own + 1, 0) = omega * omega;
      told.setZero();
      told(own) = 1;
      direct = 0;
    }
    table_state_ = told;
    table_input_ = direct;
    // The specimen's base moves: −a_t on every floor.
    for (int i = 0; i < floors_; ++i) {
      a_.row(floors_ + i) -= told;
      b_(floors_ + i, 0) = -direct;
    }
  }
  transition_ = LinearPlant(a_, b_, dt_).transition;
  plant_ = context.layout.add("specimen", "state", "SI", states_, 1e-4);
  shear_ = context.shear;
  yielding_ = YieldingStoreys(context.storeys, a_, context.structure.mass, dt_, context.layout);
  for (int c = 0; c < channels; ++c) {
    const bool actuator = c >= first;
    add_input(context, a_, b_.col(c), context.channels[static_cast<std::size_t>(c)].name(),
              actuator ? delays[static_cast<std::size_t>(c - first)] : table_delay);
  }
}

void ForceRig::add_input(const RigContext& context, const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                         const std::string& owner, double delay) {
  const DelaySteps steps = delay_steps(context.section, "delay", delay, dt_);
  Input input;
  input.whole = steps.whole;
  input.fraction = steps.fraction;
  // In ramps the value before the oldest matters as well.
  const int kept = input.whole + (input.fraction > 0 ? 1 : 0) + (ramp_ ? 1 : 0);
  input.history = context.layout.add(owner, "on_its_way", "SI", kept, 1.0);
  const LinearPlant older(a, b, input.fraction * dt_);
  const LinearPlant newer(a, b, (1 - input.fraction) * dt_);
  input.old_start = newer.transition * older.from_start;
  input.old_end = newer.transition * older.from_end;
  input.new_start = newer.from_start;
  input.new_end = newer.from_end;
  inputs_.push_back(std::move(input));
}

/// Takes a new value in and adds the effect of the delayed ones to x.
ForceRig::Ends ForceRig::push(State& state, const Input& input, double value, bool keep,
                              double* x) const noexcept {
  double* history = state.at(input.history);
  const int size = input.history.size;
  // Value `age` samples old, 0 the newest.
  const auto aged = [&](int age) noexcept { return age == 0 ? value : history[std::min(age, size) - 1]; };
  const double f = input.fraction;
  const double now = aged(input.whole);
  double old_start, old_end, new_start, new_end;
  if (ramp_) {
    const double before = aged(input.whole + 1);
    const double earlier = f > 0 ? aged(input.whole + 2) : before;
    old_start = before + f * (earlier - before);
    old_end = new_start = before;
    new_end = now + f * (before - now);
  } else {
    old_start = old_end = f > 0 ? aged(input.whole + 1) : now;
    new_start = new_end = now;
  }
  for (int i = 0; i < states_; ++i) {
    double sum = input.new_start(i) * new_start + input.new_end(i) * new_end;
    if (f > 0) sum += input.old_start(i) * old_start + input.old_end(i) * old_end;
    x[i] += sum;
  }
  if (keep && size > 0) {
    std::memmove(history + 1, history, sizeof(double) * static_cast<std::size_t>(size - 1));
    history[0] = value;
  }
  return {f > 0 ? old_start : new_start, new_end};
}

void ForceRig::advance(State& state, RigRow row, bool trial) const noexcept {
  std::array<double, most_states> next_space, wanted, values;
  std::array<Ends, most_states> ends;
  const int first = table_ ? 1 : 0;
  const bool keep = !trial;
  for (std::size_t c = 0; c < inputs_.size(); ++c) wanted[c] = row.command(c).value;
  if (table_) values[0] = wanted[0];
  drive(state, wanted.data() + first, values.data() + first);
  const Eigen::Map<Eigen::VectorXd> x(state.at(plant_), states_);
  Eigen::Map<Eigen::VectorXd> next(next_space.data(), states_);
  next.noalias() = transition_.lazyProduct(x);
  for (std::size_t c = 0; c < inputs_.size(); ++c) {
    ends[c] = push(state, inputs_[c], values[c], keep, next_space.data());
  }
  std::array<double, YieldingStoreys::most> error;
  if (!yielding_.empty()) yielding_.advance(trial, state, next_space.data(), error.data());
  bound(next_space.data());
  write(state.at(plant_), next_space.data(), ends.data(), row);
  show_yielding(next_space.data(), error.data(), row);
  if (keep) std::copy_n(next_space.data(), states_, state.at(plant_));
}

void ForceRig::write(const double* before, const double* x, const Ends* ends, RigRow row) const noexcept {
  const auto at_end = [&](const Eigen::MatrixXd& own, const Eigen::MatrixXd& direct, int line) noexcept {
    double sum = 0;
    for (int i = 0; i < states_; ++i) sum += own(line, i) * x[i];
    for (std::size_t c = 0; c < inputs_.size(); ++c) {
      sum += direct(line, static_cast<Eigen::Index>(c)) * ends[c].end;
    }
    return sum;
  };
  const auto mean = [&](const Eigen::MatrixXd& own, const Eigen::MatrixXd& direct, int line) noexcept {
    double sum = 0;
    for (int i = 0; i < states_; ++i) sum += own(line, i) * 0.5 * (before[i] + x[i]);
    for (std::size_t c = 0; c < inputs_.size(); ++c) {
      sum += direct(line, static_cast<Eigen::Index>(c)) * 0.5 * (ends[c].start + ends[c].end);
    }
    return sum;
  };
  if (table_) {
    double* signals = row.signals(0);
    const int y = states_ - 2;
    double acceleration = table_input_ * ends[0].end;
    for (int i = 0; i < states_; ++i) acceleration += table_state_(i) * x[i];
    signals[table_acceleration] = acceleration;
    signals[table_displacement] = x[y];
    signals[table_velocity] = x[y + 1];
  }
  for (int i = 0; i < floors_; ++i) {
    double* signals = row.signals(channel_of(i));
    signals[actuator_displacement] = x[i];
    signals[actuator_velocity] = x[floors_ + i];
    signals[actuator_acceleration] = at_end(a_, b_, floors_ + i);
    signals[actuator_force] = mean(force_, force_input_, i);
  }
}

/// The storeys' part in the accelerations, behind that of the linear plant, and the shear under them.
void ForceRig::show_yielding(const double* x, const double* error, RigRow row) const noexcept {
  if (yielding_.empty()) return;
  for (int i = 0; i < floors_; ++i) {
    row.signals(channel_of(i))[actuator_acceleration] += yielding_.acceleration(error, i);
  }
  if (!shear_) return;
  double sum = 0;
  for (int i = 0; i < floors_; ++i) sum += shear_->stiffness(i) * x[i] + shear_->damping(i) * x[floors_ + i];
  for (const int storey : shear_->storeys) sum -= error[storey];
  row.signals(channel_of(0))[base_shear] = sum;
}

void ForceRig::start(State& state, const LinearStart& specimen, RigRow row) const {
  double* x = state.at(plant_);
  for (int i = 0; i < floors_; ++i) {
    x[i] = specimen.displacement(i);
    x[floors_ + i] = specimen.velocity(i);
  }
  std::vector<double> wanted, inputs(inputs_.size());
  for (std::size_t c = 0; c < inputs_.size(); ++c) wanted.push_back(row.command(c).value);
  const int first = table_ ? 1 : 0;
  if (table_) inputs[0] = wanted[0];
  if (table_loop_ >= 0) x[table_loop_] = wanted[0];
  start_drive(state, specimen.displacement, wanted.data() + first, x, inputs.data() + first);
  for (std::size_t c = 0; c < inputs_.size(); ++c) {
    double* history = state.at(inputs_[c].history);
    std::fill_n(history, inputs_[c].history.size, inputs[c]);
  }
  std::vector<Ends> ends;
  for (const double input : inputs) ends.push_back({input, input});
  write(x, x, ends.data(), row);
  yielding_.start(state, x);
  show_yielding(x, yielding_.error(state), row);
}

std::vector<Signal> ForceRig::signals(std::size_t channel) const {
  if (table_ && channel == 0) return table_signals();
  std::vector<Signal> signals = actuator_signals();
  if (shear_ && channel == (table_ ? 1U : 0U)) signals.push_back({"shear", "N"});
  return signals;
}

}  // namespace gusset

#include "loading/shake_table.hpp"

#include <algorithm>
#include <array>

namespace gusset {

ShakeTableMethod::ShakeTableMethod(Parameters parameters, std::vector<Channel> channels, double dt,
                                   Layout& layout)
    : Method(std::move(channels), Profile::ramp, dt, layout, 0),
      p_(std::move(parameters)),
      numerical_(static_cast<int>(p_.partition.numerical.size())),
      specimen_(static_cast<int>(p_.partition.experimental.size())),
      channels_count_(specimen_ + 1),
      map_(command_map(p_.partition, p_.split)) {
  const bool whole = p_.feedback == Feedback::ideal || p_.feedback == Feedback::open_loop;
  model_ = layout.add("numerical", "state", "SI", 2 * (numerical_ + (whole ? specimen_ : 0)), 1e-4);
  if (p_.feedback == Feedback::ideal) {
    mirror_ = layout.add("specimen", "motion", "SI", 3 * specimen_, 1e-4);
  }
  x_ = layout.add("feedback", "displacement", "m", specimen_, 1e-6);
  v_ = layout.add("feedback", "velocity", "m/s", specimen_, 1e-5);
  a_ = layout.add("feedback", "acceleration", "m/s^2", specimen_, 1e-4);
  commands_ = layout.add("method", "command", "SI", channels_count_, 1.0);
  corrects_.assign(static_cast<std::size_t>(p_.substeps), p_.feedback == Feedback::iterations);
  corrects_.back() = false;
  iterates_ = settles_ = p_.feedback == Feedback::iterations;
  build_numerical();
  if (whole) build_ideal();
  if (iterates_) build_newton();
}

std::vector<Method::Feed> ShakeTableMethod::feeds() const {
  const std::size_t first = p_.table ? 1 : 0;
  return {{x_, "measured", "m", first}, {v_, "velocity", "m/s", first}, {a_, "acceleration", "m/s^2", first}};
}

void ShakeTableMethod::commands(const double* numerical, const double* x, const double* v, const double* a,
                                double ground, double* u) const noexcept {
  Map out(u, channels_count_);
  out.noalias() = map_.numerical_x.lazyProduct(ConstMap(numerical, numerical_));
  out.noalias() += map_.numerical_v.lazyProduct(ConstMap(numerical + numerical_, numerical_));
  out.noalias() += map_.specimen_x.lazyProduct(ConstMap(x, specimen_));
  out.noalias() += map_.specimen_v.lazyProduct(ConstMap(v, specimen_));
  out.noalias() += map_.specimen_a.lazyProduct(ConstMap(a, specimen_));
  out += map_.ground * ground;
}

void ShakeTableMethod::accelerations(const double* numerical, const double* x, const double* v, double ground,
                                     double* a) const noexcept {
  Map out(a, numerical_);
  out.noalias() = acceleration_n_.lazyProduct(ConstMap(numerical, 2 * numerical_));
  out.noalias() += acceleration_e_.leftCols(specimen_).lazyProduct(ConstMap(x, specimen_));
  out.noalias() += acceleration_e_.rightCols(specimen_).lazyProduct(ConstMap(v, specimen_));
  out -= p_.partition.influence * ground;
}

/// All floors relative to the ground.
void ShakeTableMethod::respond(const double* numerical, const double* x, const double* v, const double* a,
                               double ground, const Response& response) const noexcept {
  std::array<double, most> own;
  accelerations(numerical, x, v, ground, own.data());
  const Partition& p = p_.partition;
  for (int i = 0; i < numerical_; ++i) {
    const int floor = p.numerical[static_cast<std::size_t>(i)];
    response.displacement[floor] = numerical[i];
    response.velocity[floor] = numerical[numerical_ + i];
    response.acceleration[floor] = own[static_cast<std::size_t>(i)];
  }
  const bool on_floor = p.base >= 0;
  for (int i = 0; i < specimen_; ++i) {
    const int floor = p.experimental[static_cast<std::size_t>(i)];
    response.displacement[floor] = x[i] + (on_floor ? numerical[p.base] : 0);
    response.velocity[floor] = v[i] + (on_floor ? numerical[numerical_ + p.base] : 0);
    response.acceleration[floor] = a[i] + (on_floor ? own[static_cast<std::size_t>(p.base)] : 0);
  }
}

/// Interface forces move in a straight line from what (x0, v0) gives to what (x1, v1) gives.
void ShakeTableMethod::numerical_step(const double* from, const double* x0, const double* v0,
                                      const double* x1, const double* v1, double ground, double next_ground,
                                      double* to) const noexcept {
  if (numerical_ == 0) return;
  std::array<double, most> start_space, end_space;
  Map start(start_space.data(), numerical_ + 1), end(end_space.data(), numerical_ + 1);
  const Partition& p = p_.partition;
  start.head(numerical_).noalias() = p.load_x.lazyProduct(ConstMap(x0, specimen_));
  start.head(numerical_).noalias() += p.load_v.lazyProduct(ConstMap(v0, specimen_));
  end.head(numerical_).noalias() = p.load_x.lazyProduct(ConstMap(x1, specimen_));
  end.head(numerical_).noalias() += p.load_v.lazyProduct(ConstMap(v1, specimen_));
  start(numerical_) = ground;
  end(numerical_) = next_ground;
  Map out(to, 2 * numerical_);
  out.noalias() = plant_.transition.lazyProduct(ConstMap(from, 2 * numerical_));
  out.noalias() += plant_.from_start.lazyProduct(start);
  out.noalias() += plant_.from_end.lazyProduct(end);
}

void ShakeTableMethod::send(const double* u, Piece* pieces) const noexcept {
  const int first = p_.table ? 0 : 1;
  for (int c = first; c < channels_count_; ++c) pieces[c - first] = {u[c], 0, 0};
}

void ShakeTableMethod::begin(State& state, const Input& input, const Response& response, Piece* pieces,
                             double* lines) const noexcept {
  double* model = state.at(model_);
  const double* x = state.at(x_);
  const double* v = state.at(v_);
  const double* a = state.at(a_);
  double* u = state.at(commands_);
  const double now = input.acceleration;
  const double next = input.next_acceleration;
  std::array<double, most> to;

  respond(model, x, v, a, now, response);
  switch (p_.feedback) {
    case Feedback::sampled:
      commands(model, x, v, a, now, u);
      numerical_step(model, x, v, x, v, now, next, to.data());
      std::copy_n(to.data(), 2 * numerical_, model);
      break;
    case Feedback::iterations: {
      // Before the first trial the motion of t_i has to do.
      std::array<double, most> target;
      commands(model, x, v, a, next, target.data());
      for (int c = 0; c < channels_count_; ++c) {
        u[c] += (target[static_cast<std::size_t>(c)] - u[c]) / p_.substeps;
      }
      std::copy_n(x, specimen_, lines + 2);
      std::copy_n(v, specimen_, lines + 2 + specimen_);
      lines[0] = now;
      lines[1] = next;
      break;
    }
    case Feedback::ideal:
    case Feedback::open_loop: {
      const int size = 2 * (numerical_ + specimen_);
      if (p_.feedback == Feedback::open_loop && !p_.ramp) {
        // Held commands are those of the beginning of the sample.
        std::array<double, most> model_a;
        double ground = now;
        Map acceleration(model_a.data(), specimen_);
        acceleration.noalias() = specimen_acceleration_.leftCols(size).lazyProduct(ConstMap(model, size));
        acceleration += specimen_acceleration_.col(size) * ground;
        commands(model, model + 2 * numerical_, model + 2 * numerical_ + specimen_, model_a.data(), ground,
                 u);
      }
      Map out(to.data(), size);
      out.noalias() = joined_.transition.lazyProduct(ConstMap(model, size));
      out += joined_.from_start.col(0) * now;
      out += joined_.from_end.col(0) * next;
      std::copy_n(to.data(), size, model);
      std::array<double, most> model_a;
      Map acceleration(model_a.data(), specimen_);
      acceleration.noalias() = specimen_acceleration_.leftCols(size).lazyProduct(ConstMap(model, size));
      acceleration += specimen_acceleration_.col(size) * next;
      const double* model_x = model + 2 * numerical_;
      if (p_.feedback == Feedback::ideal || p_.ramp) {
        commands(model, model_x, model_x + specimen_, model_a.data(), next, u);
      }
      if (p_.feedback == Feedback::ideal) {
        std::copy_n(model_x, 2 * specimen_, state.at(mirror_));
        std::copy_n(model_a.data(), specimen_, state.at(mirror_) + 2 * specimen_);
      }
      break;
    }
  }
  send(u, pieces);
}

void ShakeTableMethod::correct(int substep, State& state, const double*, const double*, const Response&,
                               Piece* pieces, double* lines) const noexcept {
  // The measurement is that of a trial: t_{i+1} as the commands of this sub-step would make it.
  std::array<double, most> to, wanted, change;
  const double* x = state.at(x_);
  const double* v = state.at(v_);
  double* u = state.at(commands_);
  numerical_step(state.at(model_), lines + 2, lines + 2 + specimen_, x, v, lines[0], lines[1], to.data());
  commands(to.data(), x, v, state.at(a_), lines[1], wanted.data());
  Map residual(wanted.data(), channels_count_), step(change.data(), channels_count_);
  residual -= ConstMap(u, channels_count_);
  step.noalias() = newton_.lazyProduct(residual);
  const int left = p_.substeps - (substep + 1);
  for (int c = 0; c < channels_count_; ++c) u[c] += change[static_cast<std::size_t>(c)] / left;
  send(u, pieces);
}

void ShakeTableMethod::end(State& state, const double* lines) const noexcept {
  std::array<double, most> to;
  numerical_step(state.at(model_), lines + 2, lines + 2 + specimen_, state.at(x_), state.at(v_), lines[0],
                 lines[1], to.data());
  std::copy_n(to.data(), 2 * numerical_, state.at(model_));
}

LinearStart ShakeTableMethod::specimen_start(const LinearStart& whole) const {
  const Partition& p = p_.partition;
  const auto relative = [&](const Eigen::VectorXd& all) {
    Eigen::VectorXd own = all(p.experimental);
    if (p.base >= 0) own.array() -= all(p.numerical[static_cast<std::size_t>(p.base)]);
    return own;
  };
  return {relative(whole.displacement), relative(whole.velocity), relative(whole.acceleration)};
}

void ShakeTableMethod::start(State& state, const LinearStart& motion, const Input& input,
                             Command* targets) const {
  const LinearStart own = specimen_start(motion);
  double* model = state.at(model_);
  for (int i = 0; i < numerical_; ++i) {
    const int floor = p_.partition.numerical[static_cast<std::size_t>(i)];
    model[i] = motion.displacement(floor);
    model[numerical_ + i] = motion.velocity(floor);
  }
  for (int i = 0; i < specimen_; ++i) {
    if (model_.size > 2 * numerical_) {
      model[2 * numerical_ + i] = own.displacement(i);
      model[2 * numerical_ + specimen_ + i] = own.velocity(i);
    }
    if (mirror_.size > 0) {
      state.at(mirror_)[i] = own.displacement(i);
      state.at(mirror_)[specimen_ + i] = own.velocity(i);
      state.at(mirror_)[2 * specimen_ + i] = own.acceleration(i);
    }
  }
  commands(model, own.displacement.data(), own.velocity.data(), own.acceleration.data(), input.acceleration,
           state.at(commands_));
  const int first = p_.table ? 0 : 1;
  for (int c = first; c < channels_count_; ++c) targets[c - first] = {state.at(commands_)[c], 0, 0, 0};
}

}  // namespace gusset

#include "loading/shake_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/linear_system.hpp"

namespace gusset {

std::vector<Method::Feed> ShakeTableMethod::feeds() const {
  const std::size_t first = p_.table ? 1 : 0;
  std::vector<Feed> feeds = {
      {x_, "measured", "m", first}, {v_, "velocity", "m/s", first}, {a_, "acceleration", "m/s^2", first}};
  if (p_.shear) feeds.push_back({shear_, "shear", "N", first});
  return feeds;
}

ShakeTableMethod::Specimen ShakeTableMethod::measured(const State& state) const noexcept {
  return {state.at(x_), state.at(v_), state.at(a_), p_.shear ? *state.at(shear_) : 0};
}

void ShakeTableMethod::interface_forces(const Specimen& specimen, double* forces) const noexcept {
  const Partition& p = p_.partition;
  for (int k = 0; k < interfaces_; ++k) {
    const int floor = loaded_[static_cast<std::size_t>(k)];
    if (p_.shear && floor == p.base) {
      forces[k] = specimen.shear;
      continue;
    }
    double sum = 0;
    for (int i = 0; i < specimen_; ++i) {
      sum += p.load_x(floor, i) * specimen.x[i] + p.load_v(floor, i) * specimen.v[i];
    }
    forces[k] = sum;
  }
}

/// The far ends of storeys across the cut: floors of the specimen, which stand on floor b.
NumericalStoreys::Far ShakeTableMethod::far(const State& state, const Specimen& specimen, double point,
                                            const Work& w) const noexcept {
  if (!across_ || open()) return {nullptr, nullptr};
  double base = 0, base_rate = 0;
  if (base_ >= 0) {
    const double p = state.at(integrator_->increment())[base_];
    base = state.at(integrator_->displacement())[base_] - (1 - point) * p;
    base_rate = (p + (p - *w.base_rate) * (point - 0.5)) / dt_;
  }
  for (std::size_t s = 0; s < far_.size(); ++s) {
    const bool here = far_[s] < 0;
    w.far_x[s] = here ? 0 : base + specimen.x[far_[s]];
    w.far_v[s] = here ? 0 : base_rate + specimen.v[far_[s]];
  }
  return {w.far_x, w.far_v};
}

void ShakeTableMethod::model_step(State& state, const Specimen& specimen, bool ramp,
                                  const Work& w) const noexcept {
  if (integrator_ == nullptr) return;
  const double* d = state.at(integrator_->displacement());
  const double* p = state.at(integrator_->increment());
  storeys_.hold(state, d, p, w.storeys);
  if (base_ >= 0) *w.base_rate = p[base_];
  integrator_->advance(state, {w.ground[0], w.ground[1], w.forces, contributions_, ramp ? w.next : nullptr},
                       w.response());
  if (storeys_.empty()) return;
  // Nothing to wait for: all corrections at once.
  const double point = integrator_->correction_point();
  for (int i = 0; i < integrator_->corrections(); ++i) {
    storeys_.attempt(state, d, p, point, w.storeys, far(state, specimen, point, w));
    integrator_->correct(state, w.change, contributions_, w.response());
  }
}

void ShakeTableMethod::save(const State& state, const Work& w) const noexcept {
  std::copy_n(state.values.data() + kept_.first, kept_.last - kept_.first, w.saved);
}

void ShakeTableMethod::restore(State& state, const Work& w) const noexcept {
  std::copy_n(w.saved, kept_.last - kept_.first, state.values.data() + kept_.first);
}

void ShakeTableMethod::model_now(State& state, double ground, const Work& w) const noexcept {
  if (integrator_ == nullptr) return;
  save(state, w);
  integrator_->advance(state, {ground, ground, w.peek, contributions_}, w.response());
  restore(state, w);
}

void ShakeTableMethod::accelerate(double ground, const double* forces, const Work& w) const noexcept {
  std::array<double, most> load_space;
  Map load(load_space.data(), model_), a(w.a, model_);
  load.noalias() = -stiffness_.lazyProduct(ConstMap(w.x, model_));
  load.noalias() -= damping_.lazyProduct(ConstMap(w.v, model_));
  for (const Contribution& c : contributions_)
    load_space[static_cast<std::size_t>(c.dof)] -= c.weight * forces[c.force];
  a.noalias() = inverse_mass_.lazyProduct(load);
  a -= influence_ * ground;
}

void ShakeTableMethod::commands(const Specimen& specimen, const double* forces, double ground, const Work& w,
                                double* u) const noexcept {
  const Partition& p = p_.partition;
  std::array<double, most> above_space, x_space, v_space;
  Map above(above_space.data(), specimen_), x(x_space.data(), numerical_), v(v_space.data(), numerical_);
  for (int i = 0; i < numerical_; ++i) {
    const int dof = open() ? p.numerical[static_cast<std::size_t>(i)] : i;
    x(i) = w.x[dof];
    v(i) = w.v[dof];
  }
  above.noalias() = p.from_numerical_x.lazyProduct(x);
  above.noalias() += p.from_numerical_v.lazyProduct(v);
  above.noalias() += p.from_specimen_x.lazyProduct(ConstMap(specimen.x, specimen_));
  above.noalias() += p.from_specimen_v.lazyProduct(ConstMap(specimen.v, specimen_));
  for (std::size_t s = 0; s < far_.size(); ++s) {
    if (far_[s] >= 0) above(far_[s]) += forces[static_cast<std::size_t>(interfaces_) + s];
  }
  const double base = ground + (base_ >= 0 ? w.a[base_] : 0);
  Map out(u, channels_count_);
  out.noalias() = shares_.force.lazyProduct(above);
  out.noalias() += shares_.own.lazyProduct(ConstMap(specimen.a, specimen_));
  out += shares_.base * base;
}

void ShakeTableMethod::wanted(State& state, const Work& w, double* u) const noexcept {
  const Specimen specimen = measured(state);
  interface_forces(specimen, w.next);
  if (integrator_ != nullptr) {
    save(state, w);  // the step is only tried
    model_step(state, specimen, true, w);
    std::copy_n(w.next, interfaces_, w.peek);
    storeys_.look(state, state.at(integrator_->displacement()), state.at(integrator_->increment()), w.storeys,
                  far(state, specimen, 1, w), w.peek + interfaces_);
    integrator_->advance(state, {w.ground[1], w.ground[1], w.peek, contributions_}, w.response());
    restore(state, w);
  }
  accelerate(w.ground[1], w.peek, w);
  commands(specimen, w.peek, w.ground[1], w, u);
}

/// All floors relative to the ground: those of the specimen as measured.
void ShakeTableMethod::respond(const State& state, const Response& response, const Work& w) const noexcept {
  const Partition& p = p_.partition;
  const Specimen specimen = measured(state);
  for (int i = 0; i < numerical_; ++i) {
    const int floor = p.numerical[static_cast<std::size_t>(i)];
    const int dof = open() ? floor : i;
    response.displacement[floor] = w.x[dof];
    response.velocity[floor] = w.v[dof];
    response.acceleration[floor] = w.a[dof];
  }
  if (open() && numerical_ > 0) {
    // Numerical floors as the measured specimen would load them, instead of the model's.
    std::array<double, most> off_space, change_space;
    Map off(off_space.data(), 2 * specimen_), change(change_space.data(), numerical_);
    for (int i = 0; i < specimen_; ++i) {
      const int floor = p.experimental[static_cast<std::size_t>(i)];
      off(i) = specimen.x[i] - (w.x[floor] - (base_ >= 0 ? w.x[base_] : 0));
      off(specimen_ + i) = specimen.v[i] - (w.v[floor] - (base_ >= 0 ? w.v[base_] : 0));
    }
    change.noalias() = measured_load_.lazyProduct(off);
    for (int i = 0; i < numerical_; ++i) {
      response.acceleration[p.numerical[static_cast<std::size_t>(i)]] += change(i);
    }
  }
  const int base = p.base >= 0 ? p.numerical[static_cast<std::size_t>(p.base)] : -1;
  for (int i = 0; i < specimen_; ++i) {
    const int floor = p.experimental[static_cast<std::size_t>(i)];
    response.displacement[floor] = specimen.x[i] + (base >= 0 ? response.displacement[base] : 0);
    response.velocity[floor] = specimen.v[i] + (base >= 0 ? response.velocity[base] : 0);
    response.acceleration[floor] = specimen.a[i] + (base >= 0 ? response.acceleration[base] : 0);
  }
}

void ShakeTableMethod::send(const double* u, Piece* pieces) const noexcept {
  const int first = p_.table ? 0 : 1;
  for (int c = first; c < channels_count_; ++c) pieces[c - first] = {u[c], 0, 0};
}

void ShakeTableMethod::begin(State& state, const Input& input, const Response& response, Piece* pieces,
                             double* lines) const noexcept {
  const Work w = work(lines);
  const Specimen specimen = measured(state);
  double* u = state.at(commands_);
  w.ground[0] = input.acceleration;
  w.ground[1] = input.next_acceleration;
  std::fill_n(w.change, interfaces_, 0.0);
  interface_forces(specimen, w.forces);
  std::copy_n(state.at(storeys_.forces()), storeys_.size(), w.forces + interfaces_);
  switch (p_.feedback) {
    case Feedback::sampled:
      model_step(state, specimen, false, w);
      accelerate(input.acceleration, w.forces, w);
      commands(specimen, w.forces, input.acceleration, w, u);
      respond(state, response, w);
      break;
    case Feedback::iterations: {
      const std::size_t all = static_cast<std::size_t>(interfaces_) + storeys_.size();
      std::copy_n(w.forces, all, w.peek);
      // Storeys stay on their lines during the step; only the interface forces move in ramps.
      std::copy_n(w.forces, all, w.next);
      model_now(state, input.acceleration, w);
      // Before the first trial the motion of t_i has to do.
      std::array<double, most> target;
      accelerate(input.next_acceleration, w.forces, w);
      commands(specimen, w.forces, input.next_acceleration, w, target.data());
      accelerate(input.acceleration, w.forces, w);
      respond(state, response, w);
      for (int c = 0; c < channels_count_; ++c) {
        u[c] += (target[static_cast<std::size_t>(c)] - u[c]) / p_.substeps;
      }
      break;
    }
    case Feedback::open_loop: {
      const auto from_model = [&](const double* forces, double ground) noexcept {
        std::array<double, most> x, v, a;
        accelerate(ground, forces, w);
        for (int i = 0; i < specimen_; ++i) {
          const int floor = p_.partition.experimental[static_cast<std::size_t>(i)];
          const auto k = static_cast<std::size_t>(i);
          x[k] = w.x[floor] - (base_ >= 0 ? w.x[base_] : 0);
          v[k] = w.v[floor] - (base_ >= 0 ? w.v[base_] : 0);
          a[k] = w.a[floor] - (base_ >= 0 ? w.a[base_] : 0);
        }
        commands({x.data(), v.data(), a.data(), 0}, forces, ground, w, u);
      };
      model_step(state, specimen, false, w);
      // Held commands are those of the beginning of the sample.
      from_model(w.forces, input.acceleration);
      respond(state, response, w);
      if (!storeys_.empty()) {
        storeys_.settle(state, state.at(integrator_->displacement()), state.at(integrator_->increment()),
                        w.storeys, {nullptr, nullptr});
      }
      if (p_.ramp) {
        std::copy_n(state.at(storeys_.forces()), storeys_.size(), w.peek);
        model_now(state, input.next_acceleration, w);
        from_model(w.peek, input.next_acceleration);
      }
      break;
    }
  }
  send(u, pieces);
}

void ShakeTableMethod::correct(int substep, State& state, const double*, const double*, const Response&,
                               Piece* pieces, double* lines) const noexcept {
  // The measurement is that of a trial: t_{i+1} as the commands of this sub-step would make it.
  std::array<double, most> residual_space, change_space;
  double* u = state.at(commands_);
  wanted(state, work(lines), residual_space.data());
  Map residual(residual_space.data(), channels_count_), change(change_space.data(), channels_count_);
  residual -= ConstMap(u, channels_count_);
  change.noalias() = newton_.lazyProduct(residual);
  const int left = p_.substeps - (substep + 1);
  for (int c = 0; c < channels_count_; ++c) u[c] += change(c) / left;
  send(u, pieces);
}

/// How far the last command is from what its own answer asks for.
void ShakeTableMethod::judge(State& state, const Work& w) const noexcept {
  std::array<double, most> asked;
  wanted(state, w, asked.data());
  const double* u = state.at(commands_);
  double* largest = state.at(largest_);
  double& unresolved = *state.at(unresolved_);
  for (int c = 0; c < channels_count_; ++c) {
    largest[c] = std::max(largest[c], std::abs(u[c]));
    if (largest[c] == 0) continue;
    unresolved = std::max(unresolved, std::abs(asked[static_cast<std::size_t>(c)] - u[c]) / largest[c]);
  }
}

void ShakeTableMethod::end(State& state, double* lines) const noexcept {
  const Work w = work(lines);
  const Specimen specimen = measured(state);
  if (iterates_) {
    if (p_.yielding) judge(state, w);
    interface_forces(specimen, w.next);
    model_step(state, specimen, true, w);
  }
  if (storeys_.empty()) return;
  storeys_.settle(state, state.at(integrator_->displacement()), state.at(integrator_->increment()), w.storeys,
                  far(state, specimen, 1, w));
}

std::vector<std::string> ShakeTableMethod::verdicts(const State& state) const {
  constexpr double tolerable = 1e-3;
  if (unresolved_.size == 0 || *state.at(unresolved_) <= tolerable) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", 100 * *state.at(unresolved_));
  return {
      "the iterations do not converge: up to " + std::string(text) +
      " % of a command's peak was unresolved at the end of a step; take more method.substeps or a shorter "
      "integrator.dt"};
}

LinearStart ShakeTableMethod::specimen_start(const LinearStart& whole) const {
  return relative_to_base(p_.partition, whole);
}

void ShakeTableMethod::start(State& state, const LinearStart& motion, const Input& input,
                             Command* targets) const {
  const Partition& p = p_.partition;
  const LinearStart own = specimen_start(motion);
  std::vector<double> lines(lines_size());
  const Work w = work(lines.data());
  for (int i = 0; i < model_; ++i) {
    const int floor = open() ? i : p.numerical[static_cast<std::size_t>(i)];
    w.x[i] = motion.displacement(floor);
    w.v[i] = motion.velocity(floor);
    w.a[i] = motion.acceleration(floor);
  }
  const Specimen specimen{own.displacement.data(), own.velocity.data(), own.acceleration.data(), 0};
  if (integrator_ != nullptr) {
    integrator_->start(state, w.x, w.v, w.a);
    for (std::size_t s = 0; s < far_.size(); ++s) {
      const bool away = far_[s] >= 0 && !open();
      w.far_x[s] = away ? specimen.x[far_[s]] + (base_ >= 0 ? w.x[base_] : 0) : 0;
      w.far_v[s] = away ? specimen.v[far_[s]] + (base_ >= 0 ? w.v[base_] : 0) : 0;
    }
    storeys_.start(state, state.at(integrator_->displacement()), w.v, {w.far_x, w.far_v});
  }
  std::copy_n(state.at(storeys_.forces()), storeys_.size(), w.forces + interfaces_);
  commands(specimen, w.forces, input.acceleration, w, state.at(commands_));
  const int first = p_.table ? 0 : 1;
  for (int c = first; c < channels_count_; ++c) targets[c - first] = {state.at(commands_)[c], 0, 0, 0};
}

}  // namespace gusset

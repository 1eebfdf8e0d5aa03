#pragma once

#include "base/linear_plant.hpp"
#include "rig/assembly.hpp"

namespace gusset {

/// The rig of a test whose method solves specimen and numerical part simultaneously: does nothing but
/// show the motion the method found, and the commands as if they had been followed perfectly. Of a table
/// it also says how far it would go (TableStroke), the command moving in a ramp over the step.
///
/// State: reads x, v, a of the specimen from the method's; y and ẏ of a table and its last command.
class MirrorAssembly final : public Assembly {
 public:
  MirrorAssembly(Segment motion, int floors, bool table, const Document& document, Layout& layout, double dt)
      : motion_(motion), floors_(floors), table_(table) {
    if (!table) return;
    const auto [omega, zeta] = read_table_stroke(document.section("table"));
    const Eigen::Matrix2d a{{0, 1}, {-omega * omega, -2 * zeta * omega}};
    const LinearPlant plant(a, Eigen::Vector2d(0, 1), dt);
    transition_ = plant.transition;
    from_start_ = plant.from_start;
    from_end_ = plant.from_end;
    stroke_ = layout.add("table", "stroke", "SI", 2, 1e-4);
    last_ = layout.add("table", "last", "m/s^2", 1, 1e-2);
  }

  void advance(bool, State& state, const Command* commands, const Rows& rows) const noexcept override {
    if (table_) {
      const double now = commands[0].value;
      double* last = state.at(last_);
      Eigen::Map<Eigen::Vector2d> y(state.at(stroke_));
      const Eigen::Vector2d next = transition_ * y + from_start_ * *last + from_end_ * now;
      y = next;
      *last = now;
      show_table(state, rows);
    }
    for (int i = 0; i < floors_; ++i) {
      show(state, i, commands[i + (table_ ? 1 : 0)].value, rows);
    }
  }
  void start(State& state, const LinearStart&, const double* commands, const Rows& rows) const override {
    if (table_) {
      *state.at(last_) = commands[0];
      show_table(state, rows);
    }
    for (int i = 0; i < floors_; ++i) show(state, i, commands[i + (table_ ? 1 : 0)], rows);
  }
  std::vector<Signal> signals(std::size_t channel) const override {
    return table_ && channel == 0 ? table_signals() : actuator_signals();
  }

 private:
  void show_table(const State& state, const Rows& rows) const noexcept {
    double* signals = rows.of(0);
    signals[table_acceleration] = *state.at(last_);
    signals[table_displacement] = state.at(stroke_)[0];
    signals[table_velocity] = state.at(stroke_)[1];
  }
  void show(const State& state, int floor, double force, const Rows& rows) const noexcept {
    const double* motion = state.at(motion_);
    double* signals = rows.of(static_cast<std::size_t>(floor) + (table_ ? 1 : 0));
    signals[actuator_displacement] = motion[floor];
    signals[actuator_velocity] = motion[floors_ + floor];
    signals[actuator_acceleration] = motion[2 * floors_ + floor];
    signals[actuator_force] = force;
  }

  Segment motion_, stroke_, last_;
  Eigen::Matrix2d transition_;
  Eigen::Vector2d from_start_, from_end_;
  int floors_;
  bool table_;
};

}  // namespace gusset

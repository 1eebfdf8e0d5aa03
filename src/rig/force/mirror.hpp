#pragma once

#include "base/linear_plant.hpp"
#include "rig/force/signals.hpp"
#include "rig/rig.hpp"

namespace gusset {

/// The rig of a test whose method solves specimen and numerical part simultaneously: does nothing but
/// show the motion the method found, and the commands as if they had been followed perfectly. Of a table
/// it also says how far it would go (TableStroke), the command moving in a ramp over the step.
///
/// State: reads x, v, a of the specimen from the method's; y and ẏ of a table and its last command.
class MirrorRig final : public Rig {
 public:
  MirrorRig(Segment motion, int floors, bool table, const Document& document, Layout& layout, double dt)
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

  void advance(State& state, RigRow row, bool) const noexcept override {
    if (table_) {
      const double now = row.command(0).value;
      double* last = state.at(last_);
      Eigen::Map<Eigen::Vector2d> y(state.at(stroke_));
      const Eigen::Vector2d next = transition_ * y + from_start_ * *last + from_end_ * now;
      y = next;
      *last = now;
    }
    show(state, row);
  }
  void start(State& state, const LinearStart&, RigRow row) const override {
    if (table_) *state.at(last_) = row.command(0).value;
    show(state, row);
  }
  std::vector<Signal> signals(std::size_t channel) const override {
    return table_ && channel == 0 ? table_signals() : actuator_signals();
  }

 private:
  void show(const State& state, RigRow row) const noexcept {
    std::size_t channel = 0;
    if (table_) {
      double* signals = row.signals(channel++);
      signals[table_acceleration] = *state.at(last_);
      signals[table_displacement] = state.at(stroke_)[0];
      signals[table_velocity] = state.at(stroke_)[1];
    }
    const double* motion = state.at(motion_);
    for (int i = 0; i < floors_; ++i, ++channel) {
      double* signals = row.signals(channel);
      signals[actuator_displacement] = motion[i];
      signals[actuator_velocity] = motion[floors_ + i];
      signals[actuator_acceleration] = motion[2 * floors_ + i];
      signals[actuator_force] = row.command(channel).value;
    }
  }

  Segment motion_, stroke_, last_;
  Eigen::Matrix2d transition_;
  Eigen::Vector2d from_start_, from_end_;
  int floors_;
  bool table_;
};

}  // namespace gusset

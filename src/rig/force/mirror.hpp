#pragma once

#include "rig/assembly.hpp"

namespace gusset {

/// The rig of a test whose method solves specimen and numerical part simultaneously: does nothing but
/// show the motion the method found, and the commands as if they had been followed perfectly.
///
/// State: none of its own; reads x, v, a of the specimen from the method's.
class MirrorAssembly final : public Assembly {
 public:
  MirrorAssembly(Segment motion, int floors, bool table)
      : motion_(motion), floors_(floors), table_(table) {}

  void advance(int, State& state, const Command* commands, const Rows& rows) const noexcept override {
    if (table_) rows.of(0)[0] = commands[0].displacement;
    for (int i = 0; i < floors_; ++i) {
      show(state, i, commands[i + (table_ ? 1 : 0)].displacement, rows);
    }
  }
  void start(State& state, const LinearStart&, const double* commands, const Rows& rows) const override {
    if (table_) rows.of(0)[0] = commands[0];
    for (int i = 0; i < floors_; ++i) show(state, i, commands[i + (table_ ? 1 : 0)], rows);
  }
  std::vector<Signal> signals(std::size_t channel) const override {
    if (table_ && channel == 0) return {{"measured", "m/s^2"}};
    return actuator_signals();
  }

 private:
  void show(const State& state, int floor, double force, const Rows& rows) const noexcept {
    const double* motion = state.at(motion_);
    double* signals = rows.of(static_cast<std::size_t>(floor) + (table_ ? 1 : 0));
    signals[actuator_displacement] = motion[floor];
    signals[actuator_velocity] = motion[floors_ + floor];
    signals[actuator_acceleration] = motion[2 * floors_ + floor];
    signals[actuator_force] = force;
  }

  Segment motion_;
  int floors_;
  bool table_;
};

}  // namespace gusset

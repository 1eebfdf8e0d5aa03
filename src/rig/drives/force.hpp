#pragma once

#include "rig/drive.hpp"
#include "rig/force/signals.hpp"

namespace gusset {

/// A force that is exactly what is commanded, a fixed time late: F = u. No states.
class PerfectForce final : public Drive {
 public:
  explicit PerfectForce(double delay, bool ramp = false) : delay_(delay), ramp_(ramp) {}

  DriveModel model() const override {
    DriveModel model = DriveModel::with_states({}, 0);
    model.force_input = 1;
    return model;
  }
  Line line() const override { return {"on_its_way", "N", 1.0, delay_, ramp_}; }
  double control(State&, const Command& command, const Seen&) const noexcept override {
    return command.value;
  }
  double rest(State&, double, double, double force, double*) const override { return force; }
  std::vector<Signal> signals() const override { return actuator_signals(); }
  double measure(const Measured& measured, double* signals) const noexcept override {
    signals[actuator_displacement] = measured.displacement;
    signals[actuator_velocity] = measured.velocity;
    signals[actuator_acceleration] = measured.acceleration;
    return measured.mean_force;
  }

 private:
  double delay_;
  bool ramp_;
};

/// A shake table that follows an acceleration, a fixed time late: exactly, or as a second-order loop does,
/// a_t'' + 2ζω_t·a_t' + ω_t²·(a_t − u) = 0. The displacement command y that a high-pass makes of u (see
/// TableStroke) tells how far the table goes.
///
/// States of its model: a_t and its rate, where it has a loop; y and its rate.
class TableDrive final : public Drive {
 public:
  struct Loop {
    double omega = 0;  ///< 0: none
    double zeta = 0.7;
  };
  TableDrive(const TableStroke& stroke, const Loop& loop, double delay)
      : stroke_(stroke), loop_(loop), delay_(delay) {}

  DriveModel model() const override;
  Line line() const override { return {"on_its_way", "m/s^2", 1.0, delay_, false}; }
  void claim_states(Layout& layout, const std::string& channel) const override {
    if (loop_.omega > 0) layout.add(channel, "acceleration", "m/s^2", 2, 1e-2);
    layout.add(channel, "stroke", "SI", 2, 1e-4);
  }
  double control(State&, const Command& command, const Seen&) const noexcept override {
    return command.value;
  }
  double rest(State&, double command, double, double, double* states) const override;
  std::vector<Signal> signals() const override { return table_signals(); }
  double measure(const Measured& measured, double* signals) const noexcept override;

 private:
  int own() const noexcept { return loop_.omega > 0 ? 2 : 0; }
  TableStroke stroke_;
  Loop loop_;
  double delay_;
};

}  // namespace gusset

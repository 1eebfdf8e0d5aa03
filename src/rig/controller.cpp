#include "rig/controller.hpp"

namespace gusset {

DigitalController::DigitalController(const ServoParameters& p, double dt)
    : kp_(p.kp),
      ki_(p.ki),
      kd_(p.kd),
      kff_(p.kff),
      kdp_(p.kdp),
      dt_(dt),
      difference_measured_(p.difference_measured),
      difference_command_(p.difference_command),
      sampler_(dt, p.command_at_end) {}

void DigitalController::claim(Layout& layout, const std::string& channel) {
  integral_ = layout.add(channel, "integral", "m*s", ki_ != 0 ? 1 : 0, 1e-5);
  last_measured_ = layout.add(channel, "last_measured", "m", difference_measured_ ? 1 : 0, 1e-3);
  last_command_ = layout.add(channel, "last_command", "m", difference_command_ ? 1 : 0, 1e-3);
}

double DigitalController::step(State& state, const Command& command,
                               const Measured& measured) const noexcept {
  const CommandSampler::Sample target = sampler_.step(command);
  double speed = measured.velocity;
  double wanted = target.velocity;
  if (last_measured_.size > 0) {
    double& last = *state.at(last_measured_);
    speed = (measured.x - last) / dt_;
    last = measured.x;
  }
  if (last_command_.size > 0) {
    double& last = *state.at(last_command_);
    wanted = (target.displacement - last) / dt_;
    last = target.displacement;
  }
  const double error = target.displacement - measured.x;
  double u = kp_ * error + kd_ * (wanted - speed) + kff_ * wanted + kdp_ * measured.pressure;
  if (integral_.size > 0) {
    double& integral = *state.at(integral_);
    u += ki_ * integral;
    integral += dt_ * error;
  }
  return u;
}

void DigitalController::rest(State& state, double x, double pressure, double drive) const {
  if (integral_.size > 0) *state.at(integral_) = (drive - kdp_ * pressure) / ki_;
  if (last_measured_.size > 0) *state.at(last_measured_) = x;
  if (last_command_.size > 0) *state.at(last_command_) = x;
}

}  // namespace gusset

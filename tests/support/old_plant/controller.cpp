#include "support/old_plant/controller.hpp"

#include <cstring>

namespace gusset::old {

DigitalController::DigitalController(const RigContext& context, const ServoParameters& p)
    : kp_(p.kp), ki_(p.ki), kd_(p.kd), kff_(p.kff), kdp_(p.kdp), dt_(context.dt) {
  delay_ = delay_steps(context.section, "delay", p.delay, dt_);
  Layout& layout = context.layout;
  const std::string& name = context.name();
  drives_ = layout.add(name, "drives", "V", delay_.whole + (delay_.fraction > 0 ? 1 : 0), 1e-3);
  integral_ = layout.add(name, "integral", "m*s", ki_ != 0 ? 1 : 0, 1e-5);
  last_measured_ = layout.add(name, "last_measured", "m", p.difference_measured ? 1 : 0, 1e-3);
  last_command_ = layout.add(name, "last_command", "m", p.difference_command ? 1 : 0, 1e-3);
  sampler_ = CommandSampler(dt_, p.command_at_end);
}

DigitalController::Drive DigitalController::step(State& state, const Command& command,
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
  double* drives = state.at(drives_);
  Drive drive{u, u, u};
  if (delay_.whole > 0) drive.newer = drives[delay_.whole - 1];
  if (delay_.fraction > 0) drive.older = drives[delay_.whole];
  if (drives_.size > 0) {
    std::memmove(drives + 1, drives, sizeof(double) * static_cast<std::size_t>(drives_.size - 1));
    drives[0] = u;
  }
  return drive;
}

void DigitalController::rest(State& state, double x, double pressure, double drive) const {
  for (int i = 0; i < drives_.size; ++i) state.at(drives_)[i] = drive;
  if (integral_.size > 0) *state.at(integral_) = (drive - kdp_ * pressure) / ki_;
  if (last_measured_.size > 0) *state.at(last_measured_) = x;
  if (last_command_.size > 0) *state.at(last_command_) = x;
}

}  // namespace gusset::old

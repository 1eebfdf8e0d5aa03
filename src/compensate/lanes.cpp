#include "compensate/lanes.hpp"

namespace gusset {

void backward_differences(const double* x, double dt, double* d) noexcept {
  d[0] = x[0];
  d[1] = (x[0] - x[1]) / dt;
  d[2] = (x[0] - 2 * x[1] + x[2]) / (dt * dt);
  d[3] = (x[0] - 3 * x[1] + 3 * x[2] - x[3]) / (dt * dt * dt);
}

Command DerivativeOperator::apply(State& state, const Command& target, const Weights& a) const noexcept {
  const double now[LaneHistory::lanes] = {target.value, target.rate, target.curvature};
  const double* history = state.at(history_.segment());
  Command u;
  if (differences_) {
    double values[4], d[4];
    for (int age = 0; age < 4; ++age) values[age] = LaneHistory::at(history, now, age)[0];
    backward_differences(values, dt_, d);
    for (int i = 0; i <= order_; ++i) u.value += a.value[i] * d[i];
    if (sent_.size > 0) {
      double* sent = state.at(sent_);
      const double change = u.value - sent[0];
      u.rate = change / dt_;
      u.curvature = ramp_ ? 0 : (change - sent[1]) / (dt_ * dt_);
      sent[0] = u.value;
      sent[1] = change;
    }
  } else {
    double acceleration[4];
    for (int age = 0; age < 4; ++age) acceleration[age] = LaneHistory::at(history, now, age)[2];
    // x, x', x'', and from there on differences of x''.
    double d[6] = {now[0], now[1]};
    backward_differences(acceleration, dt_, d + 2);
    for (int i = 0; i <= order_; ++i) a.add(i, d[i], d[i + 1], d[i + 2], u);
  }
  history_.push(state, now);
  return u;
}

void DerivativeOperator::start(State& state, double displacement, double a0) const {
  history_.start(state, displacement);
  if (sent_.size == 0) return;
  state.at(sent_)[0] = a0 * displacement;
  state.at(sent_)[1] = 0;
}

}  // namespace gusset

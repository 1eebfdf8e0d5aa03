#include "compensate/lanes.hpp"

namespace gusset {

void backward_differences(const double* x, double dt, double* d) noexcept {
  d[0] = x[0];
  d[1] = (x[0] - x[1]) / dt;
  d[2] = (x[0] - 2 * x[1] + x[2]) / (dt * dt);
  d[3] = (x[0] - 3 * x[1] + 3 * x[2] - x[3]) / (dt * dt * dt);
}

Command DerivativeOperator::apply(State& state, const Command& target, const double* a) const noexcept {
  const double now[LaneHistory::lanes] = {target.value, target.rate, target.curvature};
  const double* history = state.at(history_.segment());
  double u[LaneHistory::lanes] = {};
  if (differences_) {
    for (int lane = 0; lane < LaneHistory::lanes; ++lane) {
      double values[4];
      for (int age = 0; age < 4; ++age) values[age] = LaneHistory::at(history, now, age)[lane];
      double d[4];
      backward_differences(values, dt_, d);
      for (int i = 0; i <= order_; ++i) u[lane] += a[i] * d[i];
    }
  } else {
    double acceleration[4];
    for (int age = 0; age < 4; ++age) acceleration[age] = LaneHistory::at(history, now, age)[2];
    // x, x', x'', and from there on differences of x''.
    double d[6] = {now[0], now[1]};
    backward_differences(acceleration, dt_, d + 2);
    for (int lane = 0; lane < LaneHistory::lanes; ++lane) {
      for (int i = 0; i <= order_; ++i) u[lane] += a[i] * d[i + lane];
    }
  }
  history_.push(state, now);
  return {u[0], u[1], u[2]};
}

}  // namespace gusset

#include "compensate/linear.hpp"

#include <cstring>
#include <numeric>

namespace gusset {
namespace {

constexpr int lanes = 3;  ///< displacement, velocity, acceleration; or c0, c1, c2 of a piece

/// Puts `now` in front of a register in order of age.
void shift(double* history, int size, const double* now) noexcept {
  if (size == 0) return;
  std::memmove(history + lanes, history, sizeof(double) * static_cast<std::size_t>(size - lanes));
  for (int i = 0; i < lanes; ++i) history[i] = now[i];
}

}  // namespace

LinearCompensator::LinearCompensator(const CompensatorContext& context, Coefficients coefficients,
                                     bool per_step)
    : b_(std::move(coefficients.b)), a_(std::move(coefficients.a)), per_step_(per_step) {
  while (b_.size() > 1 && b_.back() == 0) b_.pop_back();
  while (a_.size() > 1 && a_.back() == 0) a_.pop_back();
  const double lead = a_.front();
  for (double& value : b_) value /= lead;
  for (double& value : a_) value /= lead;
  inputs_ =
      context.layout.add(context.owner(), "inputs", "m", lanes * (static_cast<int>(b_.size()) - 1), 1e-3);
  outputs_ =
      context.layout.add(context.owner(), "outputs", "m", lanes * (static_cast<int>(a_.size()) - 1), 1e-3);
}

void LinearCompensator::run(State& state, double* now) const noexcept {
  double* inputs = state.at(inputs_);
  double* outputs = state.at(outputs_);
  double result[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    double sum = b_[0] * now[lane];
    for (std::size_t j = 1; j < b_.size(); ++j) {
      sum += b_[j] * inputs[lanes * (j - 1) + static_cast<std::size_t>(lane)];
    }
    for (std::size_t j = 1; j < a_.size(); ++j) {
      sum -= a_[j] * outputs[lanes * (j - 1) + static_cast<std::size_t>(lane)];
    }
    result[lane] = sum;
  }
  shift(inputs, inputs_.size, now);
  shift(outputs, outputs_.size, result);
  for (int lane = 0; lane < lanes; ++lane) now[lane] = result[lane];
}

Piece LinearCompensator::plan(State& state, const Piece& target) const noexcept {
  if (!per_step_) return target;
  double now[lanes] = {target.c0, target.c1, target.c2};
  run(state, now);
  return {now[0], now[1], now[2]};
}

Command LinearCompensator::command(State& state, const Command& target) const noexcept {
  if (per_step_) return target;
  double now[lanes] = {target.value, target.rate, target.curvature};
  run(state, now);
  return {now[0], now[1], now[2]};
}

void LinearCompensator::start(State& state, double displacement, double) const {
  const double numerator = std::accumulate(b_.begin(), b_.end(), 0.0);
  const double denominator = std::accumulate(a_.begin(), a_.end(), 0.0);
  const double gain = denominator != 0 ? numerator / denominator : 1;
  for (int i = 0; i < inputs_.size; i += lanes) state.at(inputs_)[i] = displacement;
  for (int i = 0; i < outputs_.size; i += lanes) state.at(outputs_)[i] = gain * displacement;
}

bool reads_per_step(const Section& section, bool fallback) {
  return section.choice("at", {"rig", "integrator"}, fallback ? "integrator" : "rig") == "integrator";
}

}  // namespace gusset

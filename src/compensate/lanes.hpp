#pragma once

#include <cstring>

#include "compensate/compensator.hpp"

namespace gusset {

/// The target's displacement, velocity and acceleration at the last `ages` sub-steps, the youngest
/// first: what an operator with weights that change needs.
class LaneHistory {
 public:
  static constexpr int lanes = 3;

  LaneHistory() = default;
  LaneHistory(const CompensatorContext& context, int ages) {
    segment_ = context.layout.add(context.owner(), "history", "m", lanes * ages, 1e-3);
  }

  /// The sample `age` sub-steps ago; 0 is the present one.
  static const double* at(const double* history, const double* now, int age) noexcept {
    return age == 0 ? now : history + lanes * (age - 1);
  }

  /// Σ w_j·x_{k−j} on each lane, then shifts. The weights reach as far back as the history. @rt-safe
  Command apply(State& state, const Command& target, const double* weights) const noexcept {
    double* history = state.at(segment_);
    const double now[lanes] = {target.value, target.rate, target.curvature};
    double sum[lanes] = {};
    for (int age = 0; age <= segment_.size / lanes; ++age) {
      const double* x = at(history, now, age);
      for (int i = 0; i < lanes; ++i) sum[i] += weights[age] * x[i];
    }
    push(state, now);
    return {sum[0], sum[1], sum[2]};
  }

  void push(State& state, const double* now) const noexcept {
    if (segment_.size == 0) return;
    double* history = state.at(segment_);
    std::memmove(history + lanes, history, sizeof(double) * static_cast<std::size_t>(segment_.size - lanes));
    for (int i = 0; i < lanes; ++i) history[i] = now[i];
  }

  void start(State& state, double displacement) const {
    for (int i = 0; i < segment_.size; i += lanes) {
      state.at(segment_)[i] = displacement;
      state.at(segment_)[i + 1] = state.at(segment_)[i + 2] = 0;
    }
  }

  Segment segment() const { return segment_; }

 private:
  Segment segment_;
};

/// u = a0·x + a1·x' + a2·x'' + a3·x''' of a target.
///
///   derivatives = "target"      x' and x'' are the target's own velocity and acceleration, as the
///                               integrator gave them; x''' and beyond are their backward differences
///   derivatives = "difference"  all are backward differences of x at the rig's step: what a ramp
///                               needs, which has no acceleration of its own
class DerivativeOperator {
 public:
  DerivativeOperator() = default;
  DerivativeOperator(const CompensatorContext& context, int order, bool differences)
      : history_(context, 3), order_(order), dt_(context.dt), differences_(differences) {}

  /// Reads `derivatives`; "target" unless the profile is a ramp.
  static bool read_differences(const CompensatorContext& context) {
    return context.section.choice("derivatives", {"target", "difference"},
                                  context.profile == Profile::ramp ? "difference" : "target") == "difference";
  }

  /// @rt-safe
  Command apply(State& state, const Command& target, const double* a) const noexcept;
  void start(State& state, double displacement) const { history_.start(state, displacement); }
  int order() const { return order_; }

 private:
  LaneHistory history_;
  int order_ = 0;
  double dt_ = 0;
  bool differences_ = true;
};

/// Backward differences of order 0 … 3 from the last four values, the youngest first: d[0] the value.
void backward_differences(const double* values, double dt, double* d) noexcept;

}  // namespace gusset

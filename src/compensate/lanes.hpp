#pragma once

#include <cstring>

#include "compensate/compensator.hpp"

namespace gusset {

/// Weights of an operator at the end of a sub-step, and how they move; null: they stand still.
struct Weights {
  const double* value;
  const double* rate = nullptr;
  const double* curvature = nullptr;

  /// u = Σ a_i·w_i with its derivatives, from one term's w, w', w''. @rt-safe
  void add(int i, double w, double w1, double w2, Command& u) const noexcept {
    u.value += value[i] * w;
    u.rate += value[i] * w1;
    u.curvature += value[i] * w2;
    if (rate == nullptr) return;
    u.rate += rate[i] * w;
    u.curvature += 2 * rate[i] * w1 + curvature[i] * w;
  }
};

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

  /// Σ w_j·x_{k−j} with its derivatives, then shifts. The weights reach as far back as the history. @rt-safe
  Command apply(State& state, const Command& target, const Weights& weights) const noexcept {
    double* history = state.at(segment_);
    const double now[lanes] = {target.value, target.rate, target.curvature};
    Command u;
    for (int age = 0; age <= segment_.size / lanes; ++age) {
      const double* x = at(history, now, age);
      weights.add(age, x[0], x[1], x[2], u);
    }
    push(state, now);
    return u;
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
///   derivatives = "difference"  all are backward differences of x at the rig's step δ: what a ramp
///                               needs, which has no acceleration of its own
///
/// By differences the command is known at the ends of sub-steps only: it jumps within one where the target has
/// a corner, and its derivatives are differences too, u' = (u_k − u_{k−1})/δ, which is the velocity that is sent,
/// u'' = (u'_k − u'_{k−1})/δ; of a ramp u'' = 0.
class DerivativeOperator {
 public:
  DerivativeOperator() = default;
  /// `announced`: the derivatives of the command are wanted.
  DerivativeOperator(const CompensatorContext& context, int order, bool differences, bool announced = true)
      : history_(context, 3),
        order_(order),
        dt_(context.dt),
        differences_(differences),
        ramp_(context.profile == Profile::ramp) {
    if (differences_ && announced) sent_ = context.layout.add(context.owner(), "sent", "m", 2, 1e-3);
  }

  /// Reads `derivatives`; "target" unless the profile is a ramp.
  static bool read_differences(const CompensatorContext& context) {
    return context.section.choice("derivatives", {"target", "difference"},
                                  context.profile == Profile::ramp ? "difference" : "target") == "difference";
  }

  /// @rt-safe
  Command apply(State& state, const Command& target, const Weights& a) const noexcept;
  /// At rest at `displacement` with this a0.
  void start(State& state, double displacement, double a0) const;
  int order() const { return order_; }

 private:
  LaneHistory history_;
  int order_ = 0;
  double dt_ = 0;
  bool differences_ = true, ramp_ = false;
  Segment sent_;  ///< u and δ·u' of the sub-step before
};

/// Backward differences of order 0 … 3 from the last four values, the youngest first: d[0] the value.
void backward_differences(const double* values, double dt, double* d) noexcept;

}  // namespace gusset

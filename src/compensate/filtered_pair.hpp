#pragma once

#include "base/low_pass.hpp"
#include "compensate/compensator.hpp"

namespace gusset {

/// What adaptive compensators learn from: command u and measured y through the same Butterworth
/// low-pass, so that both are late alike, and the last four of the filtered y.
///
/// State (kind parameter: it serves the adaptation alone): both filters, y_f,k … y_f,k−3.
class FilteredPair {
 public:
  static constexpr int samples = 4;

  FilteredPair(const CompensatorContext& context, int order, double cutoff)
      : filter_(order, cutoff, context.dt),
        filters_(context.layout.add(context.owner(), "filters", "-", 2 * filter_.state_size(), 1,
                                    Layout::Kind::parameter)),
        recent_(context.layout.add(context.owner(), "recent", "-", samples, 1, Layout::Kind::parameter)) {}

  /// Takes a sample of both; returns u_f,k. @rt-safe
  double take(State& state, double u, double y) const noexcept {
    double* filters = state.at(filters_);
    double* recent = state.at(recent_);
    for (int i = samples - 1; i > 0; --i) recent[i] = recent[i - 1];
    recent[0] = filter_.step(filters + filter_.state_size(), y);
    return filter_.step(filters, u);
  }

  /// y_f, the newest first. @rt-safe
  const double* recent(const State& state) const noexcept { return state.at(recent_); }

  /// As after resting at `displacement` for ever. @rt-safe
  void rest(State& state, double displacement) const noexcept {
    filter_.rest(state.at(filters_), displacement);
    filter_.rest(state.at(filters_) + filter_.state_size(), displacement);
    for (int i = 0; i < samples; ++i) state.at(recent_)[i] = displacement;
  }

 private:
  LowPass filter_;
  Segment filters_, recent_;
};

}  // namespace gusset

#include "compensate/adaptive.hpp"

#include <algorithm>
#include <cmath>

namespace gusset {
namespace {

bool finite(const Command& c) noexcept {
  return std::isfinite(c.value) && std::isfinite(c.rate) && std::isfinite(c.curvature);
}

void keep(double* at, const Command& c) noexcept {
  at[0] = c.value;
  at[1] = c.rate;
  at[2] = c.curvature;
}

}  // namespace

AdaptiveCompensator::AdaptiveCompensator(const CompensatorContext& context,
                                         std::vector<AdaptiveParameter> parameters, double rate,
                                         double threshold, double slew) {
  const Section& section = context.section;
  rate = section.positive("rate", dim::none, rate);
  threshold_ = section.non_negative("threshold", dim::length, threshold);
  slew_ = section.positive("slew", dim::time, slew * context.dt);
  remains_ = std::exp(-context.dt / slew_);
  frozen_ = section.flag("freeze", false);
  for (const AdaptiveParameter& p : parameters) {
    const std::string name = p.name;
    Limit limit{};
    limit.lower = section.number(name + "_min", p.dimension, p.lower);
    limit.upper = section.number(name + "_max", p.dimension, p.upper);
    if (!(limit.upper > limit.lower)) {
      section.fail(name + "_max", "the bounds of " + name + " leave it no room",
                   "give " + name + "_max a value above " + name + "_min");
    }
    if (p.initial < limit.lower || p.initial > limit.upper) {
      section.fail(section.has(name + "_max") ? name + "_max" : "kind",
                   name + " starts at " + std::to_string(p.initial) + ", outside its bounds of " +
                       std::to_string(limit.lower) + " to " + std::to_string(limit.upper),
                   "widen " + name + "_min and " + name + "_max or start elsewhere");
    }
    limit.initial = p.initial;
    limit.most = rate * (limit.upper - limit.lower);
    limits_.push_back(limit);
    signals_.push_back({p.name, p.unit});
  }
  const int n = static_cast<int>(limits_.size());
  parameters_ = context.layout.add(context.owner(), "parameters", "-", n, 1e-3, Layout::Kind::parameter);
  learnt_ = memory(context, "learnt", n);
  last_ = memory(context, "last", 6);
  freeze_ = context.layout.add_branch(context.owner(), "freeze");
  refused_ = context.layout.add_branch(context.owner(), "refused");
  started_ = context.layout.add_branch(context.owner(), "started");
}

std::vector<CompensatorSignal> AdaptiveCompensator::signals() const { return signals_; }

void AdaptiveCompensator::refuse(State& state) const noexcept {
  // A count: every refusal is a transition of its own.
  Branch& branch = state.branches[static_cast<std::size_t>(refused_)];
  branch.change(branch.value == 1 ? 2 : 1);
}

/// Moves the parameters in use over a sub-step.
SlewedParameters AdaptiveCompensator::slewed(State& state) const noexcept {
  SlewedParameters moved;
  double* a = state.at(parameters_);
  const double* p = state.at(learnt_);
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    a[i] = p[i] + (a[i] - p[i]) * remains_;
    // It arrives at last: what is left moves no machine.
    if (std::abs(p[i] - a[i]) <= 1e-12 * (limits_[i].upper - limits_[i].lower)) a[i] = p[i];
    moved.value[i] = a[i];
    moved.rate[i] = (p[i] - a[i]) / slew_;
    moved.curvature[i] = -moved.rate[i] / slew_;
  }
  return moved;
}

Command AdaptiveCompensator::command(State& state, const Command& target) const noexcept {
  double* last = state.at(last_);
  if (finite(target)) {
    const Command u = compensate(state, target, slewed(state));
    if (finite(u)) {
      keep(last, u);
      keep(last + 3, target);
      return u;
    }
    start_histories(state, last[3]);
  }
  refuse(state);
  return {last[0], 0, 0};
}

void AdaptiveCompensator::observe(State& state, const Feedback& feedback, double* results) const noexcept {
  if (std::isfinite(feedback.displacement)) {
    const double* last = state.at(last_);
    const bool frozen = state.branches[static_cast<std::size_t>(freeze_)].value != 0;
    Branch& started = state.branches[static_cast<std::size_t>(started_)];
    if (!frozen && std::abs(feedback.displacement) >= threshold_) started.change(1);
    adapt(state, {last[3], last[4], last[5]}, {last[0], last[1], last[2]}, feedback.displacement,
          !frozen && started.value != 0);
  } else {
    refuse(state);
  }
  const double* p = state.at(parameters_);
  for (std::size_t i = 0; i < limits_.size(); ++i) results[i] = p[i];
}

void AdaptiveCompensator::adopt(State& state, const double* proposed, double measured) const noexcept {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    if (std::isfinite(proposed[i])) continue;
    refuse(state);
    rest(state, measured);
    return;
  }
  double* p = state.at(learnt_);
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    const Limit& limit = limits_[i];
    const double change = std::clamp(proposed[i] - p[i], -limit.most, limit.most);
    p[i] = std::clamp(p[i] + change, limit.lower, limit.upper);
  }
}

void AdaptiveCompensator::start(State& state, double displacement, double) const {
  for (std::size_t i = 0; i < limits_.size(); ++i) {
    state.at(parameters_)[i] = state.at(learnt_)[i] = limits_[i].initial;
  }
  keep(state.at(last_), {displacement, 0, 0});
  keep(state.at(last_) + 3, {displacement, 0, 0});
  state.branches[static_cast<std::size_t>(freeze_)].value = frozen_ ? 1 : 0;
  start_histories(state, displacement);
  rest(state, displacement);
}

}  // namespace gusset

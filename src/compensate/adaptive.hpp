#pragma once

#include <vector>

#include "compensate/compensator.hpp"

namespace gusset {

/// A gain that adapts, with what it may become.
struct AdaptiveParameter {
  const char* name;
  const char* unit;
  Dimension dimension;
  double initial, lower, upper;  ///< defaults; NAME_min and NAME_max of the file take their place
};

/// Parameters in use at the end of a sub-step, and how they move.
struct SlewedParameters {
  static constexpr int most = 4;
  double value[most] = {}, rate[most] = {}, curvature[most] = {};
};

/// What all adaptive compensators have in common.
///
///   bounds     NAME_min, NAME_max: a parameter never leaves them
///   rate       the share of its bounds' width a parameter may move in one update
///   threshold  adaptation starts when |y| first reaches it: before, there is only noise to learn from
///   slew       T: the parameters in use, a, follow those learnt, p, without a jump in the command
///   freeze     the learnt parameters stand still; also a switch in the state (branch "freeze"), which an
///              operator may throw during a test and an analysis always does
///
/// With p constant over a sub-step of length δ,
///
///   a' = (p − a)/T   →   a_k = p + (a_{k−1} − p)·e^{−δ/T},   a'_k = (p − a_k)/T,   a''_k = −a'_k/T
///
/// so the command u = Σ a_i·w_i, the w_i linear in the target, is continuous, and announces the rate that it has:
///
///   u' = Σ a_i·w_i' + a_i'·w_i,      u'' = Σ a_i·w_i'' + 2·a_i'·w_i' + a_i''·w_i
///
/// A target or measurement that is not finite is refused: the command holds its last good value, the
/// parameters stay, and the branch "refused" counts it. The same where the arithmetic overflows.
///
/// State: the parameters in use (Layout::Kind::parameter, recorded as CHANNEL.compensator.NAME), those learnt,
/// the last good command. What serves the adaptation alone is of that kind, too.
class AdaptiveCompensator : public Compensator {
 public:
  Command command(State& state, const Command& target) const noexcept final;
  void observe(State& state, const Feedback& feedback, double* results) const noexcept final;
  void start(State& state, double displacement, double force) const final;
  std::vector<CompensatorSignal> signals() const override;

 protected:
  /// `slew` in sub-steps.
  AdaptiveCompensator(const CompensatorContext& context, std::vector<AdaptiveParameter> parameters,
                      double rate, double threshold, double slew = 16);

  /// The command with these parameters. @rt-safe
  virtual Command compensate(State& state, const Command& target,
                             const SlewedParameters& parameters) const noexcept = 0;
  /// Takes note of u, x and y of the sub-step, and changes the parameters by adopt() if `active`.
  /// @rt-safe
  virtual void adapt(State& state, const Command& target, const Command& command, double measured,
                     bool active) const noexcept = 0;
  /// Puts what serves the adaptation at rest at `displacement`; also after an overflow. @rt-safe
  virtual void rest(State& state, double displacement) const noexcept = 0;
  virtual void start_histories(State& state, double displacement) const = 0;

  /// Moves the learnt parameters towards `proposed`, within rate and bounds. Something not finite is refused,
  /// and the adaptation starts afresh. @rt-safe
  void adopt(State& state, const double* proposed, double measured) const noexcept;
  /// As learnt.
  const double* values(const State& state) const noexcept { return state.at(learnt_); }
  std::size_t count() const { return limits_.size(); }

  /// Storage for the adaptation alone: no part of the loop's signals.
  static Segment memory(const CompensatorContext& context, const char* name, int size) {
    return context.layout.add(context.owner(), name, "-", size, 1, Layout::Kind::parameter);
  }

 private:
  void refuse(State& state) const noexcept;
  SlewedParameters slewed(State& state) const noexcept;

  struct Limit {
    double initial, lower, upper, most;  ///< most: the largest change in one update
  };
  std::vector<Limit> limits_;
  std::vector<CompensatorSignal> signals_;
  double threshold_;
  double slew_, remains_;  ///< T; e^{−δ/T}
  bool frozen_;
  Segment parameters_, learnt_, last_;  ///< last: command and target, three entries each
  int freeze_, refused_, started_;
};

/// The keys every adaptive compensator has, for the tables.
#define GUSSET_ADAPTIVE_PARAMETERS                                                              \
  {"rate", "-", "0.01", "share of its bounds a parameter may move in one update"},              \
      {"threshold", "m", "0.1 mm", "adaptation starts when the measured motion reaches it"},    \
      {"slew", "s", "16 rig.dt", "the parameters in use follow those learnt with this time"}, { \
    "freeze", "true/false", "false", "keep the parameters where they start"                     \
  }

}  // namespace gusset

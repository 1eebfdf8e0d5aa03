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

/// What all adaptive compensators have in common.
///
///   bounds     NAME_min, NAME_max: a parameter never leaves them
///   rate       the share of its bounds' width a parameter may move in one update
///   threshold  adaptation starts when |y| first reaches it: before, there is only noise to learn from
///   freeze     the parameters stand still; also a switch in the state (branch "freeze"), which an
///              operator may throw during a test and an analysis always does
///
/// A target or measurement that is not finite is refused: the command holds its last good value, the
/// parameters stay, and the branch "refused" counts it. The same where the arithmetic overflows.
///
/// State: the parameters (Layout::Kind::parameter, recorded as CHANNEL.compensator.NAME), the last
/// good command. What serves the adaptation alone is of that kind, too.
class AdaptiveCompensator : public Compensator {
 public:
  Command command(State& state, const Command& target) const noexcept final;
  void observe(State& state, const Feedback& feedback, double* results) const noexcept final;
  void start(State& state, double displacement, double force) const final;
  std::vector<CompensatorSignal> signals() const override;

 protected:
  AdaptiveCompensator(const CompensatorContext& context, std::vector<AdaptiveParameter> parameters,
                      double rate, double threshold);

  /// The command with the parameters as they are. @rt-safe
  virtual Command compensate(State& state, const Command& target) const noexcept = 0;
  /// Takes note of u, x and y of the sub-step, and changes the parameters by adopt() if `active`.
  /// @rt-safe
  virtual void adapt(State& state, const Command& target, const Command& command, double measured,
                     bool active) const noexcept = 0;
  /// Puts what serves the adaptation at rest at `displacement`; also after an overflow. @rt-safe
  virtual void rest(State& state, double displacement) const noexcept = 0;
  virtual void start_histories(State& state, double displacement) const = 0;

  /// Moves the parameters towards `proposed`, within rate and bounds. Something not finite is refused,
  /// and the adaptation starts afresh. @rt-safe
  void adopt(State& state, const double* proposed, double measured) const noexcept;
  const double* values(const State& state) const noexcept { return state.at(parameters_); }
  std::size_t count() const { return limits_.size(); }

  /// Storage for the adaptation alone: no part of the loop's signals.
  static Segment memory(const CompensatorContext& context, const char* name, int size) {
    return context.layout.add(context.owner(), name, "-", size, 1, Layout::Kind::parameter);
  }

 private:
  void refuse(State& state) const noexcept;

  struct Limit {
    double initial, lower, upper, most;  ///< most: the largest change in one update
  };
  std::vector<Limit> limits_;
  std::vector<CompensatorSignal> signals_;
  double threshold_;
  bool frozen_;
  Segment parameters_, last_;  ///< last: command and target, three entries each
  int freeze_, refused_, started_;
};

/// The keys every adaptive compensator has, for the tables.
#define GUSSET_ADAPTIVE_PARAMETERS                                                             \
  {"rate", "-", "0.01", "share of its bounds a parameter may move in one update"},             \
      {"threshold", "m", "0.1 mm", "adaptation starts when the measured motion reaches it"}, { \
    "freeze", "true/false", "false", "keep the parameters where they start"                    \
  }

}  // namespace gusset

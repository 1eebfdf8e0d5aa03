#pragma once

#include <string>

#include "base/motion.hpp"
#include "rig/rig.hpp"

namespace gusset {

/// A delay as whole steps and a fraction of one; a sliver left by rounding is none.
struct DelaySteps {
  int whole = 0;
  double fraction = 0;  ///< of a step

  bool none() const { return whole == 0 && fraction == 0; }
};

DelaySteps delay_steps(double delay, double dt);
/// Fails where the delay spans more than a million steps. `key` is what to blame.
DelaySteps delay_steps(const Section& section, const char* key, double delay, double dt);

/// A sampled signal, a fixed time late, linear between its samples. State: the samples still on
/// their way, in order of age.
class SignalDelay {
 public:
  SignalDelay() = default;
  SignalDelay(Layout& layout, const std::string& owner, const char* name, const char* unit,
              const DelaySteps& steps, double scale);
  double step(State& state, double value) const noexcept;  ///< @rt-safe
  void rest(State& state, double value) const;

 private:
  DelaySteps steps_;
  Segment history_;
};

/// The command as a digital controller samples it: at the start of each sub-step, or at its end.
class CommandSampler {
 public:
  struct Sample {
    double displacement, velocity;
  };

  CommandSampler() = default;
  CommandSampler(double dt, bool at_end) : dt_(dt), at_end_(at_end) {}
  Sample step(const Command& command) const noexcept {  ///< @rt-safe
    if (at_end_) return {command.value, command.rate};
    return {command.value - 0.5 * dt_ * (command.start_rate + command.rate), command.start_rate};
  }

 private:
  double dt_ = 0;
  bool at_end_ = false;
};

/// The command's positions as an analogue plant sees them: linear from sample to sample, a fixed time
/// late. A step of the rig is one linear part, or two where the delay has a fraction f of a step: the
/// last f·T of one (slot 1) and the first (1 − f)·T of the next (slot 0).
/// State: the commands still on their way and the one before them, in order of age.
class LinearCommand {
 public:
  struct Part {
    double from, to;
    int slot;
  };
  struct Parts {
    Part part[2];
    int count;
  };

  LinearCommand() = default;
  LinearCommand(const RigContext& context, double delay);
  Parts step(State& state, double u) const noexcept;  ///< @rt-safe
  void rest(State& state, double u) const;
  /// Of slot 0 and slot 1; as many as there are.
  std::vector<double> durations() const;

 private:
  double dt_ = 0;
  DelaySteps steps_;
  Segment history_;
};

}  // namespace gusset

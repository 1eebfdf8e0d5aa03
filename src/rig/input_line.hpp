#pragma once

#include "rig/signal_delay.hpp"

namespace gusset {

/// A plant's input on its way: sampled at the beginning of each sub-step, held until the next or moving there
/// in a straight line, and a time τ = (m + f)·δ late. A sub-step then sees the last f·δ of one sample's course
/// and the first (1 − f)·δ of the next.
///
/// State: the samples still on their way, in order of age; where the input moves, the one before them too.
class InputLine {
 public:
  /// What the plant sees in a sub-step: the older course until f·δ, then the newer.
  struct Course {
    double old_start, old_end, new_start, new_end;
  };

  InputLine() = default;
  InputLine(Layout& layout, const std::string& owner, const char* name, const char* unit,
            const DelaySteps& steps, bool ramp, double scale);

  /// Takes a sample in; a trial leaves the State where it was. @rt-safe
  Course step(State& state, double value, bool trial = false) const noexcept;
  void rest(State& state, double value) const;

  double fraction() const { return steps_.fraction; }
  bool ramp() const { return ramp_; }

 private:
  DelaySteps steps_;
  bool ramp_ = false;
  Segment history_;
};

}  // namespace gusset

#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gusset {

/// Answers that come in time and bring nothing new: an acquisition that stands still, its clock going on.
/// Feedback is frozen while every number of it stays the same, to the bit, and a command has moved meanwhile:
///
///   |x_k − x_f| > 10·q,   x_f the command when the feedback changed last, q the smallest change that was
///                         ever seen of that channel's measured signal
///
/// Why q? A converter shows nothing of a motion below its last digit. Real sensors have noise besides;
/// virtual ones change with every step of a motion. Before anything has changed, nothing can be said: a
/// rig with a delay shows the beginning of a test later.
class FrozenWatch {
 public:
  FrozenWatch(std::size_t channels, std::size_t measured)
      : feedback_(measured), commands_(channels), shown_(channels), smallest_(channels, 0.0) {}

  void start() noexcept {
    begun_ = moved_ = false;
    answers_ = 0;
    std::fill(smallest_.begin(), smallest_.end(), 0.0);
  }
  /// One answer: everything measured. @rt-safe
  void answer(const double* feedback) noexcept {
    changed_ = !begun_ || !std::equal(feedback_.begin(), feedback_.end(), feedback);
    if (!changed_) {
      ++answers_;
      return;
    }
    std::copy_n(feedback, feedback_.size(), feedback_.begin());
    answers_ = 0;
    moved_ = false;
  }
  /// Of each channel after it: its command, and the signal that shows where it went. @rt-safe
  void channel(std::size_t c, double command, double shown) noexcept {
    if (changed_) {
      const double step = begun_ ? std::abs(shown - shown_[c]) : 0;
      if (step > 0 && (smallest_[c] == 0 || step < smallest_[c])) smallest_[c] = step;
      shown_[c] = shown;
      commands_[c] = command;
    } else if (smallest_[c] > 0 && std::abs(command - commands_[c]) > 10 * smallest_[c]) {
      moved_ = true;
    }
    if (c + 1 == commands_.size()) begun_ = true;
  }
  /// How many answers in a row brought nothing new; 0 while nothing was to be seen. @rt-safe
  int answers() const noexcept { return moved_ ? answers_ : 0; }

 private:
  std::vector<double> feedback_, commands_, shown_, smallest_;
  bool begun_ = false, changed_ = false, moved_ = false;
  int answers_ = 0;
};

}  // namespace gusset

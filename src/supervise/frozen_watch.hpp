#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gusset {

/// Answers that come in time and bring nothing new: an acquisition that stands still, its clock going on, or
/// one sensor of it. A channel's signal is frozen while it stays the same, to the bit, and what moves it has
/// moved meanwhile:
///
///   |x_k − x_f| > 10·q,   x_f the command when the signal changed last, q the smallest change that was ever
///                         seen of it
///
/// A load cell has another unit than the command: what counts as motion is given there instead of 10·q.
///
/// Why q? A converter shows nothing of a motion below its last digit. Real sensors have noise besides;
/// virtual ones change with every step of a motion. Before a signal has changed, nothing can be said: a rig
/// with a delay shows the beginning of a test later.
class FrozenWatch {
 public:
  explicit FrozenWatch(std::size_t signals) : signals_(signals) {}

  void start() noexcept { std::fill(signals_.begin(), signals_.end(), Signal{}); }
  /// One answer: what the signal shows, and the command it is to follow. `motion`: a change of the command that
  /// must show; 0: 10·q. @rt-safe
  void observe(std::size_t signal, double command, double shown, double motion = 0) noexcept {
    Signal& own = signals_[signal];
    if (!own.begun || shown != own.shown) {
      const double step = own.begun ? std::abs(shown - own.shown) : 0;
      if (step > 0 && (own.smallest == 0 || step < own.smallest)) own.smallest = step;
      own.begun = true;
      own.moved = false;
      own.answers = 0;
      own.shown = shown;
      own.command = command;
      return;
    }
    ++own.answers;
    const double least = motion > 0 ? motion : std::max(10 * own.smallest, least_motion);
    if (own.smallest > 0 && std::abs(command - own.command) > least) own.moved = true;
  }
  /// How many answers in a row brought nothing new of the signal; 0 while nothing was to be seen. @rt-safe
  int answers(std::size_t signal) const noexcept {
    return signals_[signal].moved ? signals_[signal].answers : 0;
  }

 private:
  /// A motion that fades out has changes as small as one likes: below this nothing moves [m] or [N].
  static constexpr double least_motion = 1e-6;

  struct Signal {
    bool begun = false, moved = false;
    int answers = 0;
    double shown = 0, command = 0, smallest = 0;
  };
  std::vector<Signal> signals_;
};

}  // namespace gusset

#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "link/link.hpp"
#include "realtime/clock.hpp"
#include "realtime/run_loop.hpp"
#include "support/run_bench.hpp"

namespace gusset::test {

/// A real rig with quickstart's damper, written without the program's own: it stands where it was told to be, at
/// once, and shows 20 kN·s/m times its velocity. What it does wrong is for a test to say.
class FakeRig final : public Link {
 public:
  struct Sent {
    double time;  ///< of the clock [s]
    LinkPhase phase;
    double value;
  };

  FakeRig(const Hello& hello, Clock& clock) : peer_(hello), clock_(clock), feedback_(hello.feedback.size()) {
    peer_.rig = "hardware";
  }

  bool send(const Message& message, const double* values) noexcept override {
    const bool moves = message.phase != LinkPhase::idle && message.phase != LinkPhase::stop;
    if (message.sequence > last_.sequence) {
      sent.push_back({1e-9 * static_cast<double>(real_time ? now_ns() : clock_.now()), message.phase,
                      moves ? values[0] : at});
      if (moves) {
        at = values[0];
        force = 20e3 * values[1];
      } else {
        force = 0;
      }
      last_ = message;
    }
    reply_ = message;
    std::fill(feedback_.begin(), feedback_.end(), 0.0);
    feedback_[0] = at;
    feedback_[1] = force;
    if (wrong) wrong(reply_, feedback_.data());
    fresh_ = answers ? answers(message) : true;
    return true;
  }
  bool receive(Message& message, double* values) noexcept override {
    if (!fresh_) return false;
    fresh_ = false;
    message = reply_;
    std::copy(feedback_.begin(), feedback_.end(), values);
    return true;
  }
  void wait(std::int64_t) noexcept override {}
  const Hello& peer() const override { return peer_; }

  std::vector<Sent> sent;  ///< new commands, when they came
  double at = 0, force = 0;
  bool real_time = false;  ///< times are the machine's
  std::function<void(Message&, double*)> wrong;
  std::function<bool(const Message&)> answers;

 private:
  Hello peer_;
  Clock& clock_;
  std::vector<double> feedback_;
  Message last_, reply_;
  bool fresh_ = false;
};

/// A clock that is late when somebody says so.
class HeldUpClock final : public VirtualClock {
 public:
  std::int64_t sleep_until(std::int64_t deadline) noexcept override {
    VirtualClock::sleep_until(deadline);
    if (slept) slept(*this);
    return now();
  }
  std::function<void(HeldUpClock&)> slept;
};

/// Largest way within `window` seconds, over that: commands as a rig sees them, each standing until the next.
inline double fastest(const std::vector<FakeRig::Sent>& sent, double window) {
  double largest = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < sent.size(); ++i) {
    while (sent[i].time - sent[first].time > window) ++first;
    for (std::size_t j = first; j < i; ++j) {
      largest = std::max(largest, std::abs(sent[i].value - sent[j].value) / window);
    }
  }
  return largest;
}

/// Largest second difference over two windows of 4 ms, an integration step of quickstart.
inline double strongest(const std::vector<FakeRig::Sent>& sent) {
  double largest = 0;
  const double step = 4e-3;
  for (std::size_t i = 8; i < sent.size(); ++i) {
    const double change = sent[i].value - 2 * sent[i - 4].value + sent[i - 8].value;
    largest = std::max(largest, std::abs(change) / (step * step));
  }
  return largest;
}

inline double closest(const std::vector<FakeRig::Sent>& sent) {
  double least = HUGE_VAL;
  for (std::size_t i = 1; i < sent.size(); ++i) least = std::min(least, sent[i].time - sent[i - 1].time);
  return least;
}

}  // namespace gusset::test

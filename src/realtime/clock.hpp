#pragma once

#include <cstdint>

#include "realtime/pace.hpp"

namespace gusset {

/// What the loop takes for time. Real, or virtual for tests and lockstep. All @rt-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t now() noexcept = 0;  ///< [ns]
  /// Returns the time after sleeping until `deadline`, or at once if that has passed.
  virtual std::int64_t sleep_until(std::int64_t deadline) noexcept = 0;
  virtual bool is_virtual() const noexcept { return false; }
};

class RealClock final : public Clock {
 public:
  std::int64_t now() noexcept override { return now_ns(); }
  std::int64_t sleep_until(std::int64_t deadline) noexcept override { return gusset::sleep_until(deadline); }
};

/// Time that passes only while somebody sleeps, and by as much as a test says.
class VirtualClock : public Clock {
 public:
  std::int64_t now() noexcept override { return time_; }
  std::int64_t sleep_until(std::int64_t deadline) noexcept override {
    if (deadline > time_) time_ = deadline;
    return time_;
  }
  bool is_virtual() const noexcept override { return true; }
  void advance(std::int64_t nanoseconds) noexcept { time_ += nanoseconds; }

 private:
  std::int64_t time_ = 0;
};

}  // namespace gusset

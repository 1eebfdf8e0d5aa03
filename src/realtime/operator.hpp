#pragma once

#include <algorithm>
#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>

namespace gusset {

/// A command that another process gave, as the record keeps it.
struct Request {
  std::uint16_t code = 0;    ///< of the event
  std::uint32_t sender = 0;  ///< number of the process
};

/// What the operator wants. Set from any thread or signal handler.
struct Operator {
  std::atomic<int> stops{0};  ///< 1: ramp down; 2 and more: stop at once
  std::atomic<bool> hold{false}, resume{false};
  /// Written by one thread, that of the socket; read by the loop.
  boost::lockfree::spsc_queue<Request, boost::lockfree::capacity<64>> requests;

  // Relaxed: each stands for itself. All @rt-safe.
  void press_hold() noexcept {
    resume.store(false, std::memory_order_relaxed);
    hold.store(true, std::memory_order_relaxed);
  }
  void press_resume() noexcept {
    hold.store(false, std::memory_order_relaxed);
    resume.store(true, std::memory_order_relaxed);
  }
  /// Once more stops at once.
  void press_stop() noexcept { stops.fetch_add(1, std::memory_order_relaxed); }
  /// At least so far: who asks twice for a ramp gets a ramp.
  void ask_stop(bool at_once) noexcept {
    const int wanted = at_once ? 2 : 1;
    int now = stops.load(std::memory_order_relaxed);
    while (now < wanted && !stops.compare_exchange_weak(now, wanted, std::memory_order_relaxed)) {
    }
  }
};

}  // namespace gusset

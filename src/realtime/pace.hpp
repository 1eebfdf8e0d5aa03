#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gusset {

/// The beat of a loop: deadline k is t_0 + k·period, in whole nanoseconds of CLOCK_MONOTONIC.
/// Multiplied, never accumulated, so that nothing adds up over hours. The period is kept in units
/// of 2⁻³² ns: at 1024 Hz it is 976562.5 ns, and a loop rounded to nanoseconds would lose 1.8 ms an
/// hour against the record.
class Beat {
 public:
  /// The period [s] must lie between 1 µs and 1000 s; throws std::invalid_argument.
  Beat(std::int64_t start_ns, double period);

  /// @rt-safe
  std::int64_t deadline(std::int64_t k) const noexcept;
  std::int64_t start() const noexcept { return start_; }
  std::int64_t period_ns() const noexcept;  ///< rounded down

 private:
  std::int64_t start_;
  std::int64_t period_;  ///< [2⁻³² ns]
};

/// CLOCK_MONOTONIC [ns]. @rt-safe: no system call on common machines, but a clock: never in `step`.
std::int64_t now_ns() noexcept;

/// Sleeps until the clock shows `deadline_ns` (not at all if it does already) and returns what it
/// shows then. Absolute, so that being interrupted or preempted before sleeping costs nothing.
/// @rt-safe
std::int64_t sleep_until(std::int64_t deadline_ns) noexcept;

/// Page faults of the calling thread since it began. @rt-safe (one system call).
struct PageFaults {
  std::int64_t minor = 0, major = 0;
};
PageFaults thread_page_faults() noexcept;

/// One thing asked of the system, and whether it was had.
struct Grant {
  std::string name;  ///< "scheduling", "pinning", "locked memory", "dma latency", "heap"
  bool granted = false;
  std::string detail;  ///< what was set, or why not
};

/// What the process needs once, for as long as the object lives: memory locked, one heap arena that
/// is never given back, /dev/cpu_dma_latency held at 0. Make it before threads start.
class RealtimeProcess {
 public:
  struct Options {
    bool lock_memory = true;
    bool hold_dma_latency = true;
    std::size_t heap = 16u << 20;  ///< bytes touched in advance
  };
  RealtimeProcess();
  explicit RealtimeProcess(const Options& options);
  ~RealtimeProcess();
  RealtimeProcess(const RealtimeProcess&) = delete;
  RealtimeProcess& operator=(const RealtimeProcess&) = delete;

  const std::vector<Grant>& grants() const { return grants_; }

 private:
  int dma_latency_ = -1;
  bool locked_ = false;
  std::vector<Grant> grants_;
};

/// Tries whether memory can be locked, beyond a limit on it (ulimit -l) that is too low for a run:
/// at 32 MB, or a little more than the limit where that is between 32 and 256 MB. Returns 0 or the
/// error; `bytes` is what was tried. Leaves nothing locked.
///
/// Why beyond the limit? With all memory locked, what comes on top fails to be allocated, in the
/// middle of a test.
int try_locking_memory(std::size_t& bytes);

struct ThreadOptions {
  int priority = 80;             ///< of SCHED_FIFO; 0: leave the scheduling alone
  int core = -1;                 ///< to be pinned to; -1: not pinned
  std::size_t stack = 1u << 19;  ///< bytes touched in advance
};

/// Makes the calling thread a real-time thread. What could not be had is in the result.
std::vector<Grant> make_realtime(const ThreadOptions& options);

/// For the helpers of a real-time thread, which may have inherited its scheduling: SCHED_OTHER, no
/// signals (they are for the main thread), and a name of at most 15 letters.
void make_ordinary(const char* name) noexcept;

/// Keeps the calling thread, and those it starts from now on, off a loop's core: what the kernel does for them
/// (writing, printing) would hold the loop up there. False if no other core is left.
bool keep_off(int core) noexcept;

/// The core a loop is best pinned to: the last isolated one, else the last one the process may use;
/// -1 where there is only one, which pinning would deny to everything else.
int suggested_core();

/// The cores in a list as Linux writes it: "0-2,5" is 0, 1, 2, 5. Empty if it is none.
std::vector<int> parse_core_list(const std::string& text);

}  // namespace gusset

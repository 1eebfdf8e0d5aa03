#include "realtime/pace.hpp"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <alloca.h>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace gusset {
namespace {

__extension__ typedef __int128 Wide;
constexpr int fraction_bits = 32;
constexpr std::int64_t second = 1'000'000'000;
constexpr std::size_t page = 4096;

std::string words(int error) { return std::generic_category().message(error); }

/// Never inlined: its frame is the stack that is touched, and it is gone afterwards.
__attribute__((noinline)) void touch_stack(std::size_t size) {
  volatile char* block = static_cast<volatile char*>(alloca(size));
  for (std::size_t i = 0; i < size; i += page) block[i] = 0;
}

void touch_heap(std::size_t size) {
  volatile char* block = static_cast<volatile char*>(std::malloc(size));
  if (block == nullptr) return;
  for (std::size_t i = 0; i < size; i += page) block[i] = 0;
  std::free(const_cast<char*>(block));
}

}  // namespace

Beat::Beat(std::int64_t start_ns, double period) : start_(start_ns) {
  if (!(period >= 1e-6 && period <= 1000)) {
    throw std::invalid_argument("a beat's period lies between 1 us and 1000 s");
  }
  // Exact where period·10⁹·2³² is: the product of the whole part and the rest are rounded apart.
  const long double nanoseconds = static_cast<long double>(period) * 1e9L;
  // Decimal periods ("1 ms") are not exact in binary: take the whole nanosecond they mean.
  const long double whole = std::round(nanoseconds);
  const long double meant = std::abs(nanoseconds - whole) < 1e-6L ? whole : nanoseconds;
  period_ = static_cast<std::int64_t>(std::round(std::ldexp(meant, fraction_bits)));
}

std::int64_t Beat::deadline(std::int64_t k) const noexcept {
  return start_ + static_cast<std::int64_t>((Wide{k} * period_) >> fraction_bits);
}

std::int64_t Beat::period_ns() const noexcept { return period_ >> fraction_bits; }

std::int64_t now_ns() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * second + now.tv_nsec;
}

std::int64_t sleep_until(std::int64_t deadline_ns) noexcept {
  const timespec wanted{deadline_ns / second, deadline_ns % second};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nullptr) == EINTR) {
  }
  return now_ns();
}

PageFaults thread_page_faults() noexcept {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return {used.ru_minflt, used.ru_majflt};
}

int try_locking_memory(std::size_t& bytes) {
  constexpr std::size_t least = 32u << 20;
  constexpr std::size_t plenty = 256u << 20;
  bytes = least;
  rlimit limit{};
  if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur >= least && limit.rlim_cur < plenty) {
    bytes = limit.rlim_cur + page;
  }
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return errno;
  const int error = mlock(block, bytes) == 0 ? 0 : errno;
  munmap(block, bytes);  // ends the lock too
  return error;
}

RealtimeProcess::RealtimeProcess() : RealtimeProcess(Options()) {}

RealtimeProcess::RealtimeProcess(const Options& options) {
  // One arena, nothing given back, nothing from mmap: memory that was touched once stays.
  const bool set =
      mallopt(M_ARENA_MAX, 1) == 1 && mallopt(M_TRIM_THRESHOLD, -1) == 1 && mallopt(M_MMAP_MAX, 0) == 1;
  grants_.push_back({"heap", set, set ? "one arena, kept" : "mallopt refused"});
  if (options.lock_memory) {
    std::size_t tried = 0;
    int error = try_locking_memory(tried);
    if (error == 0 && mlockall(MCL_CURRENT | MCL_FUTURE) != 0) error = errno;
    locked_ = error == 0;
    grants_.push_back({"locked memory", locked_, locked_ ? "all of it" : words(error)});
  }
  touch_heap(options.heap);
  if (options.hold_dma_latency) {
    // Held as long as it is open: processors may not go into sleep states that take long to leave.
    dma_latency_ = ::open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
    const std::int32_t microseconds = 0;
    const bool held =
        dma_latency_ >= 0 && ::write(dma_latency_, &microseconds, sizeof microseconds) == sizeof microseconds;
    grants_.push_back({"dma latency", held, held ? "0 us" : words(errno)});
  }
}

RealtimeProcess::~RealtimeProcess() {
  if (dma_latency_ >= 0) ::close(dma_latency_);
  if (locked_) munlockall();
}

std::vector<Grant> make_realtime(const ThreadOptions& options) {
  std::vector<Grant> grants;
  if (options.core >= 0) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (options.core < CPU_SETSIZE) CPU_SET(static_cast<unsigned>(options.core), &cores);
    const int error = pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
    grants.push_back({"pinning", error == 0, error ? words(error) : "core " + std::to_string(options.core)});
  }
  if (options.priority > 0) {
    const sched_param wanted{options.priority};
    const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted);
    grants.push_back({"scheduling", error == 0,
                      error ? words(error) : "SCHED_FIFO, priority " + std::to_string(options.priority)});
  }
  // Where SCHED_FIFO is refused, the kernel may otherwise wake us 50 us late to save power.
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  touch_stack(options.stack);
  return grants;
}

void make_ordinary(const char* name) noexcept {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  const sched_param ordinary{0};
  pthread_setschedparam(pthread_self(), SCHED_OTHER, &ordinary);
  pthread_setname_np(pthread_self(), name);
}

bool keep_off(int core) noexcept {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (core < 0 || core >= CPU_SETSIZE || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  CPU_CLR(static_cast<unsigned>(core), &allowed);
  return CPU_COUNT(&allowed) > 0 && sched_setaffinity(0, sizeof allowed, &allowed) == 0;
}

std::vector<int> parse_core_list(const std::string& text) {
  std::vector<int> cores;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end && *at != '\n') {
    int first = 0;
    auto parsed = std::from_chars(at, end, first);
    if (parsed.ec != std::errc()) return {};
    int last = first;
    if (parsed.ptr < end && *parsed.ptr == '-') {
      parsed = std::from_chars(parsed.ptr + 1, end, last);
      if (parsed.ec != std::errc()) return {};
    }
    if (first < 0 || last >= CPU_SETSIZE) return {};
    for (int core = first; core <= last; ++core) cores.push_back(core);
    at = parsed.ptr;
    if (at < end && *at == ',') ++at;
  }
  return cores;
}

int suggested_core() {
  std::ifstream file("/sys/devices/system/cpu/isolated");
  std::string line;
  std::getline(file, line);
  const std::vector<int> isolated = parse_core_list(line);
  if (!isolated.empty()) return isolated.back();
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || CPU_COUNT(&allowed) < 2) return -1;
  for (int core = CPU_SETSIZE - 1; core >= 0; --core) {
    if (CPU_ISSET(static_cast<unsigned>(core), &allowed)) return core;
  }
  return -1;
}

}  // namespace gusset

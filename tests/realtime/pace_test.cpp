#include "realtime/pace.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <optional>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "realtime/readiness.hpp"
#include "realtime/wake_up.hpp"
#include "support/allocation_counter.hpp"

namespace gusset {
namespace {

TEST(Beat, DeadlinesAreMultipliedNotAccumulated) {
  const std::int64_t hour = 3600;
  // 976562.5 ns: after an hour exactly an hour, which a period in whole nanoseconds misses by 1.8 ms.
  const Beat fast(1'000'000'007, 1.0 / 1024);
  EXPECT_EQ(fast.deadline(1024 * hour), 1'000'000'007 + hour * 1'000'000'000);
  EXPECT_EQ(fast.deadline(1), 1'000'000'007 + 976562);
  EXPECT_EQ(fast.deadline(2), 1'000'000'007 + 1953125);
  // 1 ms is not exact in binary, but it is meant.
  const Beat decimal(0, 1e-3);
  EXPECT_EQ(decimal.deadline(1'000'000'000), 1'000'000'000'000'000);
  // A third of a second: no drift beyond a nanosecond in a year.
  const Beat third(5, 1.0 / 3);
  EXPECT_NEAR(static_cast<double>(third.deadline(3 * 8760 * hour) - 5), 8760e9 * 3600, 1e8 * 3e-10 * 3);
  EXPECT_EQ(fast.deadline(0), fast.start());
  EXPECT_EQ(fast.deadline(-1024), 7);
}

TEST(Beat, RefusesWhatIsNoPeriod) {
  for (const double period : {0.0, -1.0, 1e-9, 1e9, std::nan("")}) {
    EXPECT_THROW(Beat(0, period), std::invalid_argument) << period;
  }
}

TEST(Pace, SleepsUntilTheDeadlineAndNotAtAllAfterIt) {
  const std::int64_t before = now_ns();
  EXPECT_GE(sleep_until(before + 2'000'000), before + 2'000'000);
  const std::int64_t late = now_ns();
  EXPECT_GE(sleep_until(late - 1'000'000), late);
}

TEST(PaceThread, SignalsDoNotShortenTheSleep) {
  struct sigaction nothing {};
  struct sigaction old {};
  nothing.sa_handler = [](int) {};
  sigaction(SIGUSR1, &nothing, &old);
  const std::int64_t deadline = now_ns() + 50'000'000;
  const pthread_t sleeper = pthread_self();
  std::thread poke([&] {
    for (int i = 0; i < 10; ++i) {
      pthread_kill(sleeper, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  EXPECT_GE(sleep_until(deadline), deadline);
  poke.join();
  sigaction(SIGUSR1, &old, nullptr);
}

TEST(Pace, CountsPageFaultsOfThisThread) {
  constexpr std::size_t pages = 64;
  const PageFaults before = thread_page_faults();
  auto* block = static_cast<volatile char*>(
      mmap(nullptr, pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(block, MAP_FAILED);
  madvise(const_cast<char*>(block), pages * 4096, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < pages; ++i) block[i * 4096] = 1;
  EXPECT_GE(thread_page_faults().minor - before.minor, std::int64_t{pages} / 2);
  munmap(const_cast<char*>(block), pages * 4096);
}

TEST(Pace, ALimitOnLockedMemoryThatIsTooLowIsNoticed) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "under the sanitizers mlockall does nothing";
#endif
  const pid_t child = ::fork();
  if (child == 0) {
    rlimit memory{};
    ::getrlimit(RLIMIT_MEMLOCK, &memory);
    memory.rlim_cur = memory.rlim_max = std::min<rlim_t>(memory.rlim_max, 64u << 20);
    ::setrlimit(RLIMIT_MEMLOCK, &memory);
    // Without the right to go beyond the limit: an ordinary user.
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(77);
    std::size_t tried = 0;
    const bool refused = try_locking_memory(tried) != 0 && tried > memory.rlim_cur;
    // And the process goes on without the lock, rather than failing to allocate later.
    const RealtimeProcess process;
    std::vector<char> block(128u << 20, 1);
    ::_exit(refused && block.back() == 1 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "cannot become an ordinary user";
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(Pace, ReadsListsOfCores) {
  using Cores = std::vector<int>;
  EXPECT_EQ(parse_core_list("0-2,5"), (Cores{0, 1, 2, 5}));
  EXPECT_EQ(parse_core_list("3\n"), (Cores{3}));
  EXPECT_EQ(parse_core_list(""), Cores{});
  EXPECT_EQ(parse_core_list("garbage"), Cores{});
  EXPECT_EQ(parse_core_list("0-99999999"), Cores{});
}

TEST(PaceThread, HelpersAreKeptOffTheLoopsCore) {
  const int core = suggested_core();
  if (core < 0) GTEST_SKIP() << "there is only one core";
  std::thread([core] {
    const auto may_use = [core] {
      cpu_set_t cores;
      CPU_ZERO(&cores);
      sched_getaffinity(0, sizeof cores, &cores);
      return CPU_ISSET(static_cast<unsigned>(core), &cores) != 0;
    };
    ASSERT_TRUE(may_use());
    EXPECT_TRUE(keep_off(core));
    EXPECT_FALSE(may_use());
    bool child = true;
    std::thread([&] { child = may_use(); }).join();
    EXPECT_FALSE(child) << "nor does a thread that it starts";
    EXPECT_FALSE(keep_off(-1));
  }).join();
}

TEST(WakeUpThread, LoopAllocatesNothingAndCountsEveryPeriod) {
  std::size_t allocations = 1;
  std::uint64_t periods = 0;
  WakeUpOptions options;
  options.seconds = 0.1;
  options.period = 1e-3;
  options.work = [&](std::int64_t k) {
    thread_local std::optional<test::AllocationCounter> counter;  // it counts for the thread that made it
    if (!counter) counter.emplace();
    allocations = counter->count();
    periods = static_cast<std::uint64_t>(k) + 1;
  };
  const WakeUp measured = measure_wake_up(options);
  // Every period was kept or is counted as missed, on however busy a machine.
  EXPECT_EQ(measured.latency.count() + static_cast<std::uint64_t>(measured.missed), 100u);
  EXPECT_EQ(measured.compute.count(), measured.latency.count());
  EXPECT_LE(periods, 100u);
  EXPECT_EQ(allocations, 0u);
}

TEST(WakeUp, ReadsTheHistogramOfCyclictest) {
  const auto histogram = parse_cyclictest(
      "# /dev/cpu_dma_latency set to 0us\n# Histogram\n000000 000000\n000007 000003\n"
      "002500 000002\n# Total: 000000005\n# Min Latencies: 00007\n# Avg Latencies: 00100\n"
      "# Max Latencies: 4892678\n# Histogram Overflows: 00001\n"
      "# Histogram Overflow at cycle number:\n# Thread 0: 00017\n");
  ASSERT_TRUE(histogram);
  EXPECT_EQ(histogram->count(), 6u);
  EXPECT_EQ((*histogram)[7], 3u);
  EXPECT_EQ(histogram->percentile(0.5), 7);
  EXPECT_EQ(histogram->maximum(), 4892678);
  EXPECT_FALSE(parse_cyclictest("sh: cyclictest: not found\n"));
}

TEST(ReadinessThread, EveryFindingComesWithItsFix) {
  const Readiness readiness = examine();
  EXPECT_GE(readiness.checks.size(), 10u);
  bool required = true;
  for (const ReadinessCheck& check : readiness.checks) {
    EXPECT_FALSE(check.name.empty());
    EXPECT_FALSE(check.found.empty()) << check.name;
    EXPECT_FALSE(check.fix.empty()) << check.name;
    EXPECT_FALSE(check.consequence.empty()) << check.name;
    required = required && (check.ok || !check.required);
  }
  EXPECT_EQ(readiness.fit(), required);
  Readiness bad;
  bad.checks = {{"a", true, true, "", "", ""}, {"b", false, false, "", "", ""}};
  EXPECT_TRUE(bad.fit()) << "advice does not gate";
  bad.checks.push_back({"c", false, true, "x", "y", "z"});
  EXPECT_FALSE(bad.fit());
  EXPECT_NE(bad.to_json().find("\"fit\": false"), std::string::npos);
}

}  // namespace
}  // namespace gusset

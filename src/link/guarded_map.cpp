#include "link/guarded_map.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace gusset {
namespace {

struct Range {
  std::atomic<std::uintptr_t> begin{0}, end{0};
};
std::array<Range, 16> ranges;  // read by the signal handler, so neither locked nor moved
std::uintptr_t page_size = 4096;

void on_bus_error(int, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (const Range& range : ranges) {
    if (address < range.begin.load() || address >= range.end.load()) continue;
    void* page = reinterpret_cast<void*>(address / page_size * page_size);
    if (::mmap(page, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        MAP_FAILED) {
      return;
    }
  }
  ::signal(SIGBUS, SIG_DFL);  // none of ours: what was interrupted meets it again
}

void install_handler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
  });
}

}  // namespace

void GuardedMap::guard(void* memory, std::size_t size) {
  install_handler();
  release();
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    std::uintptr_t none = 0;
    if (!ranges[i].begin.compare_exchange_strong(none, begin)) continue;
    ranges[i].end.store(begin + size);
    place_ = static_cast<int>(i);
    return;
  }
}

void GuardedMap::release() noexcept {
  if (place_ < 0) return;
  Range& range = ranges[static_cast<std::size_t>(place_)];
  range.end.store(0);
  range.begin.store(0);
  place_ = -1;
}

}  // namespace gusset

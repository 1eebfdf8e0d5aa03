#include "runs/trial.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <new>

namespace gusset {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool may_limit_memory = false;  // sanitizers map terabytes
#else
constexpr bool may_limit_memory = true;
#endif

unsigned long long mapped_now() {
  std::ifstream file("/proc/self/statm");
  unsigned long long pages = 0;
  file >> pages;
  return pages * static_cast<unsigned long long>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

MemoryLimit::MemoryLimit(unsigned long long bytes) {
  rlimit limit{};
  if (!may_limit_memory || ::getrlimit(RLIMIT_AS, &limit) != 0) return;
  before_ = limit.rlim_cur;
  limit.rlim_cur = mapped_now() + bytes;
  if (limit.rlim_cur < before_) set_ = ::setrlimit(RLIMIT_AS, &limit) == 0;
}

MemoryLimit::~MemoryLimit() {
  rlimit limit{};
  if (!set_ || ::getrlimit(RLIMIT_AS, &limit) != 0) return;
  limit.rlim_cur = before_;
  ::setrlimit(RLIMIT_AS, &limit);
}

std::string try_elsewhere(const std::function<void()>& work, unsigned long long bytes, unsigned seconds) {
  const unsigned long long most = mapped_now() + bytes;
  const pid_t child = ::fork();
  if (child < 0) return {};  // no process to be had: the work itself will show
  if (child == 0) {
    const rlimit core{0, 0}, time{seconds, seconds}, memory{most, most};
    ::setrlimit(RLIMIT_CORE, &core);
    ::setrlimit(RLIMIT_CPU, &time);
    if (may_limit_memory) ::setrlimit(RLIMIT_AS, &memory);
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) ::signal(number, SIG_DFL);
    ::alarm(3 * seconds);
    try {
      work();
    } catch (const std::bad_alloc&) {
      ::_exit(3);
    } catch (...) {
      ::_exit(0);  // it was refused with a reason, which the caller will hear
    }
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return number == SIGXCPU || number == SIGALRM || number == SIGKILL ? "reading it takes for ever"
                                                                       : "reading it crashes";
  }
  return WEXITSTATUS(status) == 3 ? "reading it takes all memory" : std::string();
}

}  // namespace gusset

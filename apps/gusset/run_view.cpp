#include "run_view.hpp"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>

#include "common.hpp"

namespace gusset::app {
namespace {

termios saved_terminal;

double seconds_now() { return 1e-9 * static_cast<double>(now_ns()); }

}  // namespace

RunView::RunView(const LoopStatus& status, double duration, bool quiet)
    : status_(status), duration_(duration), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {
  if (isatty(STDIN_FILENO) != 0 && !quiet && tcgetattr(STDIN_FILENO, &saved_terminal) == 0) {
    termios raw = saved_terminal;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);  // keys at once; Ctrl-C stays a signal
    keys_ = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
  }
}

RunView::~RunView() {
  if (keys_) tcsetattr(STDIN_FILENO, TCSANOW, &saved_terminal);
}

int RunView::key() const {
  if (!keys_) return 0;
  pollfd input{STDIN_FILENO, POLLIN, 0};
  char key = 0;
  if (poll(&input, 1, 0) != 1 || read(STDIN_FILENO, &key, 1) != 1) return 0;
  return key;
}

std::string RunView::line() const {
  const double time = status_.time.load(std::memory_order_relaxed);
  char text[240];
  std::snprintf(text, sizeof text,
                "%-9s %8.3f of %g s | missed %lld | worst latency %.0f us | tracking delay %.2f ms | "
                "%s at %.0f %% of its limit",
                name_of(status_.state.load(std::memory_order_relaxed)), time, duration_,
                static_cast<long long>(status_.missed.load(std::memory_order_relaxed)),
                1e-3 * static_cast<double>(status_.worst.load(std::memory_order_relaxed)),
                1e3 * status_.delay.load(std::memory_order_relaxed),
                name_of(status_.tightest.load(std::memory_order_relaxed)),
                100 * status_.margin.load(std::memory_order_relaxed));
  return text;
}

void RunView::show(bool last) {
  if (quiet_) return;
  const RunState state = status_.state.load(std::memory_order_relaxed);
  const double now = seconds_now();
  if (!last && now < next_ && (terminal_ || state == shown_)) return;
  shown_ = state;
  next_ = now + (terminal_ ? 0.1 : 2.0);
  if (terminal_) {
    std::fprintf(stderr, "\r%s\033[K%s", line().c_str(), last ? "\n" : "");
  } else {
    std::fprintf(stderr, "%s\n", line().c_str());
  }
  std::fflush(stderr);
}

}  // namespace gusset::app

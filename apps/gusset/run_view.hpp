#pragma once

#include <string>

#include "realtime/run_loop.hpp"

namespace gusset::app {

/// Shows a running test on standard error: one line that is rewritten on a terminal, a plain line every
/// few seconds elsewhere.
class RunView {
 public:
  RunView(const LoopStatus& status, double duration, bool quiet);
  ~RunView();
  RunView(const RunView&) = delete;
  RunView& operator=(const RunView&) = delete;

  void show(bool last = false);
  /// A key pressed on the terminal, or 0: h holds, r resumes, q ramps down.
  int key() const;

 private:
  std::string line() const;

  const LoopStatus& status_;
  double duration_;
  bool quiet_, terminal_, keys_ = false;
  double next_ = 0;
  RunState shown_ = RunState::faulted;
};

}  // namespace gusset::app

#pragma once

#include <functional>
#include <string>

namespace gusset {

/// Does something in a process of its own first, which may use this much memory beyond what is used now, and this
/// much time. Empty if it came to an end, whatever it said; else what became of it ("it crashed", …).
///
/// Why? A run file without a seal may hold any damage, and HDF5 1.10 crashes on some. A crash there costs a
/// child; only what came back from it is done again here.
std::string try_elsewhere(const std::function<void()>& work, unsigned long long bytes, unsigned seconds);

/// While it lives this process may not take more than `bytes` beyond what it has: what asks for more is told that
/// there is none.
class MemoryLimit {
 public:
  explicit MemoryLimit(unsigned long long bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  unsigned long long before_ = 0;
  bool set_ = false;
};

}  // namespace gusset

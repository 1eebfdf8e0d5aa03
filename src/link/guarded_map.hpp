#pragma once

#include <cstddef>

namespace gusset {

/// Memory that is shared with a peer, who may cut it short: touching what is gone raises SIGBUS, which would end
/// the process in full motion. While a mapping is guarded the page that is gone becomes one of zeros instead: the
/// link then looks left, and the loop stops what moves.
///
/// At most 16 mappings at a time; one more is not guarded.
class GuardedMap {
 public:
  GuardedMap() = default;
  GuardedMap(const GuardedMap&) = delete;
  GuardedMap& operator=(const GuardedMap&) = delete;
  ~GuardedMap() { release(); }

  void guard(void* memory, std::size_t size);
  void release() noexcept;

 private:
  int place_ = -1;
};

}  // namespace gusset

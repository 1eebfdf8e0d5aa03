#pragma once

#include <cstddef>

// Sanitizers bring allocators (and system calls) of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GUSSET_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define GUSSET_SANITIZED 1
#endif
#endif
#ifndef GUSSET_SANITIZED
#define GUSSET_SANITIZED 0
#endif

namespace gusset::test {

/// Counts what this thread allocates and frees while the object lives: malloc and its kin, hence
/// operator new and Eigen too (in sanitized builds operator new and delete only).
class AllocationCounter {
 public:
  AllocationCounter();
  ~AllocationCounter();
  AllocationCounter(const AllocationCounter&) = delete;
  AllocationCounter& operator=(const AllocationCounter&) = delete;

  std::size_t count() const;
};

}  // namespace gusset::test

#include "support/allocation_counter.hpp"

#include <cstdlib>
#include <new>

namespace {

// Plain thread-local numbers: touching them must not itself allocate. Volatile, because a compiler that
// sees them beside a call of malloc takes it that malloc does not change them.
thread_local volatile int counters = 0;
thread_local volatile std::size_t calls = 0;

void note() noexcept {
  if (counters > 0) calls = calls + 1;
}

}  // namespace

#if defined(__GLIBC__) && !GUSSET_SANITIZED

// glibc lets a program define malloc itself and keeps its own under these names.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);

void* malloc(std::size_t size) noexcept {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) noexcept {
  note();
  return __libc_realloc(block, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  note();
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? 12 : 0;  // ENOMEM
}
void free(void* block) noexcept {
  note();
  __libc_free(block);
}
}

#else

void* operator new(std::size_t size) {
  note();
  if (void* block = std::malloc(size > 0 ? size : 1)) return block;
  throw std::bad_alloc();
}
void* operator new[](std::size_t size) { return operator new(size); }
// All of the family: the sanitizer refuses a block of its own operator new in our operator delete.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  note();
  return std::malloc(size > 0 ? size : 1);
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void operator delete(void* block) noexcept {
  note();
  std::free(block);
}
void operator delete[](void* block) noexcept { operator delete(block); }
void operator delete(void* block, std::size_t) noexcept { operator delete(block); }
void operator delete[](void* block, std::size_t) noexcept { operator delete(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { operator delete(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { operator delete(block); }

#endif

namespace gusset::test {

AllocationCounter::AllocationCounter() {
  calls = 0;
  counters = counters + 1;
}
AllocationCounter::~AllocationCounter() { counters = counters - 1; }
std::size_t AllocationCounter::count() const { return calls; }

}  // namespace gusset::test

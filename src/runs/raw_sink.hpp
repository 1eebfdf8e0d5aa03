#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gusset {

/// Where a raw recording goes.
class RawSink {
 public:
  virtual ~RawSink() = default;
  /// Writes all of the bytes at `offset`. 0, or the error (errno) that stopped it; then a part of
  /// them may have been written.
  virtual int write(std::uint64_t offset, const void* bytes, std::size_t size) noexcept = 0;
  /// Puts what was written on the disk itself. 0 or the error.
  virtual int sync() noexcept = 0;
  /// Takes room for as many bytes before anything is written. 0, also where a file system cannot do that, or the
  /// error.
  virtual int reserve(std::uint64_t) noexcept { return 0; }
};

/// A file, held under an advisory lock as long as it is open, so that nobody recovers (and removes)
/// a recording that is still going on.
class RawFile : public RawSink {
 public:
  /// Creates it. Throws InputError if it exists (the data of an earlier run may not be overwritten)
  /// or cannot be made.
  explicit RawFile(const std::string& path);
  ~RawFile() override;
  RawFile(const RawFile&) = delete;
  RawFile& operator=(const RawFile&) = delete;

  int write(std::uint64_t offset, const void* bytes, std::size_t size) noexcept override;
  int sync() noexcept override;
  int reserve(std::uint64_t bytes) noexcept override;

 private:
  int file_ = -1;
};

/// Holds the lock of an existing raw recording while it lives. Throws InputError if the file cannot
/// be opened, or is being recorded.
class RawLock {
 public:
  explicit RawLock(const std::string& path);
  ~RawLock();
  RawLock(const RawLock&) = delete;
  RawLock& operator=(const RawLock&) = delete;

 private:
  int file_ = -1;
};

/// Bytes free for this user on the file system that holds `path`'s folder; negative if not known.
double free_space_for(const std::string& path);

}  // namespace gusset

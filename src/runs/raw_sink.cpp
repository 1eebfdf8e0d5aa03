#include "runs/raw_sink.hpp"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/error.hpp"

namespace gusset {
namespace {

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

[[noreturn]] void fail(const std::string& path, const std::string& doing, int error) {
  throw InputError({path, 0, 0}, doing + ": " + std::generic_category().message(error),
                   "check the folder, its rights (ls -ld " + folder_of(path) +
                       ") and the free space (df -h " + folder_of(path) + ")");
}

}  // namespace

RawFile::RawFile(const std::string& path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_ < 0 && errno == EEXIST) {
    throw InputError({path, 0, 0}, "the raw recording of an earlier run is there",
                     "restore it (gusset recover " + path + ") or move it away");
  }
  if (file_ < 0) fail(path, "cannot create the raw recording", errno);
  ::flock(file_, LOCK_EX | LOCK_NB);  // best effort: some network file systems have no locks
  // The file's name has to survive a power cut too.
  const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

RawFile::~RawFile() {
  if (file_ >= 0) ::close(file_);
}

int RawFile::write(std::uint64_t offset, const void* bytes, std::size_t size) noexcept {
  const char* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = ::pwrite(file_, at, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return ENOSPC;
    at += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

int RawFile::sync() noexcept {
  while (::fdatasync(file_) != 0) {
    if (errno == EINVAL || errno == ENOTSUP) return 0;  // a file system that cannot
    if (errno != EINTR) return errno;
  }
  return 0;
}

int RawFile::reserve(std::uint64_t bytes) noexcept {
  // The file keeps its size, or a crash would leave zeros that look like a recording.
  if (::fallocate(file_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return 0;
  return errno == ENOSPC || errno == EDQUOT ? errno : 0;
}

RawLock::RawLock(const std::string& path) {
  file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_ < 0) fail(path, "cannot read the raw recording", errno);
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw InputError({path, 0, 0}, "the run is still being recorded",
                     "wait for its end; it makes its run file itself");
  }
}

RawLock::~RawLock() {
  if (file_ >= 0) ::close(file_);
}

double free_space_for(const std::string& path) {
  struct statvfs system {};
  if (::statvfs(folder_of(path).c_str(), &system) != 0) return -1;
  return static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
}

}  // namespace gusset

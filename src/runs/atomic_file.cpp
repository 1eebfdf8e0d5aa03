#include "runs/atomic_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace gusset {
namespace {

constexpr std::size_t read_limit = std::size_t{1} << 30;

struct Words {
  std::string why, fix;
};

/// The system's errors that a user meets, in words: what happened, and what helps.
Words words_for(int error, const std::string& folder) {
  switch (error) {
    case ENOSPC: return {"the disk is full", "free some space (df -h " + folder + ") or name another folder"};
    case EDQUOT:
      return {"your disk quota is used up", "delete files of yours (quota -s) or name another folder"};
    case EFBIG:
      return {"the file would be larger than the limit of this process or file system",
              "raise the limit (ulimit -f unlimited) or name another folder"};
    case EIO:
      return {"the disk reports an input/output error",
              "look at the system log (dmesg) and name a folder on another disk"};
    case EACCES:
    case EPERM:
      return {"permission denied", "check the owner and mode of the file and its folder (ls -ld " + folder +
                                       "), or name another folder"};
    case EROFS: return {"the file system is read-only", "name a folder on one that can be written"};
    case ENOENT: return {"there is no such file or folder", "check the spelling of the path"};
    case ENOTDIR: return {"a part of the path is not a folder", "check the spelling of the path"};
    case EISDIR: return {"it is a folder", "name a file in it"};
    case ENAMETOOLONG: return {"the name is too long for the file system", "choose a shorter name"};
    case EPIPE: return {"the reader closed the pipe", "let the reading program read to the end"};
    case EMFILE:
    case ENFILE: return {"too many files are open", "raise the limit (ulimit -n)"};
    default: return {std::generic_category().message(error), "check the path and its file system"};
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

[[noreturn]] void fail(const std::string& path, const std::string& doing, int error) {
  const Words words = words_for(error, folder_of(path));
  throw InputError({path, 0, 0}, doing + ": " + words.why, words.fix);
}

[[noreturn]] void fail_exists(const std::string& path) {
  throw InputError({path, 0, 0}, "the file exists already",
                   "choose another name, or overwrite it with --force");
}

/// Holds back the two signals with which a write can kill the process (a file-size limit, a closed
/// pipe), so that the write returns EFBIG or EPIPE instead; what became pending is taken off before
/// the old mask returns. Linux and POSIX direct both at the writing thread, so that its mask is
/// enough and the process's handlers stay as they are.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigemptyset(&held_);
    sigset_t pending;
    sigpending(&pending);
    for (const int signal : {SIGXFSZ, SIGPIPE}) {
      if (sigismember(&pending, signal) != 1) sigaddset(&held_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  ~SignalsHeld() {
    const int error = errno;
    const timespec at_once{0, 0};
    while (sigtimedwait(&held_, nullptr, &at_once) > 0 || errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t held_;
  sigset_t before_;
};

/// An open descriptor, closed at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  bool good() const { return number_ >= 0; }
  /// 0, or the error with which network file systems report a full disk late.
  int close() {
    if (number_ < 0) return 0;
    const int failed = ::close(number_);
    number_ = -1;
    // After EINTR Linux has closed the descriptor all the same; closing again could hit another's.
    return failed && errno != EINTR ? errno : 0;
  }

 private:
  int number_;
};

/// A file that is gone at the end of the scope unless it was renamed.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  ~Temporary() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::string& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  std::string path_;
};

/// 0, or the error that stopped the writing.
int write_all(int descriptor, std::string_view bytes) {
  const SignalsHeld held;
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      return ENOSPC;  // POSIX leaves this open; without it the loop would never end
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd ready{descriptor, POLLOUT, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR) return errno;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

int sync_file(int descriptor) {
  while (::fsync(descriptor) != 0) {
    if (errno == EINVAL || errno == ENOTSUP) return 0;  // a file system that cannot sync
    if (errno != EINTR) return errno;
  }
  return 0;
}

/// The descriptor that a path like /dev/stdout stands for. Opening such a path anew would start at
/// offset 0 of a redirected file and write over what is there; a duplicate goes on where it is.
std::optional<int> standing_for(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + folder.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

void write_straight(const std::string& path, std::string_view bytes) {
  const auto standing = standing_for(path);
  if (standing == STDOUT_FILENO) std::fflush(stdout);  // what was printed before comes before
  Descriptor out(standing ? ::fcntl(*standing, F_DUPFD_CLOEXEC, 0)
                          : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
  if (!out.good()) fail(path, "cannot open for writing", errno);
  if (const int error = write_all(out.number(), bytes)) fail(path, "cannot write", error);
  if (const int error = out.close()) fail(path, "cannot write", error);
}

std::string random_letters() {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device device;
  std::uniform_int_distribution<std::size_t> pick(0, letters.size() - 1);
  std::string word;
  for (int i = 0; i < 10; ++i) word += letters[pick(device)];
  return word;
}

/// rename() that fails with EEXIST instead of replacing. 0 or the error.
int rename_new(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  if (::link(from.c_str(), to.c_str()) == 0) {
    ::unlink(from.c_str());
    return 0;
  }
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return errno;
  // Neither call on this file system (FAT, some network mounts): as good as it gets.
  struct stat there;
  if (::lstat(to.c_str(), &there) == 0) return EEXIST;
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

/// Best effort: the file is complete and in place already, so that an error here must not be taken
/// for a failure to write it.
void sync_folder(const std::string& folder) {
  const Descriptor open_folder(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (open_folder.good()) sync_file(open_folder.number());
}

/// True if the path is to be written straight.
bool check_destination(const std::string& path, bool force) {
  if (path.empty()) throw InputError({path, 0, 0}, "the file name is empty", "name a file");
  if (path.find('\0') != std::string::npos) {
    throw InputError({path, 0, 0}, "the file name holds a NUL byte", "choose another name");
  }
  if (standing_for(path)) return true;
  struct stat there;
  if (::stat(path.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) fail(path, "cannot write", EISDIR);
    if (!S_ISREG(there.st_mode)) return true;
    if (!force) fail_exists(path);
  } else if (errno != ENOENT) {
    fail(path, "cannot write", errno);
  } else if (path.back() == '/') {
    fail(path, "cannot write", EISDIR);
  } else if (::lstat(path.c_str(), &there) == 0 && !force) {
    fail_exists(path);  // a symbolic link that leads nowhere
  }
  return false;
}

void check_folder(const std::string& path) {
  const std::string folder = folder_of(path);
  struct stat there;
  if (::stat(folder.c_str(), &there) != 0) {
    if (errno != ENOENT) fail(path, "cannot write", errno);
    throw InputError({path, 0, 0}, "the folder " + folder + " does not exist",
                     "create it (mkdir -p " + folder + ") or name another");
  }
  if (!S_ISDIR(there.st_mode)) fail(path, "cannot write", ENOTDIR);
  if (::access(folder.c_str(), W_OK | X_OK) != 0) fail(path, "cannot write", errno);
}

/// What a symbolic link leads to, so that the file is replaced and not the link.
std::string followed(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return path;
  const auto target = std::filesystem::canonical(path, error);
  return error ? path : target.string();
}

}  // namespace

void require_writable(const std::string& path, bool force) {
  if (!check_destination(path, force)) check_folder(followed(path));
}

void write_atomically(const std::string& path, std::string_view bytes, bool force) {
  if (check_destination(path, force)) return write_straight(path, bytes);
  const std::string destination = followed(path);
  check_folder(destination);

  const std::filesystem::path wanted(destination);
  std::string part;
  int number = -1;
  for (int attempt = 0; attempt < 100 && number < 0; ++attempt) {
    // The name is cut so that the suffix cannot make it longer than a file system's 255 bytes.
    part = (wanted.parent_path() /
            (wanted.filename().string().substr(0, 200) + "." + random_letters() + ".part"))
               .string();
    number = ::open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (number < 0 && errno != EEXIST && errno != EINTR) fail(path, "cannot create it", errno);
  }
  if (number < 0) fail(path, "cannot create it", EEXIST);
  Temporary temporary(part);
  Descriptor out(number);

  struct stat old;
  if (::stat(destination.c_str(), &old) == 0) {
    // Best effort: who may read the old file may read the new one.
    if (::fchmod(out.number(), old.st_mode & 07777) != 0) errno = 0;
  }
  if (const int error = write_all(out.number(), bytes)) fail(path, "cannot write", error);
  if (const int error = sync_file(out.number())) fail(path, "cannot write", error);
  if (const int error = out.close()) fail(path, "cannot write", error);

  const int error =
      force ? (::rename(part.c_str(), destination.c_str()) == 0 ? 0 : errno) : rename_new(part, destination);
  if (error == EEXIST) fail_exists(path);
  if (error) fail(path, "cannot put it in place", error);
  temporary.keep();
  sync_folder(folder_of(destination));
}

std::string read_file(const std::string& path) {
  if (path.empty()) throw InputError({path, 0, 0}, "the file name is empty", "name a file");
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!in.good()) fail(path, "cannot read", errno);
  struct stat file;
  if (::fstat(in.number(), &file) != 0) fail(path, "cannot read", errno);
  if (S_ISDIR(file.st_mode)) fail(path, "cannot read", EISDIR);

  std::string bytes;
  std::size_t size = 0;
  // A pipe has no size, and a file may grow meanwhile: the size is only where to begin.
  std::size_t room = S_ISREG(file.st_mode) ? static_cast<std::size_t>(file.st_size) + 1 : 65536;
  for (;;) {
    if (size > read_limit || (S_ISREG(file.st_mode) && room > read_limit + 1)) {
      throw InputError({path, 0, 0}, "the file is larger than 1 GiB", "check that it is the file you mean");
    }
    if (size == bytes.size()) bytes.resize(std::max(room, 2 * size));
    const ssize_t got = ::read(in.number(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(path, "cannot read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace gusset

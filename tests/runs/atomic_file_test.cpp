#include "runs/atomic_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/error.hpp"
#include "runs/temporary_folder.hpp"

namespace gusset {
namespace {

using test::content;
using test::put;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

/// The error that `act` must throw.
InputError error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    EXPECT_FALSE(error.cause().empty());
    EXPECT_FALSE(error.fix().empty());
    return error;
  }
  ADD_FAILURE() << "no InputError";
  return {{}, "", ""};
}

/// Status with which a child leaves that may write files of at most `limit` bytes.
int in_child_with_file_limit(rlim_t limit, const std::function<int()>& act) {
  std::fflush(stdout);  // or the child would have, and write, what is buffered here
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit files{limit, limit};
    ::setrlimit(RLIMIT_FSIZE, &files);
    int status = 99;
    try {
      status = act();
    } catch (...) {
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(WriteAtomically, WritesEveryByteAndLeavesNothingElse) {
  const TemporaryFolder folder;
  std::string bytes(3'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 3);
  write_atomically(folder / "a", bytes, false);
  EXPECT_TRUE(content(folder / "a") == bytes);
  EXPECT_TRUE(read_file(folder / "a") == bytes);
  write_atomically(folder / "empty", "", false);
  EXPECT_EQ(read_file(folder / "empty"), "");
  EXPECT_EQ(folder.files(), (Names{"a", "empty"}));
}

TEST(WriteAtomically, RefusesToOverwriteUnlessForced) {
  const TemporaryFolder folder;
  put(folder / "a", "old");
  const InputError error = error_of([&] { write_atomically(folder / "a", "new", false); });
  EXPECT_NE(error.fix().find("--force"), std::string::npos);
  EXPECT_EQ(error.where().file, folder / "a");
  EXPECT_EQ(content(folder / "a"), "old");
  error_of([&] { require_writable(folder / "a", false); });
  require_writable(folder / "a", true);
  write_atomically(folder / "a", "new", true);
  EXPECT_EQ(content(folder / "a"), "new");
  EXPECT_EQ(folder.files(), (Names{"a"}));
}

TEST(WriteAtomically, KeepsTheModeOfTheFileItReplaces) {
  const TemporaryFolder folder;
  put(folder / "a", "old");
  ::chmod((folder / "a").c_str(), 0640);
  write_atomically(folder / "a", "new", true);
  struct stat file;
  ASSERT_EQ(::stat((folder / "a").c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777, 0640u);
}

TEST(WriteAtomicallyThread, OneWriterOfManyWinsWithoutForce) {
  const TemporaryFolder folder;
  std::atomic<int> won = 0, lost = 0;
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&, i] {
      try {
        write_atomically(folder / "a", std::string(100'000, static_cast<char>('a' + i)), false);
        ++won;
      } catch (const InputError&) {
        ++lost;
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(won, 1);
  EXPECT_EQ(lost, 7);
  const std::string bytes = content(folder / "a");
  EXPECT_EQ(bytes, std::string(100'000, bytes.at(0)));
  EXPECT_EQ(folder.files(), (Names{"a"}));
}

TEST(WriteAtomically, FollowsASymbolicLink) {
  const TemporaryFolder folder;
  put(folder / "real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  write_atomically(folder / "link", "new", true);
  EXPECT_EQ(content(folder / "real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  error_of([&] { write_atomically(folder / "dangling", "new", false); });
}

TEST(WriteAtomically, WorksInTheCurrentFolder) {
  const TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_atomically("here", "bytes", false);
  std::filesystem::current_path(before);
  EXPECT_EQ(content(folder / "here"), "bytes");
}

TEST(WriteAtomically, TakesTheLongestNameThereIs) {
  const TemporaryFolder folder;
  write_atomically(folder / std::string(255, 'n'), "bytes", false);
  EXPECT_EQ(folder.files(), (Names{std::string(255, 'n')}));
  const auto error = error_of([&] { write_atomically(folder / std::string(256, 'n'), "x", false); });
  EXPECT_NE(error.cause().find("too long"), std::string::npos);
}

TEST(WriteAtomically, SaysWhatIsWrongWithTheDestination) {
  const TemporaryFolder folder;
  for (const bool force : {false, true}) {
    auto error = error_of([&] { write_atomically(folder.path(), "x", force); });
    EXPECT_NE(error.cause().find("folder"), std::string::npos);
    error = error_of([&] { require_writable(folder / "no/a", force); });
    EXPECT_NE(error.fix().find("mkdir -p"), std::string::npos);
    error_of([&] { write_atomically(folder / "no/a", "x", force); });
    error_of([&] { write_atomically("", "x", force); });
    error_of([&] { write_atomically(folder / "name/", "x", force); });
    put(folder / "file", "x");
    error_of([&] { write_atomically(folder / "file/a", "x", force); });
  }
  EXPECT_EQ(folder.files(), (Names{"file"}));
}

TEST(WriteAtomically, SaysThatPermissionIsMissing) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const TemporaryFolder folder;
  ::chmod(folder.path().c_str(), 0555);
  const InputError error = error_of([&] { write_atomically(folder / "a", "x", false); });
  EXPECT_NE(error.cause().find("permission"), std::string::npos);
}

TEST(WriteAtomically, FileSizeLimitLeavesOldFileAndNothingElse) {
  const TemporaryFolder folder;
  put(folder / "a", "old");
  for (const auto handler : {SIG_IGN, SIG_DFL}) {  // the default action would kill
    const int status = in_child_with_file_limit(10'000, [&] {
      ::signal(SIGXFSZ, handler);
      try {
        write_atomically(folder / "a", std::string(50'000, 'x'), true);
        return 1;
      } catch (const InputError& error) {
        return error.cause().find("limit") == std::string::npos ? 2 : 0;
      }
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(content(folder / "a"), "old");
    EXPECT_EQ(folder.files(), (Names{"a"}));
  }
}

TEST(WriteAtomically, FullDiskIsAnErrorWithAFix) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const InputError error = error_of([] { write_atomically("/dev/full", "x", false); });
  EXPECT_NE(error.cause().find("full"), std::string::npos);
  EXPECT_NE(error.fix().find("df -h"), std::string::npos);
}

TEST(WriteAtomicallyThread, WritesStraightToWhatIsNoFile) {
  write_atomically("/dev/null", "x", false);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes(300'000, 'p');  // more than a pipe holds: short writes
  std::string got;
  std::thread reader([&] { got = read_file(pipe); });
  write_atomically(pipe, bytes, false);
  reader.join();
  EXPECT_TRUE(got == bytes);
  EXPECT_EQ(folder.files(), (Names{"pipe"}));
}

TEST(WriteAtomically, ClosedPipeIsAnError) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  const std::string path = "/dev/fd/" + std::to_string(ends[1]);
  const InputError error = error_of([&] { write_atomically(path, "x", false); });
  EXPECT_NE(error.cause().find("pipe"), std::string::npos);
  ::close(ends[1]);
}

TEST(WriteAtomically, StandardOutputGoesOnWhereItIs) {
  const TemporaryFolder folder;
  const int status = in_child_with_file_limit(RLIM_INFINITY, [&] {
    const int file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(file, STDOUT_FILENO);
    std::fputs("before ", stdout);
    write_atomically("/dev/stdout", "after", false);
    return 0;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content(folder / "out"), "before after");
}

TEST(ReadFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  auto error = error_of([&] { read_file(folder / "missing"); });
  EXPECT_NE(error.cause().find("no such file"), std::string::npos);
  error = error_of([&] { read_file(folder.path()); });
  EXPECT_NE(error.cause().find("folder"), std::string::npos);
  error_of([&] { read_file(""); });
  put(folder / "huge", "");
  std::filesystem::resize_file(folder / "huge", (1ull << 30) + 1);  // a hole: takes no space
  error = error_of([&] { read_file(folder / "huge"); });
  EXPECT_NE(error.cause().find("1 GiB"), std::string::npos);
  if (::geteuid() != 0) {
    put(folder / "secret", "x");
    ::chmod((folder / "secret").c_str(), 0);
    error = error_of([&] { read_file(folder / "secret"); });
    EXPECT_NE(error.cause().find("permission"), std::string::npos);
  }
}

}  // namespace
}  // namespace gusset

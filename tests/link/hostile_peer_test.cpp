// Peers that mean no good: memory that is cut short, keys that are none.

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "link/guarded_map.hpp"
#include "link/key.hpp"

namespace gusset {
namespace {

TEST(GuardedMap, MemoryThatIsCutShortBecomesZeros) {
  const int file = memfd_create("guarded", 0);
  ASSERT_GE(file, 0);
  const std::size_t size = 4 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  ASSERT_EQ(ftruncate(file, static_cast<off_t>(size)), 0);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ASSERT_NE(memory, MAP_FAILED);
  volatile char* bytes = static_cast<char*>(memory);
  bytes[0] = 7;
  bytes[size - 1] = 7;
  {
    GuardedMap guard;
    guard.guard(memory, size);
    ASSERT_EQ(ftruncate(file, 0), 0);
    EXPECT_EQ(bytes[0], 0) << "without the guard this is SIGBUS";
    EXPECT_EQ(bytes[size - 1], 0);
    bytes[1] = 3;
    EXPECT_EQ(bytes[1], 3);
  }
  munmap(memory, size);
  close(file);
}

TEST(SharedKey, RefusesWhatIsNone) {
  const std::string path = (std::filesystem::temp_directory_path() / "gusset-key-test").string();
  const auto write = [&](const std::string& bytes) { std::ofstream(path, std::ios::trunc) << bytes; };
  const Url udp = parse_url("udp://127.0.0.1:7400", "--rig"), shm = parse_url("shm:lab", "--rig");
  write("");
  EXPECT_THROW(read_key(path, udp), InputError) << "an empty file would switch signing off";
  write("12345678");
  EXPECT_THROW(read_key(path, udp), InputError);
  write("0123456789abcdefghij");
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  EXPECT_TRUE(read_key(path, udp).remarks.empty());
  EXPECT_THROW(read_key(path, shm), InputError) << "nothing is signed there";
  ASSERT_EQ(chmod(path.c_str(), 0644), 0);
  EXPECT_EQ(read_key(path, udp).remarks.size(), 1U);
  write(std::string(32, 'a'));
  EXPECT_EQ(read_key(path, udp).remarks.size(), 2U);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace gusset

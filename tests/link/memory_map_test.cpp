// Memory that somebody else laid out, here in the manner of a servo-controller: 32-bit floats in inches
// and kips, a heartbeat word each way.

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "base/error.hpp"
#include "link/memory_map.hpp"
#include "runs/temporary_folder.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

using namespace test;

constexpr const char* map_text = R"(
[link]
size = 4096
[[link.region]]
offset = 0
type = "u32"
direction = "out"
carries = "heartbeat"
[[link.region]]
offset = 4
type = "u32"
direction = "in"
carries = "heartbeat"
[[link.region]]
offset = 16
type = "f32"
direction = "out"
carries = "damper.command"
scale = 39.37007874015748
[[link.region]]
offset = 64
type = "f32"
direction = "in"
carries = "damper.measured"
scale = 39.37007874015748
[[link.region]]
offset = 72
type = "f64"
direction = "in"
carries = "damper.force"
[[link.region]]
offset = 8
type = "u32"
direction = "out"
carries = "phase"
)";

struct Bench {
  Document document = shipped("quickstart");
  Experiment experiment = Experiment::build(document);
  Hello hello = hello_of(document, experiment, false);
  TemporaryFolder folder;
  std::string path = folder / "memory";
  char* memory = nullptr;

  Bench() {
    const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
    EXPECT_EQ(ftruncate(file, 4096), 0);
    memory = static_cast<char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
  }
  ~Bench() { munmap(memory, 4096); }
  template <class T>
  T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, memory + offset, sizeof value);
    return value;
  }
  template <class T>
  void put(std::size_t offset, T value) {
    std::memcpy(memory + offset, &value, sizeof value);
  }
};

TEST(MemoryMap, NumbersAreWhereTheFileSays) {
  Bench bench;
  const auto link = connect_memory(parse_url("memory:" + bench.path, "--rig"), bench.hello,
                                   read_memory_map(document(map_text)));
  EXPECT_EQ(link->peer().rig, "hardware");
  const double command[4] = {0.0254, 0.1, 0, 0.1};
  Message message, answer;
  message.sequence = 7;
  double feedback[2] = {0, 0};
  EXPECT_FALSE(link->receive(answer, feedback)) << "nobody has written";
  ASSERT_TRUE(link->send(message, command));
  EXPECT_EQ(bench.at<std::uint32_t>(0), 1U);
  EXPECT_FLOAT_EQ(bench.at<float>(16), 1.0F) << "an inch";
  EXPECT_FALSE(link->receive(answer, feedback));
  bench.put<float>(64, 0.5F);
  bench.put<double>(72, 1234.5);
  bench.put<std::uint32_t>(4, 1);
  ASSERT_TRUE(link->receive(answer, feedback));
  EXPECT_EQ(answer.sequence, 7U);
  EXPECT_NEAR(feedback[0], 0.0127, 1e-12);
  EXPECT_EQ(feedback[1], 1234.5);
  EXPECT_FALSE(link->receive(answer, feedback)) << "the heartbeat stands still";
}

TEST(MemoryMap, RefusesWhatDoesNotFit) {
  Bench bench;
  const auto refuse = [&](const std::vector<std::string>& changes) {
    EXPECT_THROW(connect_memory(parse_url("memory:" + bench.path, "--rig"), bench.hello,
                                read_memory_map(document(map_text, changes))),
                 InputError)
        << changes.front();
  };
  refuse({"link.size=8192"});
  refuse({"link.region.3.offset=4094"});
  refuse({"link.region.3.offset=4096"});
  refuse({"link.region.3.carries=damper.comand"});
  refuse({"link.region.4.carries=heartbeat"});
  refuse({"link.region.1.direction=in"});
  refuse({"link.region.5.direction=out"});
  refuse({"link.region.5.scale=0"});
  refuse({"link.region.6.carries=sequence"});             // idle and stop would be motion
  refuse({"link.region.3.type=u32"});                     // commands may be negative
  refuse({"link.region.3.carries=damper.command.rate"});  // nothing would move
  EXPECT_THROW(connect_memory(parse_url("memory:/nowhere/at/all", "--rig"), bench.hello,
                              read_memory_map(document(map_text))),
               InputError);
  EXPECT_THROW(connect_memory(parse_url("memory:x", "--rig"), bench.hello, {}), InputError);
}

}  // namespace
}  // namespace gusset

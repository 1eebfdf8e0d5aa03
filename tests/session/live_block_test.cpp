#include "session/live_block.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "support/allocation_counter.hpp"

namespace gusset {
namespace {

/// Two storeys' numbers every second row, three numbers of a rig at 1 kHz.
RunStreams streams() {
  RunStreams found;
  found.plans = {{"structure", 0, 2e-3, {{"storey1.displacement", "m"}, {"ground.acceleration", "m/s^2"}}, 0},
                 {"rig", 0, 1e-3, {{"jack.command", "m"}, {"jack.measured", "m"}, {"jack.force", "N"}}, 0},
                 {"realtime", 0, 1e-3, {{"realtime.margin", "-"}}, 0},
                 {"approach", 0, 1e-3, {{"approach.jack.command", "m"}, {"approach.jack.force", "N"}}, 0},
                 {"retreat", 0, 1e-3, {{"retreat.jack.command", "m"}, {"retreat.jack.force", "N"}}, 0}};
  found.structure = 0;
  found.rig = 1;
  found.realtime = 2;
  found.approach = 3;
  found.retreat = 4;
  return found;
}

void push_rig(LiveBlock& block, std::int64_t row) {
  const auto x = static_cast<double>(row);
  const double values[3] = {x, -x, 2 * x};
  block.push(1, row, values, 3);
}

TEST(LiveBlock, ShowsTheLastRowOfBothRates) {
  LiveBlock block(streams());
  const LiveView view(block.memory());
  LiveView::Row row;
  EXPECT_FALSE(view.row(row)) << "nothing was written yet";
  const double path[2] = {0.5, 7};
  block.push(3, 0, path, 2);
  ASSERT_TRUE(view.row(row));
  EXPECT_EQ(row.number, -1);
  EXPECT_EQ(row.values, (std::vector<double>{0, 0, 0.5, 0, 7}));
  const double structure[2] = {11, 12};
  block.push(0, 3, structure, 2);
  push_rig(block, 6);
  const double margin = 0.5;
  block.push(2, 6, &margin, 1);
  ASSERT_TRUE(view.row(row));
  EXPECT_EQ(row.number, 6);
  EXPECT_DOUBLE_EQ(row.time, 6e-3);
  EXPECT_EQ(row.values, (std::vector<double>{11, 12, 6, -6, 12}));
}

TEST(LiveBlock, TheRingForgetsTheOldestAndSaysWhich) {
  LiveBlock block(streams());
  const LiveView view(block.memory());
  ASSERT_EQ(view.rows_a_frame(), 20U);
  for (std::int64_t row = 0; row < 30'000; ++row) push_rig(block, row);
  EXPECT_EQ(view.frames_written(), 1500U);
  const std::vector<LiveView::Frame> frames = view.frames(0, 10'000);
  ASSERT_EQ(frames.size(), 1024U);
  EXPECT_EQ(frames.front().number, 1500U - 1024U);
  for (const LiveView::Frame& frame : frames) {
    const auto first = 20.0 * static_cast<double>(frame.number);
    EXPECT_EQ(frame.least[2], first);
    EXPECT_EQ(frame.most[2], first + 19);
    EXPECT_EQ(frame.least[3], -(first + 19));
  }
  EXPECT_EQ(view.frames(1499, 10).size(), 1U);
  EXPECT_TRUE(view.frames(1500, 10).empty());
}

TEST(LiveBlock, WritingAllocatesNothing) {
  LiveBlock block(streams());
  push_rig(block, 0);
  const test::AllocationCounter counter;
  for (std::int64_t row = 1; row < 1000; ++row) push_rig(block, row);
  EXPECT_EQ(counter.count(), 0U);
}

TEST(LiveBlock, WhoGetsTheFileCanOnlyRead) {
  const LiveBlock block(streams());
  const int file = ::dup(block.file());
  EXPECT_EQ(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), MAP_FAILED);
  EXPECT_NE(::ftruncate(file, 0), 0);
  const char byte = 0;
  EXPECT_LT(::pwrite(file, &byte, 1, 0), 0);
  EXPECT_EQ(LiveView::map(file).signals(), 5U);
  const int other = ::memfd_create("no block", 0);
  ASSERT_EQ(::ftruncate(other, 4096), 0);
  EXPECT_THROW(LiveView::map(other), InputError);
}

TEST(LiveBlockThread, ReadersSeeWholeRowsOnly) {
  LiveBlock block(streams());
  std::atomic<bool> stop{false};
  std::atomic<int> seen{0};
  std::thread reader([&] {
    const LiveView view(block.memory());
    std::int64_t last = -1;
    std::uint64_t next = 0;
    while (!stop) {
      LiveView::Row row;
      if (view.row(row)) {
        EXPECT_GE(row.number, last);
        seen += row.number > last ? 1 : 0;
        last = row.number;
        EXPECT_EQ(row.values[2], -row.values[3]);
        EXPECT_EQ(row.values[4], 2 * row.values[2]);
      }
      for (const LiveView::Frame& frame : view.frames(next, 50)) {
        EXPECT_EQ(frame.most[2] - frame.least[2], 19);
        EXPECT_EQ(frame.least[2], 20.0 * static_cast<double>(frame.number));
        next = frame.number + 1;
      }
    }
  });
  for (std::int64_t row = 0; seen < 1000 && row < 100'000'000; ++row) push_rig(block, row);
  stop = true;
  reader.join();
}

}  // namespace
}  // namespace gusset

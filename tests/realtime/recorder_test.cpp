#include "realtime/recorder.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "base/error.hpp"
#include "realtime/pace.hpp"
#include "realtime/recordings.hpp"
#include "runs/recover.hpp"
#include "runs/run_file.hpp"
#include "runs/temporary_folder.hpp"
#include "support/allocation_counter.hpp"

namespace gusset {
namespace {

using test::recorded_row;
using test::recorded_value;
using test::recording_plan;
using test::TemporaryFolder;

void push_both(Recorder& recorder, std::int64_t rig_row) {
  if (rig_row % 8 == 0) {
    recorder.push(0, rig_row / 8, recorded_row<2>(0, rig_row / 8).data(), 2);
  }
  recorder.push(1, rig_row, recorded_row<3>(1, rig_row).data(), 3);
}

/// Rows 0 … rows−1 of the table are those that were pushed.
void expect_rows(const Run& run, std::size_t stream, std::int64_t rows) {
  const Table& table = run.tables.at(stream);
  ASSERT_EQ(static_cast<std::int64_t>(table.rows()), rows);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < table.channels.size(); ++c) {
      ASSERT_EQ(table.channels[c].values[static_cast<std::size_t>(row)], recorded_value(stream, row, c))
          << table.name << " " << row;
    }
  }
}

TEST(RecorderThread, MakesTheRunFileOfWhatWasPushed) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.h5";
  Recorder recorder({.path = path}, recording_plan());
  for (std::int64_t row = 0; row < 4000; ++row) {
    push_both(recorder, row);
    if (row == 2000) recorder.event(2.0, Severity::ramp_down, 7, 0.125);
    if (row == 3000) recorder.event(3.0, Severity::information, 8, 4);
  }
  EXPECT_TRUE(recorder.healthy());
  EXPECT_TRUE(std::filesystem::exists(raw_path_of(path)));
  Closing closing;
  closing.summary = {{"peak", 0.25}, {"nothing", std::nan("")}};
  closing.histograms = {{"wake-up", "s", {0, 1e-6, 2e-6}, {3, 4}, 1, 5e-6}};
  closing.texts = {{"environment", "{}"}};
  recorder.finish(closing, [](gusset::Run& run) { run.summary.emplace_back("added", 1); });

  EXPECT_EQ(folder.files(), (std::vector<std::string>{"run.h5"}));
  const gusset::Run run = read_run(path);
  EXPECT_EQ(run.title, recording_plan().title);
  EXPECT_EQ(run.experiment_text, recording_plan().experiment_text);
  EXPECT_EQ(run.overrides, recording_plan().overrides);
  EXPECT_EQ(run.created, recording_plan().created);
  ASSERT_EQ(run.tables.size(), 2u);
  EXPECT_EQ(run.tables[0].step, 8e-3);
  EXPECT_EQ(run.tables[1].channels[2].name, "jack.force");
  EXPECT_EQ(run.tables[1].channels[2].unit, "N");
  expect_rows(run, 0, 500);
  expect_rows(run, 1, 4000);
  ASSERT_EQ(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].text, "the stroke reached 0.125 m");
  EXPECT_EQ(run.events[0].severity, "ramp-down");
  EXPECT_EQ(run.events[0].source, "supervisor");
  EXPECT_EQ(run.events[1].text, "event 8, value 4");
  ASSERT_EQ(run.summary.size(), 3u);
  EXPECT_TRUE(std::isnan(run.summary[1].second));
  EXPECT_EQ(run.summary[2].first, "added");
  ASSERT_EQ(run.histograms.size(), 1u);
  EXPECT_EQ(run.histograms[0].counts, (std::vector<double>{3, 4}));
  ASSERT_EQ(run.texts.size(), 2u);
  EXPECT_EQ(run.texts[0].first, "readiness");
  EXPECT_EQ(run.texts[1].first, "environment");
}

TEST(RecorderThread, PushingAllocatesNothing) {
  const TemporaryFolder folder;
  Recorder recorder({.path = folder / "run.h5"}, recording_plan());
  const auto row = recorded_row<3>(1, 0);
  std::size_t allocations = 0;
  {
    const test::AllocationCounter counter;
    for (std::int64_t i = 0; i < 1000; ++i) {
      recorder.push(1, i, row.data(), row.size());
      recorder.event(0, Severity::hold, 1, 2);
    }
    allocations = counter.count();
  }
  EXPECT_EQ(allocations, 0u);
}

TEST(RecorderThread, FullQueueDropsTheNewestCountsAndMarksThem) {
  const TemporaryFolder folder;
  // A sink that does not return for a while: nobody empties the queue.
  struct Slow : RawSink {
    std::shared_ptr<RawFile> file;
    std::atomic<bool> stuck{false};
    int write(std::uint64_t offset, const void* bytes, std::size_t size) noexcept override {
      while (stuck) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return file->write(offset, bytes, size);
    }
    int sync() noexcept override { return 0; }
  };
  const std::string path = folder / "run.h5";
  auto slow = std::make_shared<Slow>();
  slow->file = std::make_shared<RawFile>(raw_path_of(path));
  Recorder recorder({.path = path, .queue_words = 1000, .sink = slow}, recording_plan());
  slow->stuck = true;
  const auto row_of = [](std::int64_t row) { return recorded_row<3>(1, row); };
  std::int64_t row = 0;
  // Until the recorder's thread has been caught in the sink and the queue is full.
  while (recorder.healthy()) {
    recorder.push(1, row, row_of(row).data(), 3);
    ++row;
    if (row % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const std::int64_t first_lost = row - 1;
  for (int i = 0; i < 9; ++i, ++row) EXPECT_FALSE(recorder.push(1, row, row_of(row).data(), 3));
  EXPECT_TRUE(recorder.event(1.0, Severity::interlock, 7, 0.5)) << "room is kept for events";
  EXPECT_EQ(recorder.dropped(), 10u);
  EXPECT_NE(recorder.trouble().find("10 records were lost"), std::string::npos);
  slow->stuck = false;
  while (!recorder.push(1, row, row_of(row).data(), 3)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++row;
  }
  recorder.finish();
  const gusset::Run run = read_run(path);
  const auto& values = run.tables[1].channels[0].values;
  ASSERT_EQ(static_cast<std::int64_t>(values.size()), row + 1);
  for (std::int64_t i = 0; i <= row; ++i) {
    const double value = values[static_cast<std::size_t>(i)];
    if (i < first_lost || i == row) {
      ASSERT_EQ(value, recorded_value(1, i, 0)) << i;
    } else {
      ASSERT_TRUE(std::isnan(value)) << i;
    }
  }
  const auto told = [&](const std::string& text) {
    return std::any_of(run.events.begin(), run.events.end(),
                       [&](const Event& event) { return event.text.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(told("the stroke reached 0.5 m"));
  EXPECT_TRUE(told(std::to_string(row - first_lost) + " rows of rig are missing"));
  EXPECT_TRUE(told(std::to_string(row - first_lost) + " records were lost"));
}

TEST(RecorderThread, WrongRowsAreRefusedAndCounted) {
  const TemporaryFolder folder;
  Recorder recorder({.path = folder / "run.h5"}, recording_plan());
  const auto row = recorded_row<3>(1, 0);
  EXPECT_FALSE(recorder.push(2, 0, row.data(), 3));
  EXPECT_FALSE(recorder.push(1, 0, row.data(), 2));
  EXPECT_EQ(recorder.dropped(), 2u);
  EXPECT_FALSE(recorder.healthy());
}

TEST(RecorderThread, NeverOverwritesWhatIsThere) {
  const TemporaryFolder folder;
  test::put(folder / "run.h5", "old");
  EXPECT_THROW(Recorder({.path = folder / "run.h5"}, recording_plan()), InputError);
  test::put(raw_path_of(folder / "run.h5"), "older");
  EXPECT_THROW(Recorder({.path = folder / "run.h5", .force = true}, recording_plan()), InputError);
  EXPECT_EQ(test::content(raw_path_of(folder / "run.h5")), "older");
  RecordingPlan endless = recording_plan();
  endless.streams[0].expected_rows = std::int64_t{1} << 60;
  EXPECT_THROW(Recorder({.path = folder / "new.h5"}, endless), InputError);
  EXPECT_EQ(folder.files().size(), 2u);
}

TEST(RecorderThread, IsLockedWhileItGoesOn) {
  const TemporaryFolder folder;
  const std::string raw = raw_path_of(folder / "run.h5");
  {
    Recorder recorder({.path = folder / "run.h5"}, recording_plan());
    EXPECT_THROW(RawLock{raw}, InputError);
  }
  EXPECT_NO_THROW(RawLock{raw});
}

/// Takes so many bytes, then is full until somebody makes room.
struct SmallDisk : RawSink {
  explicit SmallDisk(const std::string& path) : file(path) {}
  RawFile file;
  std::atomic<std::uint64_t> room{20000};
  int write(std::uint64_t offset, const void* bytes, std::size_t size) noexcept override {
    const std::uint64_t most = room;
    const std::size_t part = offset >= most ? 0 : std::min<std::size_t>(size, most - offset);
    const int error = file.write(offset, bytes, part);
    return error ? error : part < size ? ENOSPC : 0;
  }
  int sync() noexcept override { return file.sync(); }
};

TEST(RecorderThread, FullDiskTripsAndKeepsWhatIsThere) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.h5";
  std::int64_t row = 0;
  {
    Recorder recorder({.path = path, .sink = std::make_shared<SmallDisk>(raw_path_of(path))},
                      recording_plan());
    while (recorder.healthy()) {
      ASSERT_LT(row, 100'000);
      push_both(recorder, row++);
      std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
    EXPECT_EQ(recorder.dropped(), 0u);
    EXPECT_NE(recorder.trouble().find("No space left"), std::string::npos) << recorder.trouble();
    EXPECT_THROW(recorder.finish(), InputError);
  }
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"run.h5.raw"}));
  const Recovery recovery = recover_run(raw_path_of(path));
  EXPECT_FALSE(recovery.complete);
  EXPECT_GT(recovery.torn_bytes, 0u);
  EXPECT_EQ(recovery.missing_rows, 0u);
  expect_rows(recovery.run, 1, static_cast<std::int64_t>(recovery.run.tables[1].rows()));
  EXPECT_GT(recovery.run.tables[1].rows(), 0u);
}

TEST(RecorderThread, LosesNothingIfTheDiskHasRoomAgain) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.h5";
  auto disk = std::make_shared<SmallDisk>(raw_path_of(path));
  Recorder recorder({.path = path, .sink = disk}, recording_plan());
  std::int64_t row = 0;
  for (; recorder.healthy(); ++row) {
    push_both(recorder, row);
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  for (int i = 0; i < 100; ++i) push_both(recorder, row++);
  disk->room = 1'000'000;
  recorder.finish();
  EXPECT_FALSE(recorder.healthy()) << "it stays tripped";
  const gusset::Run run = read_run(path);
  expect_rows(run, 1, row);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"run.h5"}));
}

TEST(Recorder, FileSizeLimitIsAFullDisk) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.h5";
  const pid_t child = ::fork();
  if (child == 0) {
    // Without ignoring SIGXFSZ: the recorder's thread has to hold it off itself.
    const rlimit files{30000, 30000};
    ::setrlimit(RLIMIT_FSIZE, &files);
    int status = 1;
    try {
      Recorder recorder({.path = path}, recording_plan());
      for (std::int64_t row = 0; recorder.healthy() && row < 100'000; ++row) {
        push_both(recorder, row);
        ::usleep(200);
      }
      status = recorder.healthy() ? 2 : 0;
    } catch (const std::exception&) {
      status = 3;
    }
    ::_exit(status);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  ASSERT_EQ(WEXITSTATUS(status), 0);
  const Recovery recovery = recover_run(raw_path_of(path));
  EXPECT_GT(recovery.run.tables[1].rows(), 50u);
  expect_rows(recovery.run, 1, static_cast<std::int64_t>(recovery.run.tables[1].rows()));
}

/// Records at 1 kHz until it is killed; tells in `last` which row it has pushed.
[[noreturn]] void record_for_ever(const std::string& path, bool durable, std::atomic<std::int64_t>* last) {
  Recorder recorder({.path = path, .durable = durable}, recording_plan());
  const Beat beat(now_ns(), 1e-3);
  for (std::int64_t row = 0;; ++row) {
    push_both(recorder, row);
    last->store(row);
    sleep_until(beat.deadline(row + 1));
  }
}

TEST(Recorder, KilledAtAnyMomentLeavesAllButTheLast200ms) {
  const char* wanted = std::getenv("GUSSET_LONG");
  const int kills = wanted != nullptr && *wanted != '\0' ? 50 : 4;
  auto* last = static_cast<std::atomic<std::int64_t>*>(
      ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::mt19937 random(static_cast<unsigned>(::getpid()));
  for (int i = 0; i < kills; ++i) {
    const TemporaryFolder folder;
    const std::string path = folder / "run.h5";
    last->store(-1);
    const pid_t child = ::fork();
    if (child == 0) record_for_ever(path, i % 2 == 1, last);
    while (last->load() < 0) ::usleep(1000);
    ::usleep(std::uniform_int_distribution<unsigned>(0, 600'000)(random));
    const std::int64_t pushed = last->load();
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    const Recovery recovery = recover_run(raw_path_of(path));
    EXPECT_FALSE(recovery.complete);
    EXPECT_EQ(recovery.missing_rows, 0u);
    EXPECT_EQ(recovery.damaged_bytes, 0u);
    EXPECT_EQ(recovery.lost_records, 0u);
    const auto rows = static_cast<std::int64_t>(recovery.run.tables[1].rows());
    EXPECT_GE(rows, pushed - 200) << "of the last 0.2 s at 1 kHz";
    expect_rows(recovery.run, 1, rows);
    ASSERT_FALSE(recovery.run.events.empty());
    EXPECT_NE(recovery.run.events.back().text.find("the recording ends here"), std::string::npos);
  }
  ::munmap(last, 4096);
}

}  // namespace
}  // namespace gusset

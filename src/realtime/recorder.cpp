#include "realtime/recorder.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <filesystem>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "link/crypto.hpp"
#include "realtime/pace.hpp"
#include "realtime/spsc_queue.hpp"
#include "runs/atomic_file.hpp"
#include "runs/recover.hpp"
#include "runs/run_file.hpp"
#include "runs/segment.hpp"

namespace gusset {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto look = 10ms;                                  // how often the thread empties the queue
constexpr std::size_t segment_words = std::size_t{1} << 17;  // 1 MB: written before its time is over
constexpr std::size_t most_waiting = std::size_t{1} << 23;   // words kept while the disk refuses
constexpr std::size_t reserve_words = 3 * 64;                // for 64 events

std::int64_t wall_clock() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::size_t widest(const RecordingPlan& plan) {
  std::size_t width = 1;
  for (const StreamPlan& stream : plan.streams) width = std::max(width, stream.signals.size());
  return width;
}

/// Of the raw recording: the rows of the test, 30 s of the ways there and back, whose length nobody knows
/// beforehand, and room for events, headers of segments and the closing.
double room_for(const RecordingPlan& plan) {
  constexpr double ways = 30, rest = 4e6;
  double bytes = rest;
  for (const StreamPlan& stream : plan.streams) {
    const double rows =
        stream.expected_rows > 0 ? static_cast<double>(stream.expected_rows) : ways / stream.step;
    bytes += 8 * rows * (2 + static_cast<double>(stream.signals.size()));
  }
  return bytes;
}

/// The raw recording and the run file are there together for a moment.
void require_space(const RecorderOptions& options, const RecordingPlan& plan) {
  const double bytes = 2 * room_for(plan);
  const double free = free_space_for(options.path);
  if (free < 0 || bytes <= free) return;
  throw InputError({options.path, 0, 0},
                   "the recording needs about " + std::to_string(std::llround(bytes / 1e6)) + " MB, and " +
                       std::to_string(std::llround(free / 1e6)) + " MB are free",
                   "free some space or name a file on another disk");
}

/// A device or a pipe keeps nothing that could be looked at afterwards.
void require_file(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return;
  throw InputError({path, 0, 0}, "it is no file: nothing of the test would be kept",
                   "name a file, e.g. run.h5");
}

void require_sensible(const RecorderOptions& options, const RecordingPlan& plan) {
  if (plan.streams.size() > 255) throw std::logic_error("more than 255 streams in a recording");
  const std::size_t width = widest(plan);
  if (width > std::numeric_limits<std::uint16_t>::max() ||
      options.queue_words < 2 * (width + 2) + reserve_words) {
    throw InputError({options.path, 0, 0},
                     "a row of " + std::to_string(width) + " signals is too wide to be recorded",
                     "record fewer signals");
  }
}

}  // namespace

class Recorder::Worker {
 public:
  Worker(const RecorderOptions& options, const RecordingPlan& plan)
      : options_(options),
        sink_(options.sink ? options.sink : std::make_shared<RawFile>(raw_path_of(options.path))),
        queue_(options.queue_words, reserve_words),
        scratch_(widest(plan) + 2),
        recording_(random_number()) {
    for (const StreamPlan& stream : plan.streams) widths_.push_back(stream.signals.size());
    plan_ = to_json(plan);
    // Taken now, so that a disk which others fill meanwhile does not end the test.
    int error = sink_->reserve(static_cast<std::uint64_t>(std::min(room_for(plan), 1e15)));
    if (error == 0) error = write(SegmentKind::plan, plan_);
    if (error != 0) {
      if (!options.sink) ::unlink(raw_path_of(options.path).c_str());
      throw InputError({raw_path_of(options.path), 0, 0},
                       "cannot write to it: " + std::generic_category().message(error),
                       "check the free space (df -h)");
    }
    thread_ = std::thread([this] { work(); });
  }

  ~Worker() { stop(); }

  void discard() {
    stop();
    if (!options_.sink) ::unlink(raw_path_of(options_.path).c_str());
  }

  // ---- the loop's thread ----

  bool push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept {
    if (stream >= widths_.size() || widths_[stream] != count) return drop();
    scratch_[0] = pack({RecordKind::sample, static_cast<std::uint8_t>(stream),
                        static_cast<std::uint16_t>(count), lost_before_});
    scratch_[1] = std::bit_cast<std::uint64_t>(row);
    std::memcpy(scratch_.data() + 2, values, count * sizeof(double));
    if (!queue_.push(scratch_.data(), count + 2)) return drop();
    lost_before_ = 0;
    return true;
  }

  bool event(double time, Severity severity, std::uint16_t code, double value) noexcept {
    const std::uint64_t record[3] = {
        pack({RecordKind::event, static_cast<std::uint8_t>(severity), code, lost_before_}),
        std::bit_cast<std::uint64_t>(time), std::bit_cast<std::uint64_t>(value)};
    if (!queue_.push_urgent(record, 3)) return drop();
    lost_before_ = 0;
    return true;
  }

  // ---- anybody ----

  // Relaxed: flags and counts on their own, which order nothing else.
  bool healthy() const noexcept { return error_.load(std::memory_order_relaxed) == 0 && dropped() == 0; }
  std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

  std::string trouble() const {
    const int error = error_.load(std::memory_order_relaxed);
    std::string text;
    if (error != 0) {
      text = "the disk does not take the recording: " + std::generic_category().message(error);
    }
    if (dropped() > 0) {
      text += (text.empty() ? "" : "; ") + std::to_string(dropped()) +
              " records were lost because the queue was full";
    }
    return text;
  }

  // ---- whoever made the recorder ----

  void stop() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  void finish(const Closing& closing, const std::function<void(Run&)>& complete) {
    stop();
    const std::string last = to_json(closing);
    int error = write_end(last);
    // Somebody may be deleting files already.
    for (int tries = 0; error != 0 && tries < 30; ++tries) {
      std::this_thread::sleep_for(100ms);
      error = write_end(last);
    }
    if (error == 0) error = sink_->sync();
    const std::string raw = raw_path_of(options_.path);
    if (error != 0) {
      const std::string rest = options_.path.empty() ? "" : write_rest(last);
      throw InputError(
          {raw, 0, 0},
          "the end of the recording could not be written: " + std::generic_category().message(error) +
              (rest.empty() ? "" : "; the end is in " + rest),
          "free some space (df -h), then restore what is there: gusset recover " + raw +
              (rest.empty() ? "" : " and gusset recover " + rest));
    }
    if (options_.path.empty()) return;
    try {
      Recovery recovery = recover_run(raw);
      if (complete) complete(recovery.run);
      write_run(options_.path, recovery.run, options_.force);
    } catch (const InputError& cause) {
      throw InputError({options_.path, 0, 0}, "the run file could not be made: " + cause.cause(),
                       cause.fix() + "; the recording is whole in " + raw + " (gusset recover)");
    }
    ::unlink(raw.c_str());
  }

 private:
  /// What waits and the closing, where they belong.
  int write_end(const std::string& closing) {
    const int error = write_samples();
    return error != 0 ? error : write(SegmentKind::closing, closing);
  }

  /// The same as a recording of its own in the folder for temporary files. Its name, or nothing.
  std::string write_rest(const std::string& closing) {
    try {
      std::error_code ignored;
      const std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
      const std::string path = (folder / (std::filesystem::path(options_.path).filename().string() + "-end-" +
                                          std::to_string(::getpid()) + ".h5.raw"))
                                   .string();
      sink_ = std::make_shared<RawFile>(path);
      offset_ = sequence_ = 0;
      if (write(SegmentKind::plan, plan_) == 0 && write_end(closing) == 0) return path;
      ::unlink(path.c_str());
    } catch (const std::exception&) {
      // There is no room there either.
    }
    return {};
  }

  bool drop() noexcept {
    if (lost_before_ < std::numeric_limits<std::uint32_t>::max()) ++lost_before_;
    dropped_.store(dropped() + 1, std::memory_order_relaxed);  // this thread alone writes it
    return false;
  }

  // ---- the recorder's thread ----

  void work() {
    make_ordinary("recorder");
    Clock::time_point written = Clock::now();
    for (bool last = false; !last;) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait_for(lock, look, [this] { return stopping_; });
        last = stopping_;
      }
      drain();
      const Clock::time_point now = Clock::now();
      if (last || now - written >= options_.segment || waiting_.size() >= segment_words) {
        // A refused write is tried again with what has come meanwhile, at the same place.
        write_samples();
        written = now;
      }
    }
  }

  /// Ends at the end of a record: records are published whole, and the last pop emptied the queue.
  void drain() {
    constexpr std::size_t piece = 4096;
    if (waiting_.size() >= most_waiting) return;
    for (;;) {
      const std::size_t before = waiting_.size();
      waiting_.resize(before + piece);
      const std::size_t got = queue_.pop(waiting_.data() + before, piece);
      waiting_.resize(before + got);
      if (got < piece) return;
    }
  }

  int write_samples() {
    if (waiting_.empty()) return 0;
    const int error = write(SegmentKind::samples, {reinterpret_cast<const char*>(waiting_.data()),
                                                   waiting_.size() * sizeof(std::uint64_t)});
    if (error == 0) waiting_.clear();
    return error;
  }

  int write(SegmentKind kind, std::string_view payload) {
    const std::string bytes =
        make_segment({kind, recording_, sequence_, dropped(), wall_clock(), 0, 0}, payload);
    int error = sink_->write(offset_, bytes.data(), bytes.size());
    if (error == 0 && options_.durable) error = sink_->sync();
    if (error != 0) {
      error_.store(error, std::memory_order_relaxed);
      return error;
    }
    offset_ += bytes.size();
    ++sequence_;
    return 0;
  }

  const RecorderOptions options_;
  std::shared_ptr<RawSink> sink_;
  std::vector<std::size_t> widths_;
  std::string plan_;  ///< as JSON
  RecordQueue queue_;

  // The loop's thread alone.
  std::vector<std::uint64_t> scratch_;
  std::uint32_t lost_before_ = 0;
  std::atomic<std::uint64_t> dropped_{0};

  // The recorder's thread alone, and before and after it its maker.
  std::vector<std::uint64_t> waiting_;
  std::uint64_t offset_ = 0;
  std::uint64_t sequence_ = 0;
  const std::uint64_t recording_;
  std::atomic<int> error_{0};

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

Recorder::Recorder(const RecorderOptions& options, const RecordingPlan& plan) {
  require_sensible(options, plan);
  if (!options.path.empty()) {
    require_writable(options.path, options.force);
    require_file(options.path);
    require_space(options, plan);
  }
  worker_ = std::make_unique<Worker>(options, plan);
}

Recorder::~Recorder() = default;

bool Recorder::push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept {
  return worker_->push(stream, row, values, count);
}
bool Recorder::event(double time, Severity severity, std::uint16_t code, double value) noexcept {
  return worker_->event(time, severity, code, value);
}
bool Recorder::healthy() const noexcept { return worker_->healthy(); }
std::uint64_t Recorder::dropped() const noexcept { return worker_->dropped(); }
std::string Recorder::trouble() const { return worker_->trouble(); }
void Recorder::finish(const Closing& closing, const std::function<void(Run&)>& complete) {
  worker_->finish(closing, complete);
}

void Recorder::discard() { worker_->discard(); }

}  // namespace gusset

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "runs/raw_sink.hpp"
#include "runs/recording_plan.hpp"
#include "runs/severity.hpp"

namespace gusset {

struct RecorderOptions {
  std::string path;      ///< the run file to come; the raw recording is PATH.raw
  bool force = false;    ///< overwrite an existing run file (never a raw recording)
  bool durable = false;  ///< fdatasync after each segment: what was written survives a power cut
  std::chrono::milliseconds segment{50};           ///< of recording in one segment
  std::size_t queue_words = std::size_t{1} << 20;  ///< of 8 bytes: what may wait for a slow disk
  std::shared_ptr<RawSink> sink{};                 ///< instead of the file PATH.raw, for tests
};

/// Takes samples and events from the loop and keeps them, whatever happens to the process.
///
///   loop ── queue ──► recorder thread ── segments of 50 ms ──► PATH.raw ── finish() ──► PATH
///
/// Nothing is lost silently: where the queue is full the newest record is dropped, counted, and
/// marked in the next one; rows carry their number, so that a gap shows. After kill -9 the whole
/// segments are there, and recover_run (record/recover.hpp) makes the run file of them: finish()
/// does nothing else.
///
/// push() and event() belong to one thread, the loop's. The others may be called from anywhere but
/// finish(), which belongs to whoever made the recorder, after the loop has ended.
class Recorder {
 public:
  /// Creates the raw recording, writes the plan to it and starts the thread. Throws InputError if
  /// anything is in the way: a run file (without `force`), the raw recording of an earlier run, too
  /// little free space for the rows the plan expects.
  Recorder(const RecorderOptions& options, const RecordingPlan& plan);
  /// Without finish(): what is recorded stays in PATH.raw.
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Row `row` of the stream with that index in the plan, values in the order of its signals. Rows
  /// of a stream go upwards; left-out ones become NaN. False if it was dropped: the queue was full,
  /// or stream or count are not the plan's. @rt-safe
  bool push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept;

  /// Codes are explained by the plan's event_texts. A part of the queue is kept for events, so that
  /// they come through when samples do not. @rt-safe
  bool event(double time, Severity severity, std::uint16_t code, double value) noexcept;

  /// False once anything was dropped or a write has failed; it stays false. @rt-safe
  bool healthy() const noexcept;
  std::uint64_t dropped() const noexcept;  ///< records, so far. @rt-safe
  /// Why it is not healthy, in words; empty if it is. Not for the loop.
  std::string trouble() const;

  /// Ends the recording: drains the queue, adds the closing, makes the run file (synced and renamed
  /// into place), and removes the raw recording after that. `complete` may add to the run before it
  /// is written: tables and summaries that follow from what was recorded. Throws InputError if the
  /// disk does not take it all; the raw recording then stays, with everything that could be
  /// written.
  void finish(const Closing& closing = {}, const std::function<void(Run&)>& complete = {});
  /// There was no test: the raw recording goes, and a run file that is there stays what it is.
  void discard();

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace gusset

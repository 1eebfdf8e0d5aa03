#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/row.hpp"
#include "link/seqlock.hpp"
#include "realtime/run_loop.hpp"

namespace gusset {

/// The signals that a running test shows, in their order: those of the structure, then those of the rig.
std::vector<Signal> live_signals(const RunStreams& streams);

/// A running test in shared memory, without a name: who attaches gets its file over the socket, for reading
/// only. 64-bit words, little-endian; offsets in words:
///
///    0  "GUSSETLV"
///    1  version of the map, 1
///    2  size of the block [bytes]
///    3  n, signals; 4  k, frames in the ring; 5  rows a frame
///    6  offset of the status   a seqlock block: lock, then state, first cause, tightest limit, missed deadlines,
///                              worst wake-up [ns], time [s], tracking delay [s], margin (the last three f64)
///    7  offset of the row      a seqlock block: lock, then number (−1: before the test), time [s], n values
///    8  offset of the ring     k seqlock blocks: lock, then number of the frame, first row, rows, time of the first
///                              [s], n minima, n maxima
///    9  words of a frame, lock included
///   10  frames written so far; frame i stands at place i mod k until frame i + k takes it
///
/// The loop writes rows and frames, the socket's thread the status, every 20 ms while somebody is connected.
/// Nobody waits for anybody.
class LiveBlock final : public RowSink {
 public:
  static constexpr std::size_t header_words = 16;
  static constexpr std::size_t status_words = 8;

  explicit LiveBlock(const RunStreams& streams);
  ~LiveBlock() override;
  LiveBlock(const LiveBlock&) = delete;
  LiveBlock& operator=(const LiveBlock&) = delete;

  // Of the loop's thread. @rt-safe
  bool push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept override;
  bool event(double, Severity, std::uint16_t, double) noexcept override { return true; }
  bool healthy() const noexcept override { return true; }

  /// Of one other thread.
  void show(const LoopStatus& status) noexcept;

  int file() const { return file_; }
  const std::uint64_t* memory() const { return memory_; }

 private:
  void take_path(std::size_t stream, const double* values, std::size_t count) noexcept;
  void publish(std::int64_t row, double time) noexcept;
  void decimate(std::int64_t row, double time) noexcept;

  std::size_t signals_, frames_, rows_a_frame_;
  std::size_t structure_, rig_, approach_, retreat_;  ///< streams
  std::size_t own_;                                   ///< numbers of the structure's stream
  double step_;                                       ///< between rows [s]
  std::vector<std::vector<int>> path_places_;         ///< of the approach's and the retreat's numbers

  int file_ = -1;
  std::size_t bytes_ = 0;
  std::uint64_t* memory_ = nullptr;
  SeqlockBlock status_, row_;
  std::vector<SeqlockBlock> ring_;
  std::vector<double> now_;              ///< the row as it stands
  std::vector<std::uint64_t> outgoing_;  ///< of a row or a frame
  std::vector<double> least_, most_;
  std::int64_t first_row_ = 0, in_frame_ = 0;
  double first_time_ = 0;
};

/// Reads a block, its own or that of another process.
class LiveView {
 public:
  /// Of this process; the block outlives the view.
  explicit LiveView(const std::uint64_t* memory) { look(memory); }
  /// Maps the file and closes it. Throws InputError if it is no block.
  static LiveView map(int file);
  LiveView(LiveView&& other) noexcept;
  LiveView& operator=(LiveView&&) = delete;
  ~LiveView();

  struct Status {
    RunState state = RunState::faulted;
    Cause first_out = Cause::none, tightest = Cause::none;
    std::int64_t missed = 0, worst = 0;
    double time = 0, delay = 0, margin = 0;
  };
  struct Row {
    std::int64_t number = -1;
    double time = 0;
    std::vector<double> values;
  };
  struct Frame {
    std::uint64_t number = 0;
    std::int64_t first_row = 0, rows = 0;
    double time = 0;
    std::vector<double> least, most;
  };
  /// False: nothing was written yet, or the writer is in the middle of it for good.
  bool status(Status& status) const;
  bool row(Row& row) const;
  /// Frames from number `since` on, at most `most`; what was overwritten meanwhile is left out.
  std::vector<Frame> frames(std::uint64_t since, std::size_t most) const;
  std::uint64_t frames_written() const noexcept;
  std::size_t signals() const { return signals_; }
  std::size_t rows_a_frame() const { return rows_a_frame_; }

 private:
  LiveView() = default;
  void look(const std::uint64_t* memory);

  std::uint64_t* memory_ = nullptr;
  std::size_t mapped_ = 0;  ///< bytes to be unmapped
  std::size_t signals_ = 0, frames_ = 0, rows_a_frame_ = 0;
  SeqlockBlock status_, row_;
  std::vector<SeqlockBlock> ring_;
};

}  // namespace gusset

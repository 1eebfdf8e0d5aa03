#include <algorithm>

#include "realtime/run_loop.hpp"

// What the loop keeps of each beat: its timing, and rows for the recorder.

namespace gusset {

/// Who asked for what over the socket.
void RunLoop::note_requests(Operator& operators) noexcept {
  for (Request request; operators.requests.pop(request);) {
    sink_.event(test_time(), Severity::information, request.code, request.sender);
  }
}

void RunLoop::note_timing(std::int64_t deadline) noexcept {
  const std::int64_t late = clock_.now() - deadline;
  missed_ = 0;
  const RunState state = supervisor_.state;
  const bool moving = state == RunState::ramp || state == RunState::running || state == RunState::ramp_down ||
                      state == RunState::hold;
  std::int64_t lost = late >= period_ ? std::min<std::int64_t>(late / period_, 1'000'000) : 0;
  const std::int64_t whole = lost;
  // The next deadline is close: a real rig gets its next command one later, or it would have to jump.
  if (options_.hardware && !options_.lockstep && late > 0 && late % period_ > period_ / 2) ++lost;
  // What is lost is lost, unless the test may be hurried.
  if (options_.on_miss != OnMiss::catch_up) beat_number_ += lost;
  if (!moving) return;
  if (state == RunState::running) {
    result_.compute.add(compute_);
    if (port_.round_trip() > 0) result_.round_trip.add(port_.round_trip());
  }
  // Those that are made up for are late one by one.
  if (lost > 0) {
    result_.missed += options_.on_miss == OnMiss::catch_up ? 1 : lost;
    status_.missed.store(result_.missed, std::memory_order_relaxed);
  }
  if (whole == 0) {
    missed_in_a_row_ = 0;
    return;
  }
  missed_ = static_cast<int>(whole);
  missed_in_a_row_ = std::min(missed_in_a_row_ + missed_, 1'000'000);
  sink_.event(test_time(), Severity::indicate, deadline_missed, 1e-9 * static_cast<double>(late));
}

void RunLoop::record_test_row() noexcept {
  const std::int64_t row = cursor_.row();
  const auto width = experiment_.row().size();
  const std::size_t own = cursor_.structure_width();
  if (streams_.rig == streams_.structure) {
    cursor_.structure_row(scratch_.data());
    std::copy_n(cursor_.rig_row(), width, scratch_.data() + own);
    sink_.push(streams_.structure, row, scratch_.data(), own + width);
  } else {
    if (cursor_.at_step()) {
      cursor_.structure_row(scratch_.data());
      sink_.push(streams_.structure, cursor_.step(), scratch_.data(), own);
    }
    sink_.push(streams_.rig, row, cursor_.rig_row(), width);
  }
  const double timing[RunStreams::realtime_signals] = {1e-9 * static_cast<double>(wake_up_),
                                                       1e-9 * static_cast<double>(compute_),
                                                       1e-9 * static_cast<double>(port_.round_trip()),
                                                       static_cast<double>(missed_),
                                                       static_cast<double>(stale_),
                                                       tracking_.delay(),
                                                       status_.margin.load(std::memory_order_relaxed),
                                                       time_.scale()};
  sink_.push(streams_.realtime, row, timing, RunStreams::realtime_signals);
}

void RunLoop::record_path_row() noexcept {
  double* value = scratch_.data();
  for (const Command& command : commands_) *value++ = command.value;
  value = std::copy_n(port_.feedback(), port_.measured_count(), value);
  const std::size_t stream = supervisor_.state == RunState::ramp ? streams_.approach : streams_.retreat;
  sink_.push(stream, path_row_++, scratch_.data(), static_cast<std::size_t>(value - scratch_.data()));
}

}  // namespace gusset

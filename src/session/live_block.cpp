#include "session/live_block.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <system_error>

namespace gusset {
namespace {

constexpr double frame_time = 0.02;           // [s]: what an eye can follow
constexpr std::size_t most_frames = 1024;     // 20 s of them
constexpr std::size_t most_ring = 4UL << 20;  // [bytes]

std::size_t in_row(std::size_t signals) { return 2 + signals; }
std::size_t in_frame(std::size_t signals) { return 4 + 2 * signals; }

std::uint64_t word(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t word(std::int64_t value) { return std::bit_cast<std::uint64_t>(value); }

/// Where the signals of the way to the start, or back, stand among those of the test.
std::vector<int> places_of(const StreamPlan& path, const std::vector<Signal>& signals) {
  std::vector<int> places;
  for (const StreamPlan::Signal& signal : path.signals) {
    const std::string name = signal.name.substr(path.name.size() + 1);
    const auto found =
        std::find_if(signals.begin(), signals.end(), [&](const Signal& own) { return own.name == name; });
    places.push_back(found == signals.end() ? -1 : static_cast<int>(found - signals.begin()));
  }
  return places;
}

}  // namespace

std::vector<Signal> live_signals(const RunStreams& streams) {
  std::vector<Signal> signals;
  const auto add = [&](std::size_t stream) {
    for (const StreamPlan::Signal& signal : streams.plans[stream].signals) {
      signals.push_back({signal.name, signal.unit});
    }
  };
  add(streams.structure);
  if (streams.rig != streams.structure) add(streams.rig);
  return signals;
}

LiveBlock::LiveBlock(const RunStreams& streams)
    : structure_(streams.structure),
      rig_(streams.rig),
      approach_(streams.approach),
      retreat_(streams.retreat),
      own_(streams.plans[streams.structure].signals.size()),
      step_(streams.plans[streams.rig].step) {
  const std::vector<Signal> signals = live_signals(streams);
  signals_ = signals.size();
  for (const std::size_t path : {approach_, retreat_}) {
    path_places_.push_back(places_of(streams.plans[path], signals));
  }
  rows_a_frame_ = static_cast<std::size_t>(std::max(1.0, std::round(frame_time / step_)));
  const std::size_t frame_words = 1 + in_frame(signals_);
  frames_ = std::clamp<std::size_t>(most_ring / (8 * frame_words), 2, most_frames);
  const std::size_t status_at = header_words, row_at = status_at + 1 + status_words,
                    ring_at = row_at + 1 + in_row(signals_);
  bytes_ = 8 * (ring_at + frames_ * frame_words);

  file_ = ::memfd_create("gusset-live", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(bytes_)) != 0) {
    if (file_ >= 0) ::close(file_);
    throw std::system_error(errno, std::generic_category(), "shared memory");
  }
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) {
    ::close(file_);
    throw std::system_error(errno, std::generic_category(), "shared memory");
  }
  memory_ = static_cast<std::uint64_t*>(memory);
  std::memset(memory_, 0, bytes_);  // touched: the loop meets no page for the first time
  // Who gets the file can neither write to it nor shorten it under the loop's feet.
#ifdef F_SEAL_FUTURE_WRITE
  ::fcntl(file_, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
#endif
  std::memcpy(memory_, "GUSSETLV", 8);
  const std::uint64_t header[] = {1,         bytes_, signals_, frames_,     rows_a_frame_,
                                  status_at, row_at, ring_at,  frame_words, 0};
  std::copy(std::begin(header), std::end(header), memory_ + 1);
  status_ = SeqlockBlock(memory_ + status_at, status_words);
  row_ = SeqlockBlock(memory_ + row_at, in_row(signals_));
  for (std::size_t i = 0; i < frames_; ++i) {
    ring_.emplace_back(memory_ + ring_at + i * frame_words, in_frame(signals_));
  }
  now_.resize(signals_);
  least_.resize(signals_);
  most_.resize(signals_);
  outgoing_.resize(in_frame(signals_));
}

LiveBlock::~LiveBlock() {
  ::munmap(memory_, bytes_);
  ::close(file_);
}

bool LiveBlock::push(std::size_t stream, std::int64_t row, const double* values, std::size_t count) noexcept {
  if (stream == structure_ && count == own_) {
    std::copy_n(values, count, now_.begin());
  } else if (stream == rig_ && count == signals_ - own_) {
    std::copy_n(values, count, now_.begin() + static_cast<std::ptrdiff_t>(own_));
  } else if (stream == approach_ || stream == retreat_) {
    take_path(stream, values, count);
    return true;
  }
  // A row is whole with the rig's part.
  if (stream != rig_) return true;
  const double time = step_ * static_cast<double>(row);
  publish(row, time);
  decimate(row, time);
  return true;
}

void LiveBlock::take_path(std::size_t stream, const double* values, std::size_t count) noexcept {
  const std::vector<int>& places = path_places_[stream == approach_ ? 0 : 1];
  for (std::size_t i = 0; i < std::min(count, places.size()); ++i) {
    if (places[i] >= 0) now_[static_cast<std::size_t>(places[i])] = values[i];
  }
  publish(-1, 0);
}

void LiveBlock::publish(std::int64_t row, double time) noexcept {
  outgoing_[0] = word(row);
  outgoing_[1] = word(time);
  std::memcpy(outgoing_.data() + 2, now_.data(), 8 * signals_);
  row_.write(outgoing_.data());
}

void LiveBlock::decimate(std::int64_t row, double time) noexcept {
  if (in_frame_ == 0) {
    first_row_ = row;
    first_time_ = time;
    least_ = now_;  // same sizes: nothing is allocated
    most_ = now_;
  }
  const double* const now = now_.data();
  double* const least = least_.data();
  double* const most = most_.data();
  for (std::size_t i = 0; i < signals_; ++i) {
    least[i] = now[i] < least[i] ? now[i] : least[i];
    most[i] = now[i] > most[i] ? now[i] : most[i];
  }
  if (static_cast<std::size_t>(++in_frame_) < rows_a_frame_) return;
  std::atomic_ref written(memory_[10]);
  const std::uint64_t number = written.load(std::memory_order_relaxed);  // this thread alone writes it
  outgoing_[0] = number;
  outgoing_[1] = word(first_row_);
  outgoing_[2] = word(in_frame_);
  outgoing_[3] = word(first_time_);
  std::memcpy(outgoing_.data() + 4, least_.data(), 8 * signals_);
  std::memcpy(outgoing_.data() + 4 + signals_, most_.data(), 8 * signals_);
  ring_[number % frames_].write(outgoing_.data());
  written.store(number + 1, std::memory_order_release);  // with the acquire in LiveView::frames_written
  in_frame_ = 0;
}

void LiveBlock::show(const LoopStatus& status) noexcept {
  const auto relaxed = std::memory_order_relaxed;
  const std::uint64_t words[status_words] = {static_cast<std::uint64_t>(status.state.load(relaxed)),
                                             static_cast<std::uint64_t>(status.first_out.load(relaxed)),
                                             static_cast<std::uint64_t>(status.tightest.load(relaxed)),
                                             word(status.missed.load(relaxed)),
                                             word(status.worst.load(relaxed)),
                                             word(status.time.load(relaxed)),
                                             word(status.delay.load(relaxed)),
                                             word(status.margin.load(relaxed))};
  status_.write(words);
}

}  // namespace gusset

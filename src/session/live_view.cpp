#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "session/live_block.hpp"

// The reading side of a running test's shared memory.

namespace gusset {
namespace {

double number(std::uint64_t word) { return std::bit_cast<double>(word); }
std::int64_t whole(std::uint64_t word) { return std::bit_cast<std::int64_t>(word); }

[[noreturn]] void refuse() {
  throw InputError({"shared memory", 0, 0}, "it is not that of a running test of this version",
                   "attach with the same version of Gusset as the run");
}

}  // namespace

LiveView LiveView::map(int file) {
  struct stat facts {};
  void* memory = MAP_FAILED;
  if (::fstat(file, &facts) == 0 && facts.st_size >= static_cast<off_t>(8 * LiveBlock::header_words)) {
    memory = ::mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_SHARED, file, 0);
  }
  ::close(file);
  if (memory == MAP_FAILED) refuse();
  LiveView view;
  view.memory_ = static_cast<std::uint64_t*>(memory);
  view.mapped_ = static_cast<std::size_t>(facts.st_size);
  view.look(view.memory_);
  return view;
}

LiveView::LiveView(LiveView&& other) noexcept
    : memory_(other.memory_),
      mapped_(std::exchange(other.mapped_, 0)),
      signals_(other.signals_),
      frames_(other.frames_),
      rows_a_frame_(other.rows_a_frame_),
      status_(other.status_),
      row_(other.row_),
      ring_(std::move(other.ring_)) {}

LiveView::~LiveView() {
  if (mapped_ > 0) ::munmap(memory_, mapped_);
}

void LiveView::look(const std::uint64_t* memory) {
  // A seqlock's reader only loads; its block is made for either side.
  memory_ = const_cast<std::uint64_t*>(memory);
  if (std::memcmp(memory_, "GUSSETLV", 8) != 0 || memory_[1] != 1) refuse();
  if (mapped_ > 0 && memory_[2] > mapped_) refuse();
  signals_ = memory_[3];
  frames_ = memory_[4];
  rows_a_frame_ = memory_[5];
  status_ = SeqlockBlock(memory_ + memory_[6], LiveBlock::status_words);
  row_ = SeqlockBlock(memory_ + memory_[7], 2 + signals_);
  for (std::size_t i = 0; i < frames_; ++i) {
    ring_.emplace_back(memory_ + memory_[8] + i * memory_[9], 4 + 2 * signals_);
  }
}

bool LiveView::status(Status& status) const {
  std::uint64_t words[LiveBlock::status_words], version = 0;
  if (!status_.read(words, version) || version == 0) return false;
  status = {static_cast<RunState>(words[0]),
            static_cast<Cause>(words[1]),
            static_cast<Cause>(words[2]),
            whole(words[3]),
            whole(words[4]),
            number(words[5]),
            number(words[6]),
            number(words[7])};
  return true;
}

bool LiveView::row(Row& row) const {
  std::vector<std::uint64_t> words(2 + signals_);
  std::uint64_t version = 0;
  if (!row_.read(words.data(), version) || version == 0) return false;
  row.number = whole(words[0]);
  row.time = number(words[1]);
  row.values.resize(signals_);
  std::memcpy(row.values.data(), words.data() + 2, 8 * signals_);
  return true;
}

std::uint64_t LiveView::frames_written() const noexcept {
  // With the release in LiveBlock::decimate: the frames before this number are whole.
  return std::atomic_ref(memory_[10]).load(std::memory_order_acquire);
}

std::vector<LiveView::Frame> LiveView::frames(std::uint64_t since, std::size_t most) const {
  const std::uint64_t end = frames_written();
  const std::uint64_t oldest = end > frames_ ? end - frames_ : 0;
  std::vector<Frame> found;
  std::vector<std::uint64_t> words(4 + 2 * signals_);
  for (std::uint64_t i = std::max(since, oldest); i < end && found.size() < most; ++i) {
    std::uint64_t version = 0;
    if (!ring_[i % frames_].read(words.data(), version) || words[0] != i) continue;  // overtaken meanwhile
    Frame frame{i, whole(words[1]), whole(words[2]), number(words[3]), {}, {}};
    frame.least.resize(signals_);
    frame.most.resize(signals_);
    std::memcpy(frame.least.data(), words.data() + 4, 8 * signals_);
    std::memcpy(frame.most.data(), words.data() + 4 + signals_, 8 * signals_);
    found.push_back(std::move(frame));
  }
  return found;
}

}  // namespace gusset

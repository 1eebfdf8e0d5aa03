#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "link/futex.hpp"
#include "link/guarded_map.hpp"
#include "link/link.hpp"
#include "link/seqlock.hpp"

// The memory of shm: as both ends map it; the map itself is described in shm.hpp.

namespace gusset::shm {

static_assert(std::endian::native == std::endian::little, "the map is little-endian");

inline constexpr std::size_t message_words = 6;
inline constexpr std::uint32_t map_version = 1;
inline constexpr char magic[9] = "GUSSETSM";

enum Door : std::uint32_t { open_door, taken, greeted, answered, in_session, left };
enum Verdict : std::uint32_t { welcome = 1, refused_verdict = 2 };

struct Head {
  char magic[8];
  std::uint32_t version, size;
  std::uint32_t door, verdict, greeting_size, answer_size;
  std::uint32_t rig_bell, loop_bell;
  std::uint64_t session;
  std::uint32_t commands, answers;
};
static_assert(sizeof(Head) == 56);

constexpr std::size_t aligned(std::size_t offset) { return (offset + 63) / 64 * 64; }

struct Plan {
  std::size_t commands, answers, greeting, answer, size;
  Plan(std::size_t command_count, std::size_t answer_count) {
    commands = 64;
    answers = aligned(commands + SeqlockBlock::size_for(message_words + command_count));
    greeting = aligned(answers + SeqlockBlock::size_for(message_words + answer_count));
    answer = greeting + largest_hello;
    size = answer + largest_hello;
  }
};

inline void pack(const Message& message, const double* values, std::size_t count,
                 std::uint64_t* words) noexcept {
  words[0] = message.sequence;
  words[1] = static_cast<std::uint64_t>(message.time);
  words[2] = static_cast<std::uint64_t>(message.step);
  words[3] = static_cast<std::uint64_t>(message.substep);
  words[4] = static_cast<std::uint64_t>(message.phase);
  words[5] = message.cause;
  std::memcpy(words + message_words, values, 8 * count);
}

inline void unpack(const std::uint64_t* words, Message& message, double* values, std::size_t count) noexcept {
  message = {words[0],
             static_cast<std::int64_t>(words[1]),
             static_cast<std::int64_t>(words[2]),
             static_cast<std::int32_t>(words[3]),
             static_cast<LinkPhase>(words[4]),
             static_cast<std::uint32_t>(words[5])};
  std::memcpy(values, words + message_words, 8 * count);
}

/// The mapped block, whichever end made it.
class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block() {
    guard_.release();
    if (memory_ != nullptr) munmap(memory_, size_);
    if (file_ >= 0) close(file_);
  }
  void map(int file, std::size_t size) {
    file_ = file;
    size_ = size;
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (memory == MAP_FAILED) throw std::runtime_error(std::string("mmap: ") + std::strerror(errno));
    memory_ = static_cast<char*>(memory);
    guard_.guard(memory, size);
  }
  Head& head() const { return *reinterpret_cast<Head*>(memory_); }
  char* at(std::size_t offset) const { return memory_ + offset; }
  std::uint64_t* words(std::size_t offset) const {
    return reinterpret_cast<std::uint64_t*>(memory_ + offset);
  }
  std::uint32_t door() const { return std::atomic_ref(head().door).load(std::memory_order_acquire); }
  void set_door(Door door) const {
    // Release: whoever sees the door there sees what was written before.
    std::atomic_ref(head().door).store(door, std::memory_order_release);
    syscall(SYS_futex, &head().door, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
  bool take_door() const {
    std::uint32_t expected = open_door;
    return std::atomic_ref(head().door).compare_exchange_strong(expected, taken);
  }
  void wait_door(std::uint32_t seen, std::int64_t until) const { futex_wait(&head().door, seen, until); }

 private:
  int file_ = -1;
  std::size_t size_ = 0;
  char* memory_ = nullptr;
  GuardedMap guard_;
};

/// What both ends do alike once the block is there.
template <class Base>
class ShmEnd : public Base {
 public:
  ShmEnd(const Hello& mine, bool server)
      : mine_(mine),
        plan_(mine.commands.size(), mine.feedback.size()),
        out_count_(server ? mine.feedback.size() : mine.commands.size()),
        in_count_(server ? mine.commands.size() : mine.feedback.size()),
        server_(server),
        out_words_(message_words + out_count_),
        in_words_(message_words + in_count_) {}

  bool send(const Message& message, const double* values) noexcept override {
    if (lost()) return false;
    pack(message, values, out_count_, out_words_.data());
    out_.write(out_words_.data());
    futex_ring(server_ ? &block_.head().loop_bell : &block_.head().rig_bell);
    return true;
  }
  bool receive(Message& message, double* values) noexcept override {
    heard_bell_ = bell().load(std::memory_order_acquire);
    std::uint64_t version = in_.version();
    if (version == seen_) return false;
    if (!in_.read(in_words_.data(), version)) return false;
    seen_ = version;
    unpack(in_words_.data(), message, values, in_count_);
    return true;
  }
  void wait(std::int64_t until) noexcept override {
    if (in_.version() != seen_ || lost()) return;
    futex_wait(bell_word(), heard_bell_, until);
    heard_bell_ = bell().load(std::memory_order_acquire);
  }
  /// Another run's session is none of ours: one that was stopped and goes on must not move its rig.
  bool lost() const noexcept override {
    return block_.door() != in_session || std::atomic_ref(block_.head().session).load() != session_;
  }
  const Hello& peer() const override { return peer_; }

 protected:
  std::uint32_t* bell_word() const noexcept {
    return server_ ? &block_.head().rig_bell : &block_.head().loop_bell;
  }
  std::atomic_ref<std::uint32_t> bell() const noexcept { return std::atomic_ref(*bell_word()); }

  void begin() {
    SeqlockBlock commands(block_.words(plan_.commands), message_words + mine_.commands.size());
    SeqlockBlock answers(block_.words(plan_.answers), message_words + mine_.feedback.size());
    in_ = server_ ? commands : answers;
    out_ = server_ ? answers : commands;
    seen_ = in_.version();
    heard_bell_ = bell().load(std::memory_order_acquire);
  }

  Hello mine_, peer_;
  Plan plan_;
  std::size_t out_count_, in_count_;
  bool server_;
  Block block_;
  SeqlockBlock in_, out_;
  std::vector<std::uint64_t> out_words_, in_words_;
  std::uint64_t seen_ = 0;
  std::uint64_t session_ = 0;
  std::uint32_t heard_bell_ = 0;
};

inline std::string path_of(const Url& url) { return "/gusset-" + url.name; }

}  // namespace gusset::shm

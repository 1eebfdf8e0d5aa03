#include "link/shm.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "link/crypto.hpp"
#include "link/futex.hpp"
#include "link/seqlock.hpp"

namespace gusset {
namespace {

static_assert(std::endian::native == std::endian::little, "the map is little-endian");

constexpr std::size_t message_words = 6;
constexpr std::uint32_t map_version = 1;
constexpr char magic[9] = "GUSSETSM";

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

void pack(const Message& message, const double* values, std::size_t count, std::uint64_t* words) noexcept {
  words[0] = message.sequence;
  words[1] = static_cast<std::uint64_t>(message.time);
  words[2] = static_cast<std::uint64_t>(message.step);
  words[3] = static_cast<std::uint64_t>(message.substep);
  words[4] = static_cast<std::uint64_t>(message.phase);
  words[5] = message.cause;
  std::memcpy(words + message_words, values, 8 * count);
}

void unpack(const std::uint64_t* words, Message& message, double* values, std::size_t count) noexcept {
  message = {words[0],
             static_cast<std::int64_t>(words[1]),
             static_cast<std::int64_t>(words[2]),
             static_cast<std::int32_t>(words[3]),
             static_cast<Phase>(words[4]),
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
    if (memory_ != nullptr) munmap(memory_, size_);
    if (file_ >= 0) close(file_);
  }
  void map(int file, std::size_t size) {
    file_ = file;
    size_ = size;
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    if (memory == MAP_FAILED) throw std::runtime_error(std::string("mmap: ") + std::strerror(errno));
    memory_ = static_cast<char*>(memory);
  }
  Head& head() const { return *reinterpret_cast<Head*>(memory_); }
  char* at(std::size_t offset) const { return memory_ + offset; }
  std::uint64_t* words(std::size_t offset) const {
    return reinterpret_cast<std::uint64_t*>(memory_ + offset);
  }
  std::uint32_t door() const {
    return std::atomic_ref(head().door).load(std::memory_order_acquire);
  }
  void set_door(Door door) const {
    // Release: whoever sees the door there sees what was written before.
    std::atomic_ref(head().door).store(door, std::memory_order_release);
    syscall(SYS_futex, &head().door, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
  bool take_door() const {
    std::uint32_t expected = open_door;
    return std::atomic_ref(head().door).compare_exchange_strong(expected, taken);
  }
  void wait_door(std::uint32_t seen, std::int64_t until) const {
    futex_wait(&head().door, seen, until);
  }

 private:
  int file_ = -1;
  std::size_t size_ = 0;
  char* memory_ = nullptr;
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

std::string path_of(const Url& url) { return "/gusset-" + url.name; }

class ShmServer final : public ShmEnd<ServerLink> {
 public:
  ShmServer(const Url& url, const Hello& mine) : ShmEnd(mine, true), url_(url) {
    const std::string path = path_of(url);
    require_free(path);
    shm_unlink(path.c_str());
    const int file = shm_open(path.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0 || ftruncate(file, static_cast<off_t>(plan_.size)) != 0 ||
        flock(file, LOCK_EX | LOCK_NB) != 0) {
      const std::string reason = std::strerror(errno);
      if (file >= 0) ::close(file);
      throw InputError({"--listen", 0, 0}, "shared memory " + url.text + " cannot be made: " + reason,
                       "look at /dev/shm" + path + " and its rights, or choose another name");
    }
    block_.map(file, plan_.size);
    Head& head = block_.head();
    head.version = map_version;
    head.size = static_cast<std::uint32_t>(plan_.size);
    head.commands = static_cast<std::uint32_t>(mine.commands.size());
    head.answers = static_cast<std::uint32_t>(mine.feedback.size());
    begin();
    std::atomic_thread_fence(std::memory_order_release);
    std::memcpy(head.magic, magic, sizeof head.magic);  // last: now callers may come
  }
  ~ShmServer() override {
    block_.set_door(left);
    shm_unlink(path_of(url_).c_str());
  }

  bool accept(std::int64_t until, std::string& refusals) override {
    for (;;) {
      const std::uint32_t door = block_.door();
      if (door == greeted) {
        if (answer(refusals)) return true;
        continue;
      }
      if (door == left) {
        block_.set_door(open_door);
        continue;
      }
      const std::int64_t now = monotonic_now();
      if (now >= until) return false;
      if (door == taken) {
        // A caller that died between taking the door and greeting would block it for ever.
        block_.wait_door(taken, now + 1'000'000'000);
        if (block_.door() == taken) block_.set_door(open_door);
        continue;
      }
      block_.wait_door(door, until);
    }
  }

  void release() noexcept override {
    block_.set_door(open_door);
    peer_ = {};
  }
  void close() noexcept override { block_.set_door(left); }
  std::string address() const override { return url_.text; }
  std::size_t command_count() const override { return mine_.commands.size(); }
  std::size_t feedback_count() const override { return mine_.feedback.size(); }

 private:
  /// A block whose maker lives is somebody else's.
  void require_free(const std::string& path) const {
    const int file = shm_open(path.c_str(), O_RDWR, 0600);
    if (file < 0) return;
    const bool lives = flock(file, LOCK_EX | LOCK_NB) != 0;
    ::close(file);
    if (lives) {
      throw InputError({"--listen", 0, 0}, "another rig listens at " + url_.text,
                       "stop that one, or choose another name");
    }
  }

  bool answer(std::string& refusals) {
    Head& head = block_.head();
    std::string problem;
    try {
      const std::size_t size = std::atomic_ref(head.greeting_size).load();
      if (size > largest_hello) throw std::invalid_argument("its greeting is too long");
      // A copy first: the caller could change it while it is read.
      const std::string text(block_.at(plan_.greeting), size);
      peer_ = Hello::parse(text);
      problem = difference(mine_, peer_, "the rig", "the run");
    } catch (const std::invalid_argument& error) {
      problem = error.what();
    }
    const std::string text = problem.empty() ? mine_.text() : problem;
    std::memcpy(block_.at(plan_.answer), text.data(), text.size());
    head.answer_size = static_cast<std::uint32_t>(text.size());
    head.verdict = problem.empty() ? welcome : refused_verdict;
    session_ = random_number();
    std::atomic_ref(head.session).store(session_);
    if (problem.empty()) begin();
    block_.set_door(answered);
    if (!problem.empty()) refusals += "refused a run: " + problem + "\n";
    const std::int64_t patience = monotonic_now() + 2'000'000'000;
    while (block_.door() == answered && monotonic_now() < patience) {
      block_.wait_door(answered, patience);
    }
    if (problem.empty() && block_.door() == in_session) return true;
    if (block_.door() != taken) block_.set_door(open_door);
    return false;
  }

  Url url_;
};

class ShmClient final : public ShmEnd<Link> {
 public:
  ShmClient(const Url& url, const Hello& mine, const LinkOptions& options)
      : ShmEnd(mine, false), url_(url) {
    const std::int64_t until =
        monotonic_now() + static_cast<std::int64_t>(1e9 * options.patience);
    attach(until);
    greet(until);
  }
  ~ShmClient() override { close(); }
  void close() noexcept override {
    if (!lost()) block_.set_door(left);
  }

 private:
  [[noreturn]] void fail(const std::string& cause, const std::string& fix) const {
    throw InputError({"--rig", 0, 0}, url_.text + ": " + cause, fix);
  }

  void attach(std::int64_t until) {
    const std::string path = path_of(url_);
    for (;;) {
      const int file = shm_open(path.c_str(), O_RDWR, 0600);
      struct stat status {};
      if (file >= 0 && flock(file, LOCK_SH | LOCK_NB) != 0 && fstat(file, &status) == 0 &&
          status.st_size >= static_cast<off_t>(sizeof(Head))) {
        check_map(file, static_cast<std::size_t>(status.st_size));
        return;
      }
      if (file >= 0) ::close(file);
      if (monotonic_now() >= until) {
        fail("no rig listens there", "start one: gusset rig FILE --listen " + url_.text);
      }
      usleep(2000);
    }
  }

  void check_map(int file, std::size_t size) {
    block_.map(file, size);
    const Head& head = block_.head();
    for (int i = 0; i < 1000 && std::memcmp(head.magic, magic, sizeof head.magic) != 0; ++i) usleep(1000);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (std::memcmp(head.magic, magic, sizeof head.magic) != 0) {
      fail("that memory is not Gusset's", "choose another name");
    }
    if (head.version != map_version) {
      fail("its memory map is of version " + std::to_string(head.version) + ", this is version " +
               std::to_string(map_version),
           "use the same version of Gusset for run and rig");
    }
    if (head.commands != mine_.commands.size() || head.answers != mine_.feedback.size() ||
        size < plan_.size) {
      fail("the rig takes " + std::to_string(head.commands) + " numbers and answers " +
               std::to_string(head.answers) + "; this experiment has " +
               std::to_string(mine_.commands.size()) + " and " +
               std::to_string(mine_.feedback.size()),
           "start the rig with the same experiment file");
    }
  }

  void greet(std::int64_t until) {
    Head& head = block_.head();
    while (!block_.take_door()) {
      const std::uint32_t door = block_.door();
      if (door == in_session || monotonic_now() >= until) {
        fail("another run is connected", "wait until it ends, or stop it");
      }
      block_.wait_door(door, monotonic_now() + 50'000'000);
    }
    const std::string text = mine_.text();
    std::memcpy(block_.at(plan_.greeting), text.data(), text.size());
    std::atomic_ref(head.greeting_size).store(static_cast<std::uint32_t>(text.size()));
    begin();
    block_.set_door(greeted);
    while (block_.door() == greeted) {
      if (monotonic_now() >= until) {
        block_.set_door(open_door);
        fail("the rig does not answer", "is it stopped? Start it again");
      }
      block_.wait_door(greeted, until);
    }
    const std::string answer(block_.at(plan_.answer),
                             std::min<std::size_t>(head.answer_size, largest_hello));
    if (head.verdict != welcome) {
      block_.set_door(left);
      fail("the rig refuses: " + answer, "give both the same experiment file and options");
    }
    try {
      peer_ = Hello::parse(answer);
    } catch (const std::invalid_argument& error) {
      block_.set_door(left);
      fail(std::string("the rig's answer makes no sense: ") + error.what(), "start the rig again");
    }
    session_ = std::atomic_ref(head.session).load();
    block_.set_door(in_session);
  }

  Url url_;
};

}  // namespace

std::unique_ptr<ServerLink> listen_shm(const Url& url, const Hello& mine, const LinkOptions&) {
  return std::make_unique<ShmServer>(url, mine);
}
std::unique_ptr<Link> connect_shm(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<ShmClient>(url, mine, options);
}

}  // namespace gusset

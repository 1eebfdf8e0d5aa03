#pragma once

#include <ucontext.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// Runs two small threads through every order of their steps and every value that C++'s memory
/// model lets a load see, and watches for data races. x86 hides most reordering, so that a queue
/// with a wrong memory order passes any stress test there; here it fails, always and at once.
///
/// The model: each atomic location keeps all values ever stored (one writer each, as in a queue
/// for one producer and one consumer). A load may see any of them that is not older than what its
/// thread knows of already; if the store was a release and the load an acquire, the reader learns
/// all that the writer knew. Plain memory is watched with vector clocks: an access that is not
/// ordered after the other thread's conflicting one is a race.
///
/// The threads are fibres that change places before a load of what the other thread writes; other
/// places to change add nothing, since a load may always see an older value.
namespace gusset::test {

class World {
 public:
  /// How the program's atomics are spoilt, to see that it is noticed.
  enum class Spoilt { no, release_is_relaxed, acquire_is_relaxed, index_is_plain };

  explicit World(Spoilt spoilt) : spoilt_(spoilt) {}

  struct Verdict {
    std::int64_t executions = 0;
    std::string failure;  ///< of the first execution that went wrong
  };
  /// A program: `make` is called afresh for each execution.
  struct Program {
    std::function<void()> first, second;
    std::function<std::string()> check;  ///< after both; what is wrong, or nothing
  };
  static Verdict explore(Spoilt spoilt, const std::function<Program()>& make);

  /// The world of the execution that is going on, or null.
  static World* current();

  void fail(const std::string& what);

  // What the model's types call.
  std::uint64_t load(const void* location, std::memory_order order);
  void store(const void* location, std::uint64_t value, std::memory_order order);
  void initialise(const void* location, std::uint64_t value);
  void read(const void* cell);
  void write(const void* cell);

 private:
  using Clock = std::array<std::int64_t, 2>;
  struct Knowledge {
    Clock clock{};
    std::map<const void*, std::size_t> newest;  ///< per location, the oldest value still allowed
    void join(const Knowledge& other);
  };
  struct Message {
    std::uint64_t value;
    int writer;  ///< −1: from the beginning
    bool release;
    Knowledge knows;
  };
  struct Cell {
    int writer = -1;
    std::int64_t written = 0;
    Clock read{};
  };

  Verdict run(const std::function<Program()>& make);
  void execute(const Program& program);
  std::size_t choose(std::size_t options);
  bool next_path();
  void change_places();
  static void enter();

  Spoilt spoilt_;
  std::vector<std::pair<std::size_t, std::size_t>> path_;  ///< (chosen, of how many)
  std::size_t depth_ = 0;

  std::map<const void*, std::vector<Message>> locations_;
  std::map<const void*, Cell> cells_;
  std::array<Knowledge, 2> threads_;
  std::string failure_;

  int running_ = -1;  ///< −1: neither, before and after
  std::array<bool, 2> done_{};
  std::array<const std::function<void()>*, 2> bodies_{};
  std::array<std::vector<char>, 2> stacks_;
  std::array<ucontext_t, 2> fibres_;
  ucontext_t outside_;
};

/// An atomic number of the model.
template <class T>
class ModelAtomic {
 public:
  ModelAtomic(T value = 0) : plain_(value) {
    if (World* world = World::current()) world->initialise(this, value);
  }
  T load(std::memory_order order = std::memory_order_seq_cst) const {
    World* world = World::current();
    return world ? static_cast<T>(world->load(this, order)) : plain_;
  }
  void store(T value, std::memory_order order = std::memory_order_seq_cst) {
    if (World* world = World::current()) world->store(this, value, order);
    plain_ = value;
  }
  bool is_lock_free() const { return true; }

 private:
  T plain_;  ///< the last value, for before and after an exploration
};

/// A number in plain memory of the model.
class ModelWord {
 public:
  ModelWord(std::uint64_t value = 0) : value_(value) { wrote(); }
  ModelWord(const ModelWord& other) : value_(other.get()) { wrote(); }
  ModelWord& operator=(const ModelWord& other) {
    value_ = other.get();
    wrote();
    return *this;
  }
  std::uint64_t get() const {
    if (World* world = World::current()) world->read(this);
    return value_;
  }

 private:
  void wrote() {
    if (World* world = World::current()) world->write(this);
  }
  std::uint64_t value_;
};

}  // namespace gusset::test

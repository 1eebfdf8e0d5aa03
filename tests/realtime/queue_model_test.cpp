// Boost's queue itself, not a copy of it, on the atomics of the model: its header takes them from
// boost/lockfree/detail/atomic.hpp, which is replaced here. The element type is of this file alone,
// so that no other test sees the result.
#define BOOST_LOCKFREE_DETAIL_ATOMIC_HPP
#include <boost/config.hpp>

#include "support/weak_memory.hpp"

namespace boost::lockfree {
namespace detail {
template <class T>
using atomic = gusset::test::ModelAtomic<T>;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
}  // namespace detail
using detail::atomic;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
}  // namespace boost::lockfree

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "realtime/spsc_queue.hpp"

namespace gusset {
namespace {

using test::World;

struct Word : test::ModelWord {
  using test::ModelWord::ModelWord;
};

constexpr std::size_t capacity = 5;  // words: two records fit, a third does not
constexpr std::uint64_t record_words = 2;
// Three each are some thirty thousand executions, four a million or so.
const bool thorough = std::getenv("GUSSET_LONG") != nullptr;
const std::uint64_t pushes = thorough ? 4 : 3;
const int pops = thorough ? 4 : 3;

/// Wrong: a record is published in two parts.
class TornQueue {
 public:
  explicit TornQueue(std::size_t size) : queue_(size) {}
  bool push(const Word* record, std::size_t words) noexcept {
    if (queue_.write_available() < words) return false;
    queue_.push(record, 1);
    queue_.push(record + 1, words - 1);
    return true;
  }
  std::size_t pop(Word* words, std::size_t most) noexcept { return queue_.pop(words, most); }

 private:
  boost::lockfree::spsc_queue<Word> queue_;
};

/// Wrong: does not look whether there is room for the whole record.
class HastyQueue {
 public:
  explicit HastyQueue(std::size_t size) : queue_(size) {}
  bool push(const Word* record, std::size_t words) noexcept { return queue_.push(record, words) > 0; }
  std::size_t pop(Word* words, std::size_t most) noexcept { return queue_.pop(words, most); }

 private:
  boost::lockfree::spsc_queue<Word> queue_;
};

/// Records (i, 100 + i) through the queue; what the reader takes at a time are whole records, in
/// order, and exactly those that were accepted.
template <class Queue>
World::Verdict explore(World::Spoilt spoilt) {
  struct Shared {
    Queue queue{capacity};
    std::vector<std::uint64_t> accepted;
    std::vector<std::vector<std::uint64_t>> taken;
    void take() {
      Word words[capacity];
      const std::size_t got = queue.pop(words, capacity);
      std::vector<std::uint64_t> values;
      for (std::size_t i = 0; i < got; ++i) values.push_back(words[i].get());
      taken.push_back(std::move(values));
    }
  };
  return World::explore(spoilt, [] {
    auto shared = std::make_shared<Shared>();
    World::Program program;
    program.first = [shared] {
      for (std::uint64_t i = 0; i < pushes; ++i) {
        const Word record[record_words] = {i, 100 + i};
        if (shared->queue.push(record, record_words)) shared->accepted.push_back(i);
      }
    };
    program.second = [shared] {
      for (int i = 0; i < pops; ++i) shared->take();
    };
    program.check = [shared]() -> std::string {
      shared->take();  // the rest
      std::size_t next = 0;
      for (const auto& values : shared->taken) {
        if (values.size() % record_words != 0) return "a part of a record was seen";
        for (std::size_t i = 0; i < values.size(); i += record_words) {
          if (next == shared->accepted.size()) return "more was taken than was accepted";
          const std::uint64_t wanted = shared->accepted[next++];
          if (values[i] != wanted || values[i + 1] != 100 + wanted) return "not what was pushed";
        }
      }
      return next == shared->accepted.size() ? "" : "an accepted record was lost";
    };
    return program;
  });
}

TEST(QueueModel, EveryOrderOfStepsKeepsRecordsWholeAndInOrder) {
  const auto verdict = explore<BasicRecordQueue<Word>>(World::Spoilt::no);
  EXPECT_EQ(verdict.failure, "");
  EXPECT_GT(verdict.executions, 1000);
  RecordProperty("executions", static_cast<int>(verdict.executions));
}

TEST(QueueModel, WrongMemoryOrdersAreCaught) {
  for (const auto spoilt : {World::Spoilt::release_is_relaxed, World::Spoilt::acquire_is_relaxed,
                            World::Spoilt::index_is_plain}) {
    const auto verdict = explore<BasicRecordQueue<Word>>(spoilt);
    EXPECT_NE(verdict.failure.find("a race"), std::string::npos)
        << static_cast<int>(spoilt) << ": " << verdict.failure;
  }
}

TEST(QueueModel, WrongPublicationIsCaught) {
  EXPECT_EQ(explore<TornQueue>(World::Spoilt::no).failure, "a part of a record was seen");
  EXPECT_NE(explore<HastyQueue>(World::Spoilt::no).failure, "");
}

}  // namespace
}  // namespace gusset

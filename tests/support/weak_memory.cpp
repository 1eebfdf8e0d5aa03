#include "support/weak_memory.hpp"

#include <algorithm>

namespace gusset::test {
namespace {

World* the_world = nullptr;
constexpr std::size_t stack_size = std::size_t{1} << 18;

bool acquires(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_seq_cst;
}
bool releases(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_seq_cst;
}

}  // namespace

World* World::current() { return the_world; }

void World::fail(const std::string& what) {
  if (failure_.empty()) failure_ = what;
}

void World::Knowledge::join(const Knowledge& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other.clock[i]);
  for (const auto& [location, index] : other.newest) {
    std::size_t& mine = newest[location];
    mine = std::max(mine, index);
  }
}

void World::initialise(const void* location, std::uint64_t value) {
  locations_[location] = {{value, -1, true, {}}};
}

std::uint64_t World::load(const void* location, std::memory_order order) {
  std::vector<Message>& values = locations_[location];
  if (running_ < 0) return values.back().value;
  if (values.back().writer != running_) change_places();
  if (spoilt_ == Spoilt::index_is_plain) read(location);
  Knowledge& mine = threads_[static_cast<std::size_t>(running_)];
  std::size_t& oldest = mine.newest[location];
  // The newest first: the common case leads the search.
  const std::size_t index = values.size() - 1 - choose(values.size() - oldest);
  oldest = index;
  const Message& seen = values[index];
  if (seen.release && acquires(order) && spoilt_ != Spoilt::acquire_is_relaxed) {
    const Knowledge knows = seen.knows;
    mine.join(knows);
  }
  return seen.value;
}

void World::store(const void* location, std::uint64_t value, std::memory_order order) {
  std::vector<Message>& values = locations_[location];
  if (running_ < 0) {
    values.push_back({value, -1, true, {}});
    return;
  }
  if (spoilt_ == Spoilt::index_is_plain) write(location);
  const auto me = static_cast<std::size_t>(running_);
  Knowledge& mine = threads_[me];
  if (values.back().writer >= 0 && values.back().writer != running_) {
    fail("two threads store to one location: not what the model is for");
  }
  ++mine.clock[me];
  mine.newest[location] = values.size();
  values.push_back({value, running_, releases(order) && spoilt_ != Spoilt::release_is_relaxed, mine});
  ++mine.clock[me];  // what comes after the store is not published by it
}

void World::read(const void* cell) {
  if (running_ < 0) return;
  const auto me = static_cast<std::size_t>(running_);
  Cell& state = cells_[cell];
  if (state.writer >= 0 && state.writer != running_ &&
      state.written > threads_[me].clock[static_cast<std::size_t>(state.writer)]) {
    fail("a race: plain memory is read while the other thread may be writing it");
  }
  state.read[me] = ++threads_[me].clock[me];
}

void World::write(const void* cell) {
  if (running_ < 0) return;
  const auto me = static_cast<std::size_t>(running_);
  const std::size_t other = 1 - me;
  Cell& state = cells_[cell];
  if ((state.writer == static_cast<int>(other) && state.written > threads_[me].clock[other]) ||
      state.read[other] > threads_[me].clock[other]) {
    fail("a race: plain memory is written while the other thread may be using it");
  }
  state.writer = running_;
  state.written = ++threads_[me].clock[me];
}

std::size_t World::choose(std::size_t options) {
  if (options <= 1) return 0;
  if (depth_ == path_.size()) path_.emplace_back(0, options);
  return path_[depth_++].first;
}

bool World::next_path() {
  while (!path_.empty()) {
    auto& [chosen, options] = path_.back();
    if (++chosen < options) return true;
    path_.pop_back();
  }
  return false;
}

void World::change_places() {
  const int me = running_;
  const int other = 1 - me;
  if (done_[static_cast<std::size_t>(other)] || choose(2) == 0) return;
  running_ = other;
  swapcontext(&fibres_[static_cast<std::size_t>(me)], &fibres_[static_cast<std::size_t>(other)]);
}

/// Returns at its end, to execute(): leaving a stack by a jump would leave the address sanitizer's
/// marks in it.
void World::enter() {
  const auto me = static_cast<std::size_t>(the_world->running_);
  (*the_world->bodies_[me])();
  the_world->done_[me] = true;
}

void World::execute(const Program& program) {
  bodies_ = {&program.first, &program.second};
  done_ = {};
  threads_ = {};
  cells_.clear();
  for (std::size_t i = 0; i < 2; ++i) {
    stacks_[i].resize(stack_size);
    getcontext(&fibres_[i]);
    fibres_[i].uc_stack.ss_sp = stacks_[i].data();
    fibres_[i].uc_stack.ss_size = stacks_[i].size();
    fibres_[i].uc_link = &outside_;
    makecontext(&fibres_[i], &World::enter, 0);
  }
  running_ = static_cast<int>(choose(2));
  while (!done_[0] || !done_[1]) {
    swapcontext(&outside_, &fibres_[static_cast<std::size_t>(running_)]);
    running_ = done_[0] ? 1 : 0;
  }
  running_ = -1;
}

World::Verdict World::run(const std::function<Program()>& make) {
  Verdict verdict;
  do {
    depth_ = 0;
    failure_.clear();
    locations_.clear();
    running_ = -1;
    const Program program = make();
    execute(program);
    ++verdict.executions;
    if (failure_.empty()) failure_ = program.check();
    if (!failure_.empty()) {
      verdict.failure = failure_;
      return verdict;
    }
  } while (next_path());
  return verdict;
}

World::Verdict World::explore(Spoilt spoilt, const std::function<Program()>& make) {
  World world(spoilt);
  the_world = &world;
  Verdict verdict = world.run(make);
  the_world = nullptr;
  return verdict;
}

}  // namespace gusset::test

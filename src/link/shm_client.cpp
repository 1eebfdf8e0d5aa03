#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/error.hpp"
#include "link/shm.hpp"
#include "link/shm_block.hpp"

namespace gusset {
namespace shm {
namespace {

class ShmClient final : public ShmEnd<Link> {
 public:
  ShmClient(const Url& url, const Hello& mine, const LinkOptions& options) : ShmEnd(mine, false), url_(url) {
    const std::int64_t until = monotonic_now() + static_cast<std::int64_t>(1e9 * options.patience);
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
               std::to_string(mine_.commands.size()) + " and " + std::to_string(mine_.feedback.size()),
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
    const std::string answer(block_.at(plan_.answer), std::min<std::size_t>(head.answer_size, largest_hello));
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
}  // namespace shm

std::unique_ptr<Link> connect_shm(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<shm::ShmClient>(url, mine, options);
}

}  // namespace gusset

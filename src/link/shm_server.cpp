#include <fcntl.h>
#include <sys/file.h>

#include "base/error.hpp"
#include "link/crypto.hpp"
#include "link/shm.hpp"
#include "link/shm_block.hpp"

namespace gusset {
namespace shm {
namespace {

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
      // Nobody is in session here: who says so was given up, and would keep the door shut for ever if it died.
      if (door == left || door == in_session || door == answered) {
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

}  // namespace
}  // namespace shm

std::unique_ptr<ServerLink> listen_shm(const Url& url, const Hello& mine, const LinkOptions&) {
  return std::make_unique<shm::ShmServer>(url, mine);
}

}  // namespace gusset

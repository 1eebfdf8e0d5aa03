#include "session/socket_server.hpp"

#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "base/error.hpp"
#include "session/socket_answers.hpp"
#include "session/unix_socket.hpp"

namespace gusset {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_line = 64UL << 10;
constexpr std::size_t most_waiting = 1UL << 20;  // bytes of answers that a client has not read
constexpr std::size_t most_clients = 64;
constexpr int status_period = 20;  // [ms]

std::string line_of(const Json& answer) {
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Takes the place of the path.
Socket listen_at(const UnixPath& place) {
  const std::string& path = place.path();
  Socket listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  int error = listener ? place.bind(listener.get()) : errno;
  if (error == EADDRINUSE) {
    struct stat facts {};
    const Socket probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const bool socket = ::lstat(path.c_str(), &facts) == 0 && S_ISSOCK(facts.st_mode);
    if (!socket) {
      throw InputError({path, 0, 0}, "there is something else where the socket of the run would be",
                       "move it away, or name another place with --socket");
    }
    if (place.connect(probe.get()) != ECONNREFUSED) {
      throw InputError({path, 0, 0}, "another run offers its socket here",
                       "name another place with --socket");
    }
    ::unlink(path.c_str());  // of a process that was killed
    error = place.bind(listener.get());
  }
  // Nobody can connect before listen.
  if (error == 0 && ::chmod(path.c_str(), 0600) != 0) error = errno;
  if (error == 0 && ::listen(listener.get(), 16) != 0) error = errno;
  if (error != 0) {
    throw InputError({path, 0, 0}, "no socket can be made here: " + std::generic_category().message(error),
                     "name another place with --socket, e.g. in /run/user");
  }
  return listener;
}

}  // namespace

class SocketServer::Worker {
  struct Client {
    Socket socket;
    Peer peer;
    std::string name;
    std::string in, out;
    bool leaving = false;  ///< to be closed once its answers are out
  };

 public:
  explicit Worker(const std::string& path)
      : place_(path), listener_(listen_at(place_)), bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) == 0) inode_ = facts.st_ino;
  }

  ~Worker() {
    stop();
    // Somebody else may have taken the place since.
    struct stat facts {};
    if (::lstat(place_.path().c_str(), &facts) == 0 && facts.st_ino == inode_) {
      ::unlink(place_.path().c_str());
    }
  }

  void serve(Offer offer) {
    offer_ = std::move(offer);
    answers_.emplace(offer_);
    thread_ = std::thread([this] { work(); });
  }

  void stop() {
    if (!thread_.joinable()) return;
    stopping_.store(true);
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto rung = ::write(bell_.get(), &one, sizeof one);
    thread_.join();
    clients_.clear();
  }

  const std::string& path() const { return place_.path(); }
  std::vector<LoggedCommand> commands() const {
    return answers_ ? answers_->commands() : std::vector<LoggedCommand>();
  }

 private:
  void work() {
    make_ordinary("socket");
    std::vector<pollfd> polled;
    while (!stopping_.load()) {
      polled = {{bell_.get(), POLLIN, 0}, {listener_.get(), POLLIN, 0}};
      for (const Client& client : clients_) {
        const bool reading = !client.leaving && client.out.size() < most_waiting;
        const int events = (reading ? POLLIN : 0) | (client.out.empty() ? 0 : POLLOUT);
        polled.push_back({client.socket.get(), static_cast<short>(events), 0});
      }
      ::poll(polled.data(), polled.size(), clients_.empty() ? -1 : status_period);
      offer_.block->show(*offer_.status);
      std::size_t index = 2;
      for (auto client = clients_.begin(); client != clients_.end(); ++index) {
        client = turn(*client, polled[index].revents) ? std::next(client) : clients_.erase(client);
      }
      if ((polled[1].revents & POLLIN) != 0) welcome();
    }
  }

  void welcome() {
    Socket socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!socket) {
      // Out of file descriptors, say: whoever waits will wait a little longer.
      if (errno != EAGAIN) std::this_thread::sleep_for(std::chrono::milliseconds(status_period));
      return;
    }
    Client client{std::move(socket), {}, {}, {}, {}, false};
    client.peer = peer_of(client.socket.get());
    const bool ours = client.peer.uid == static_cast<int>(::geteuid()) || client.peer.uid == 0;
    if (!ours || clients_.size() >= most_clients) {
      client.out =
          line_of(SocketAnswers::refusal(ours ? "too many clients" : "this test belongs to another user"));
      client.leaving = true;
    } else {
      client.out = line_of(answers_->hello());
    }
    if (flush(client)) clients_.push_back(std::move(client));
  }

  /// False: the client is gone.
  bool turn(Client& client, int events) {
    if ((events & (POLLERR | POLLNVAL)) != 0) return false;
    if ((events & (POLLIN | POLLHUP)) != 0 && !client.leaving && client.out.size() < most_waiting) {
      char bytes[4096];
      const ssize_t got = ::recv(client.socket.get(), bytes, sizeof bytes, 0);
      if (got < 0 && errno != EAGAIN && errno != EINTR) return false;
      if (got == 0) client.leaving = true;  // it has said all that it wants to, and may still read
      if (got > 0) client.in.append(bytes, static_cast<std::size_t>(got));
    }
    take_lines(client);
    return flush(client);
  }

  void take_lines(Client& client) {
    std::size_t end = client.in.find('\n');
    for (; end != std::string::npos; end = client.in.find('\n')) {
      // The rest waits until the client has read.
      if (client.leaving || client.out.size() >= most_waiting) return;
      const std::string line = client.in.substr(0, end);
      client.in.erase(0, end + 1);
      if (!line.empty()) reply(client, line);
    }
    if (client.in.size() <= longest_line) return;
    client.out += line_of(SocketAnswers::refusal("a line is longer than 64 KiB"));
    client.leaving = true;
  }

  /// False: the client is gone, or has got its last answer.
  static bool flush(Client& client) {
    while (!client.out.empty()) {
      const ssize_t sent = ::send(client.socket.get(), client.out.data(), client.out.size(), MSG_NOSIGNAL);
      if (sent < 0) return errno == EAGAIN || errno == EINTR;
      client.out.erase(0, static_cast<std::size_t>(sent));
    }
    return !client.leaving;
  }

  void reply(Client& client, const std::string& line) {
    const Json request = Json::parse(line, nullptr, false);
    if (!request.is_object() || !request.contains("do") || !request["do"].is_string()) {
      client.out +=
          line_of(SocketAnswers::refusal("a request is one JSON object a line, {\"do\": \"status\"}"));
      return;
    }
    if (request.contains("name") && request["name"].is_string()) {
      client.name = request["name"].get<std::string>().substr(0, 80);
    }
    const std::string what = request["do"];
    if (what == "memory") return hand_over(client);
    Json answer =
        answers_->to(what, request, {client.peer.pid, client.peer.uid, client.name}, clients_.size());
    if (request.contains("id")) answer["id"] = request["id"];
    client.out += line_of(answer);
  }

  /// The file of the shared memory goes with the first byte of the answer.
  void hand_over(Client& client) {
    if (!client.out.empty()) {
      client.out += line_of(SocketAnswers::refusal("read the answers that wait, then ask for the memory"));
      return;
    }
    std::string line = line_of({{"ok", true}, {"do", "memory"}});
    iovec bytes{line.data(), line.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    const int file = offer_.block->file();
    std::memcpy(CMSG_DATA(header), &file, sizeof file);
    const ssize_t sent = ::sendmsg(client.socket.get(), &message, MSG_NOSIGNAL);
    if (sent > 0) {
      client.out = line.substr(static_cast<std::size_t>(sent));
    } else {
      client.leaving = true;
    }
  }

  UnixPath place_;
  Socket listener_, bell_;
  ino_t inode_ = 0;
  Offer offer_;
  std::optional<SocketAnswers> answers_;
  std::list<Client> clients_;  ///< of the thread
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

SocketServer::SocketServer(const std::string& path) : worker_(std::make_unique<Worker>(path)) {}
SocketServer::~SocketServer() = default;
void SocketServer::serve(Offer offer) { worker_->serve(std::move(offer)); }
void SocketServer::stop() { worker_->stop(); }
const std::string& SocketServer::path() const { return worker_->path(); }
std::vector<LoggedCommand> SocketServer::commands() const { return worker_->commands(); }

}  // namespace gusset

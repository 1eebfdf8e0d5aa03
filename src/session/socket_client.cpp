#include "session/socket_client.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <system_error>

#include "base/error.hpp"
#include "session/unix_socket.hpp"

namespace gusset {
namespace {

constexpr const char* how =
    "name the run file of a test that is running: gusset run --attach run.h5 --status";

}  // namespace

std::string socket_of(const std::string& run) {
  struct stat facts {};
  const bool socket = ::stat(run.c_str(), &facts) == 0 && S_ISSOCK(facts.st_mode);
  return socket || run.ends_with(".socket") ? run : run + ".socket";
}

SocketClient::SocketClient(const std::string& path, std::string name, double patience)
    : path_(path),
      name_(std::move(name)),
      patience_(patience),
      socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const int error = UnixPath(path).connect(socket_.get());
  if (error == ENOENT) throw InputError({path, 0, 0}, "no run offers a socket here", how);
  if (error == ECONNREFUSED) {
    throw InputError({path, 0, 0}, "the run that offered this socket is gone", how);
  }
  if (error != 0) {
    throw InputError({path, 0, 0}, "cannot attach: " + std::generic_category().message(error), how);
  }
  hello_ = Json::parse(line(), nullptr, false);
  if (!hello_.is_object() || hello_.value("protocol", 0) != 1) {
    const std::string why = hello_.is_object() ? hello_.value("error", std::string()) : std::string();
    throw InputError({path, 0, 0},
                     why.empty() ? "what answers here is no run of this version" : "refused: " + why, how);
  }
}

void SocketClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) throw InputError({path_, 0, 0}, "the run has hung up: the test is over", how);
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void SocketClient::receive() {
  pollfd ready{socket_.get(), POLLIN, 0};
  const int found = ::poll(&ready, 1, static_cast<int>(std::lround(1e3 * patience_)));
  if (found == 0) throw InputError({path_, 0, 0}, "the run does not answer", "see whether its process lives");
  char bytes[65536];
  iovec room{bytes, sizeof bytes};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  msghdr message{};
  message.msg_iov = &room;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = ::recvmsg(socket_.get(), &message, MSG_CMSG_CLOEXEC);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) throw InputError({path_, 0, 0}, "the run has hung up: the test is over", how);
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&passed_file_, CMSG_DATA(header), sizeof passed_file_);
    }
  }
  in_.append(bytes, static_cast<std::size_t>(got));
}

std::string SocketClient::line() {
  std::size_t end = in_.find('\n');
  for (; end == std::string::npos; end = in_.find('\n')) receive();
  std::string line = in_.substr(0, end);
  in_.erase(0, end + 1);
  return line;
}

SocketClient::Json SocketClient::ask(Json request) {
  if (!name_.empty()) request["name"] = name_;
  send(request.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
  Json answer = Json::parse(line(), nullptr, false);
  if (!answer.is_object()) {
    throw InputError({path_, 0, 0}, "what answers here is no run of this version", how);
  }
  return answer;
}

LiveView SocketClient::memory() {
  passed_file_ = -1;
  ask({{"do", "memory"}});
  if (passed_file_ < 0) throw InputError({path_, 0, 0}, "the run does not show its memory", how);
  return LiveView::map(passed_file_);
}

}  // namespace gusset

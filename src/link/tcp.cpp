#include "link/tcp.hpp"

#include <netinet/tcp.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "link/conversation.hpp"

namespace gusset {
namespace {

/// Frames out of a stream.
class Stream {
 public:
  Stream() : buffer_(2 * largest_frame) {}

  void start(Socket socket) {
    socket_ = std::move(socket);
    begin_ = end_ = 0;
    broken_ = garbled_ = false;
    const int yes = 1;
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  void stop() { socket_.reset(); }
  int file() const { return socket_.get(); }
  /// Nothing more can be read.
  bool broken() const { return broken_ || garbled_ || !socket_; }

  /// Also where what comes in makes no sense any more: the peer may still understand a stop.
  bool transmit(std::string_view bytes) noexcept {
    while (!broken_ && socket_ && !bytes.empty()) {
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      // A peer that does not read for as long as the system's buffers last is no peer.
      if (sent <= 0) {
        broken_ = true;
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return !broken_ && socket_;
  }

  /// The next whole frame; false if there is none yet, or the stream broke.
  bool next(const FrameCodec& codec, LinkFrame& frame) noexcept {
    for (;;) {
      const std::size_t have = end_ - begin_;
      if (have > 0) {
        const std::size_t size = codec.size_of(buffer_.data() + begin_, have);
        if (garbled_ || size > largest_frame) {
          garbled_ = true;
          return false;
        }
        if (size > 0 && have >= size) {
          const bool good = codec.decode(buffer_.data() + begin_, size, frame);
          begin_ += size;
          garbled_ = garbled_ || !good;
          return good;
        }
      }
      if (!fill()) return false;
    }
  }

 private:
  bool fill() noexcept {
    if (broken()) return false;
    if (begin_ > largest_frame) {
      std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
      end_ -= begin_;
      begin_ = 0;
    }
    // Re-armed each time, or the kernel holds acknowledgements back and the peer waits for them.
    const int yes = 1;
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_QUICKACK, &yes, sizeof yes);
    const ssize_t got = ::recv(socket_.get(), buffer_.data() + end_, buffer_.size() - end_, 0);
    if (got > 0) {
      end_ += static_cast<std::size_t>(got);
      return true;
    }
    if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) broken_ = true;
    return false;
  }

  Socket socket_;
  std::vector<unsigned char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool broken_ = false;   ///< the connection itself
  bool garbled_ = false;  ///< a frame that is none: where the next one begins nobody knows
};

template <class End>
class TcpEnd : public End {
 public:
  using End::End;

  bool send(const Message& message, const double* values) noexcept override {
    return stream_.transmit(talk_.message(message, values));
  }
  bool send_bytes(std::string_view bytes) noexcept override { return stream_.transmit(bytes); }
  bool receive(Message& message, double* values) noexcept override {
    bool fresh = false;
    LinkFrame frame;
    while (!talk_.gone && stream_.next(talk_.codec, frame)) {
      if (frame.session != talk_.session) {
        ++talk_.refused;
      } else if (talk_.brings_values(frame)) {
        message = frame.message;
        std::memcpy(values, frame.payload, 8 * talk_.in_count);
        fresh = true;
      } else if (frame.type == FrameType::goodbye) {
        talk_.gone = true;
      } else {
        ++talk_.refused;
      }
    }
    if (stream_.broken()) talk_.gone = true;
    return fresh;
  }
  void wait(std::int64_t until) noexcept override {
    if (!talk_.gone) poll_until(stream_.file(), -1, until);
  }
  void close() noexcept override {
    if (talk_.session == 0 || talk_.gone) return;
    stream_.transmit(talk_.goodbye());
    talk_.gone = true;
  }

 protected:
  using End::talk_;
  Stream stream_;
};

/// A greeting is no session yet: a connection may stay silent, and anybody can send a greeting again that was
/// recorded. So callers are listened to side by side, and the session is that of the first one who sends a command
/// with the number it was given, which takes the key where there is one.
class TcpServer final : public TcpEnd<ConversingServer> {
 public:
  TcpServer(const Url& url, const Hello& mine, const LinkOptions& options)
      : TcpEnd(url, mine, options, true), door_(talk_.open_door(SOCK_STREAM, options)) {}
  ~TcpServer() override { close(); }

  bool accept(std::int64_t until, std::string& refusals) override {
    confirmed_ = false;
    for (;;) {
      let_in();
      hear(refusals);
      if (welcomed() > 0) return true;
      if (monotonic_now() >= until) return false;
      wait_for_callers(until);
    }
  }
  void release() noexcept override {
    close();
    stream_.stop();
    callers_.clear();
    talk_.session = 0;
    confirmed_ = false;
  }
  bool lost() const noexcept override { return confirmed_ ? talk_.gone : welcomed() == 0; }
  bool receive(Message& message, double* values) noexcept override {
    if (confirmed_) return TcpEnd::receive(message, values);
    let_in();
    std::string refusals;
    hear(refusals);
    for (Caller& caller : callers_) {
      LinkFrame frame;
      if (caller.session == 0 || !caller.stream.next(talk_.codec, frame)) continue;
      if (frame.session != caller.session || !talk_.brings_values(frame)) {
        ++talk_.refused;
        caller.stream.stop();
        continue;
      }
      message = frame.message;
      std::memcpy(values, frame.payload, 8 * talk_.in_count);
      talk_.session = caller.session;
      talk_.peer = caller.peer;
      talk_.gone = false;
      confirmed_ = true;
      std::swap(stream_, caller.stream);
      turn_away_the_rest();
      return true;
    }
    return false;
  }
  void wait(std::int64_t until) noexcept override {
    if (!confirmed_) return wait_for_callers(until);
    if (!talk_.gone) poll_until(stream_.file(), door_.get(), until);
    turn_away();
  }

 private:
  struct Caller {
    Stream stream;
    std::int64_t patience = 0;  ///< until when it has to greet (CLOCK_MONOTONIC, ns)
    std::uint64_t session = 0;  ///< 0: has not greeted yet
    Hello peer;                 ///< what it said
  };

  std::ptrdiff_t welcomed() const noexcept {
    return std::count_if(callers_.begin(), callers_.end(),
                         [](const Caller& caller) { return caller.session != 0 && !caller.stream.broken(); });
  }
  void let_in() {
    constexpr std::size_t most = 16;
    for (;;) {
      const int file = ::accept4(door_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (file < 0) return;
      // Who has waited longest gives way: nobody can fill the room for long.
      if (callers_.size() == most) callers_.erase(callers_.begin());
      callers_.emplace_back();
      callers_.back().stream.start(Socket(file));
      callers_.back().patience = monotonic_now() + 1'000'000'000;
    }
  }
  /// The greetings of all who are there. Whoever is refused, or leaves, is forgotten.
  void hear(std::string& refusals) {
    for (Caller& caller : callers_) {
      LinkFrame frame;
      if (caller.session != 0) continue;
      if (caller.stream.next(talk_.codec, frame)) {
        greet(caller, frame, refusals);
      } else if (caller.stream.broken() || monotonic_now() >= caller.patience) {
        ++talk_.refused;
        refusals += "refused a run: it did not greet\n";
        caller.stream.stop();
      }
    }
    std::erase_if(callers_, [](const Caller& caller) { return caller.stream.broken(); });
  }
  void greet(Caller& caller, const LinkFrame& frame, std::string& refusals) {
    if (const std::string problem = talk_.examine(frame); !problem.empty()) {
      refusals += "refused a run: " + problem + "\n";
      caller.stream.transmit(talk_.refusal(frame, problem));
      caller.stream.stop();
      return;
    }
    caller.peer = talk_.peer;
    caller.session = talk_.session = random_number() | 1U;
    talk_.gone = false;
    caller.stream.transmit(talk_.welcome(frame, talk_.mine.text()));
  }
  void wait_for_callers(std::int64_t until) noexcept {
    std::vector<pollfd> files{{door_.get(), POLLIN, 0}};
    for (const Caller& caller : callers_) {
      files.push_back({caller.stream.file(), POLLIN, 0});
      if (caller.session == 0) until = std::min(until, caller.patience);
    }
    poll_until(files.data(), files.size(), until);
  }

  /// A second peer during a session.
  void turn_away() noexcept {
    const int file = ::accept4(door_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) return;
    const Socket other(file);
    const std::string_view bytes = talk_.refusal({}, busy);
    [[maybe_unused]] const ssize_t sent = ::send(other.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }
  void turn_away_the_rest() noexcept {
    for (Caller& caller : callers_) caller.stream.transmit(talk_.refusal({}, busy));
    callers_.clear();
  }

  Socket door_;
  std::vector<Caller> callers_;
  bool confirmed_ = false;  ///< stream_ is the peer's
};

class TcpClient final : public TcpEnd<ConversingEnd<Link>> {
 public:
  TcpClient(const Url& url, const Hello& mine, const LinkOptions& options)
      : TcpEnd(url, mine, options, false) {
    const Address address = resolve(url, "--rig");
    require_key(url, address, options, "--rig");
    const std::int64_t until = monotonic_now() + static_cast<std::int64_t>(1e9 * options.patience);
    call(address, until);
    greet(until);
  }
  ~TcpClient() override { close(); }

 private:
  void call(const Address& address, std::int64_t until) {
    for (;;) {
      Socket socket = make_socket(address, SOCK_STREAM, "--rig", talk_.url);
      int error = ::connect(socket.get(), address.get(), address.size) == 0 ? 0 : errno;
      if (error == EINPROGRESS) {
        pollfd file{socket.get(), POLLOUT, 0};
        poll(&file, 1, 500);
        socklen_t size = sizeof error;
        getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size);
        if ((file.revents & POLLOUT) == 0) error = ETIMEDOUT;
      }
      if (error == 0) return stream_.start(std::move(socket));
      if (monotonic_now() >= until) {
        talk_.fail("no rig answers there: " + std::string(std::strerror(error)),
                   "start one: gusset rig FILE --listen " + talk_.url.text);
      }
      poll_until(-1, -1, monotonic_now() + 20'000'000);
    }
  }
  void greet(std::int64_t until) {
    const std::uint64_t nonce = random_number() | 1U;
    stream_.transmit(talk_.codec.encode(FrameType::hello, nonce, {}, talk_.mine.text()));
    LinkFrame frame;
    while (!stream_.next(talk_.codec, frame)) {
      if (stream_.broken()) {
        talk_.fail("the rig hung up: another key, or no rig", "check --key on both ends");
      }
      if (monotonic_now() >= until) talk_.fail("the rig does not answer", "is it busy? Try again");
      poll_until(stream_.file(), -1, until);
    }
    if (frame.type == FrameType::refused) talk_.take_refusal(frame);
    if (frame.type != FrameType::welcome || frame.message.sequence != nonce) {
      talk_.fail("what answers there is no rig", "check host and port");
    }
    talk_.take_welcome(frame);
  }
};

}  // namespace

std::unique_ptr<ServerLink> listen_tcp(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<TcpServer>(url, mine, options);
}
std::unique_ptr<Link> connect_tcp(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<TcpClient>(url, mine, options);
}

}  // namespace gusset

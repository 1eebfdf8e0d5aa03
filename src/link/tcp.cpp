#include "link/tcp.hpp"

#include <netinet/tcp.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "link/frame.hpp"
#include "link/socket.hpp"

namespace gusset {
namespace {

/// Frames out of a stream.
class Stream {
 public:
  Stream() : buffer_(2 * largest_frame) {}

  void start(Socket socket) {
    socket_ = std::move(socket);
    begin_ = end_ = 0;
    broken_ = false;
    const int yes = 1;
    setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  void stop() { socket_.reset(); }
  int file() const { return socket_.get(); }
  bool broken() const { return broken_ || !socket_; }

  bool transmit(std::string_view bytes) noexcept {
    while (!broken() && !bytes.empty()) {
      const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      // A peer that does not read for as long as the system's buffers last is no peer.
      if (sent <= 0) {
        broken_ = true;
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return !broken();
  }

  /// The next whole frame; false if there is none yet, or the stream broke.
  bool next(const FrameCodec& codec, Frame& frame) noexcept {
    for (;;) {
      const std::size_t have = end_ - begin_;
      if (have > 0) {
        const std::size_t size = codec.size_of(buffer_.data() + begin_, have);
        if (size > largest_frame) {
          broken_ = true;
          return false;
        }
        if (size > 0 && have >= size) {
          const bool good = codec.decode(buffer_.data() + begin_, size, frame);
          begin_ += size;
          broken_ = broken_ || !good;
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
  bool broken_ = false;
};

template <class Base>
class TcpEnd : public Base {
 public:
  TcpEnd(const Url& url, const Hello& mine, const LinkOptions& options, bool server)
      : url_(url),
        mine_(mine),
        codec_(options.key),
        out_type_(server ? FrameType::feedback : FrameType::command),
        in_type_(server ? FrameType::command : FrameType::feedback),
        out_count_(server ? mine.feedback.size() : mine.commands.size()),
        in_count_(server ? mine.commands.size() : mine.feedback.size()) {}

  bool send(const Message& message, const double* values) noexcept override {
    return stream_.transmit(codec_.encode(out_type_, session_, message, values, out_count_));
  }
  bool receive(Message& message, double* values) noexcept override {
    bool fresh = false;
    Frame frame;
    while (!gone_ && stream_.next(codec_, frame)) {
      if (frame.session != session_) {
        ++refused_;
      } else if (frame.type == in_type_ && frame.count == in_count_) {
        message = frame.message;
        std::memcpy(values, frame.payload, 8 * in_count_);
        fresh = true;
      } else if (frame.type == FrameType::goodbye) {
        gone_ = true;
      } else {
        ++refused_;
      }
    }
    if (stream_.broken()) gone_ = true;
    return fresh;
  }
  void wait(std::int64_t until) noexcept override {
    if (!gone_) poll_until(stream_.file(), -1, until);
  }
  bool lost() const noexcept override { return gone_; }
  std::uint64_t refused() const noexcept override { return refused_; }
  const Hello& peer() const override { return peer_; }
  void close() noexcept override {
    if (session_ != 0 && !gone_) {
      stream_.transmit(codec_.encode(FrameType::goodbye, session_, {}, nullptr, 0));
      gone_ = true;
    }
  }

 protected:
  Url url_;
  Hello mine_, peer_;
  FrameCodec codec_;
  Stream stream_;
  FrameType out_type_, in_type_;
  std::size_t out_count_, in_count_;
  std::uint64_t session_ = 0;
  bool gone_ = false;
  std::uint64_t refused_ = 0;
};

class TcpServer final : public TcpEnd<ServerLink> {
 public:
  TcpServer(const Url& url, const Hello& mine, const LinkOptions& options)
      : TcpEnd(url, mine, options, true) {
    const Address address = resolve(url, "--listen");
    require_key(url, address, options, "--listen");
    door_ = make_socket(address, SOCK_STREAM, "--listen", url);
    const int yes = 1;
    setsockopt(door_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (::bind(door_.get(), address.get(), address.size) != 0 || ::listen(door_.get(), 8) != 0) {
      throw InputError({"--listen", 0, 0}, url.text + " cannot be used: " + std::strerror(errno),
                       "choose another port");
    }
    Address bound;
    getsockname(door_.get(), bound.get(), &bound.size);
    url_.port = bound.port();
  }
  ~TcpServer() override { close(); }

  bool accept(std::int64_t until, std::string& refusals) override {
    for (;;) {
      const int file = ::accept4(door_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (file >= 0) {
        stream_.start(Socket(file));
        if (greet(refusals)) return true;
        stream_.stop();
        continue;
      }
      if (monotonic_now() >= until) return false;
      poll_until(door_.get(), -1, until);
    }
  }
  void release() noexcept override {
    close();
    stream_.stop();
    session_ = 0;
  }
  void wait(std::int64_t until) noexcept override {
    if (!gone_) poll_until(stream_.file(), door_.get(), until);
    turn_away();
  }
  std::string address() const override {
    return "tcp://" + url_.host + ":" + std::to_string(url_.port);
  }
  std::size_t command_count() const override { return mine_.commands.size(); }
  std::size_t feedback_count() const override { return mine_.feedback.size(); }

 private:
  bool greet(std::string& refusals) {
    const std::int64_t patience = monotonic_now() + 1'000'000'000;
    Frame frame;
    while (!stream_.next(codec_, frame)) {
      if (stream_.broken() || monotonic_now() >= patience) {
        ++refused_;
        refusals += "refused a run: it did not greet\n";
        return false;
      }
      poll_until(stream_.file(), -1, patience);
    }
    std::string problem = frame.type == FrameType::hello ? "" : "it did not greet";
    try {
      if (problem.empty()) {
        peer_ = Hello::parse(frame.text());
        problem = difference(mine_, peer_, "the rig", "the run");
      }
    } catch (const std::invalid_argument& error) {
      problem = error.what();
    }
    Message number;
    number.sequence = frame.session;
    if (!problem.empty()) {
      ++refused_;
      refusals += "refused a run: " + problem + "\n";
      stream_.transmit(codec_.encode(FrameType::refused, 0, number, problem));
      return false;
    }
    session_ = random_number() | 1U;
    gone_ = false;
    return stream_.transmit(codec_.encode(FrameType::welcome, session_, number, mine_.text()));
  }

  /// A second peer during a session.
  void turn_away() noexcept {
    const int file = ::accept4(door_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file < 0) return;
    const Socket other(file);
    const std::string_view bytes =
        codec_.encode(FrameType::refused, 0, {}, "another run is connected");
    [[maybe_unused]] const ssize_t sent = ::send(other.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ++refused_;
  }

  Socket door_;
};

class TcpClient final : public TcpEnd<Link> {
 public:
  TcpClient(const Url& url, const Hello& mine, const LinkOptions& options)
      : TcpEnd(url, mine, options, false) {
    const Address address = resolve(url, "--rig");
    require_key(url, address, options, "--rig");
    const std::int64_t until =
        monotonic_now() + static_cast<std::int64_t>(1e9 * options.patience);
    call(address, until);
    greet(until);
  }
  ~TcpClient() override { close(); }

 private:
  [[noreturn]] void fail(const std::string& cause, const std::string& fix) const {
    throw InputError({"--rig", 0, 0}, url_.text + ": " + cause, fix);
  }
  void call(const Address& address, std::int64_t until) {
    for (;;) {
      Socket socket = make_socket(address, SOCK_STREAM, "--rig", url_);
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
        fail("no rig answers there: " + std::string(std::strerror(error)),
             "start one: gusset rig FILE --listen " + url_.text);
      }
      poll_until(-1, -1, monotonic_now() + 20'000'000);
    }
  }
  void greet(std::int64_t until) {
    const std::uint64_t nonce = random_number() | 1U;
    stream_.transmit(codec_.encode(FrameType::hello, nonce, {}, mine_.text()));
    Frame frame;
    while (!stream_.next(codec_, frame)) {
      if (stream_.broken()) fail("the rig hung up: another key, or no rig", "check --key on both ends");
      if (monotonic_now() >= until) fail("the rig does not answer", "is it busy? Try again");
      poll_until(stream_.file(), -1, until);
    }
    if (frame.type == FrameType::refused) {
      fail("the rig refuses: " + std::string(frame.text()),
           "give both the same experiment file and options");
    }
    if (frame.type != FrameType::welcome || frame.message.sequence != nonce) {
      fail("what answers there is no rig", "check host and port");
    }
    try {
      peer_ = Hello::parse(frame.text());
    } catch (const std::invalid_argument& error) {
      fail(std::string("the rig's answer makes no sense: ") + error.what(), "start the rig again");
    }
    const std::string problem = difference(mine_, peer_, "the run", "the rig");
    if (!problem.empty()) fail(problem, "give both the same experiment file and options");
    session_ = frame.session;
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

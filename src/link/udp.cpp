#include "link/udp.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "link/frame.hpp"
#include "link/socket.hpp"

namespace gusset {
namespace {

template <class Base>
class UdpEnd : public Base {
 public:
  UdpEnd(const Url& url, const Hello& mine, const LinkOptions& options, bool server)
      : url_(url),
        mine_(mine),
        codec_(options.key),
        incoming_(largest_frame),
        out_type_(server ? FrameType::feedback : FrameType::command),
        in_type_(server ? FrameType::command : FrameType::feedback),
        out_count_(server ? mine.feedback.size() : mine.commands.size()),
        in_count_(server ? mine.commands.size() : mine.feedback.size()),
        values_(in_count_) {}

  bool send(const Message& message, const double* values) noexcept override {
    return transmit(codec_.encode(out_type_, session_, message, values, out_count_), peer_address_);
  }

  bool receive(Message& message, double* values) noexcept override {
    drain();
    if (!fresh_) return false;
    fresh_ = false;
    message = newest_;
    std::memcpy(values, values_.data(), 8 * in_count_);
    return true;
  }

  void wait(std::int64_t until) noexcept override {
    if (!fresh_ && !gone_) poll_until(socket_.get(), -1, until);
  }
  bool lost() const noexcept override { return gone_; }
  std::uint64_t refused() const noexcept override { return refused_; }
  const Hello& peer() const override { return peer_; }
  void close() noexcept override {
    if (session_ != 0 && !gone_) {
      transmit(codec_.encode(FrameType::goodbye, session_, {}, nullptr, 0), peer_address_);
      gone_ = true;
    }
  }

 protected:
  bool transmit(std::string_view bytes, const Address& to) noexcept {
    return ::sendto(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL, to.get(), to.size) ==
           static_cast<ssize_t>(bytes.size());
  }
  /// One datagram that is a frame; false if nothing waits.
  bool next(Frame& frame, Address& from) noexcept {
    for (;;) {
      from.size = sizeof from.storage;
      const ssize_t size = ::recvfrom(socket_.get(), incoming_.data(), incoming_.size(), MSG_TRUNC,
                                      from.get(), &from.size);
      if (size < 0) {
        if (errno == EINTR || errno == ECONNREFUSED) continue;
        return false;
      }
      if (codec_.decode(incoming_.data(), static_cast<std::size_t>(size), frame)) return true;
      ++refused_;
    }
  }
  /// Anything that is not of the session's peer.
  virtual void other(const Frame&, const Address&) noexcept { ++refused_; }

  void drain() noexcept {
    Frame frame;
    Address from;
    while (next(frame, from)) {
      const bool ours = session_ != 0 && frame.session == session_ && from == peer_address_;
      if (ours && frame.type == in_type_ && frame.count == in_count_) {
        if (frame.message.sequence < newest_.sequence) continue;  // overtaken
        newest_ = frame.message;
        std::memcpy(values_.data(), frame.payload, 8 * in_count_);
        fresh_ = true;
      } else if (ours && frame.type == FrameType::goodbye) {
        gone_ = true;
      } else {
        other(frame, from);
      }
    }
  }
  void begin(std::uint64_t session, const Address& peer_address) {
    session_ = session;
    peer_address_ = peer_address;
    fresh_ = gone_ = false;
    newest_ = {};
  }

  Url url_;
  Hello mine_, peer_;
  FrameCodec codec_;
  Socket socket_;
  std::vector<unsigned char> incoming_;
  FrameType out_type_, in_type_;
  std::size_t out_count_, in_count_;
  std::vector<double> values_;
  Address peer_address_;
  std::uint64_t session_ = 0;
  Message newest_;
  bool fresh_ = false, gone_ = false;
  std::uint64_t refused_ = 0;
};

class UdpServer final : public UdpEnd<ServerLink> {
 public:
  UdpServer(const Url& url, const Hello& mine, const LinkOptions& options)
      : UdpEnd(url, mine, options, true) {
    const Address address = resolve(url, "--listen");
    require_key(url, address, options, "--listen");
    socket_ = make_socket(address, SOCK_DGRAM, "--listen", url);
    if (::bind(socket_.get(), address.get(), address.size) != 0) {
      throw InputError({"--listen", 0, 0}, url.text + " cannot be used: " + std::strerror(errno),
                       "choose another port");
    }
    Address bound;
    getsockname(socket_.get(), bound.get(), &bound.size);
    url_.port = bound.port();
  }
  ~UdpServer() override { close(); }

  bool accept(std::int64_t until, std::string& refusals) override {
    for (;;) {
      Frame frame;
      Address from;
      while (next(frame, from)) {
        if (frame.type != FrameType::hello) {
          ++refused_;
        } else if (greet(frame, from, refusals)) {
          return true;
        }
      }
      if (monotonic_now() >= until) return false;
      poll_until(socket_.get(), -1, until);
    }
  }
  void release() noexcept override {
    close();
    session_ = 0;
  }
  std::string address() const override {
    return "udp://" + url_.host + ":" + std::to_string(url_.port);
  }
  std::size_t command_count() const override { return mine_.commands.size(); }
  std::size_t feedback_count() const override { return mine_.feedback.size(); }

 private:
  bool greet(const Frame& frame, const Address& from, std::string& refusals) {
    std::string problem;
    try {
      peer_ = Hello::parse(frame.text());
      problem = difference(mine_, peer_, "the rig", "the run");
    } catch (const std::invalid_argument& error) {
      problem = error.what();
    }
    Message number;
    number.sequence = frame.session;
    if (!problem.empty()) {
      ++refused_;
      refusals += "refused a run: " + problem + "\n";
      transmit(codec_.encode(FrameType::refused, 0, number, problem), from);
      return false;
    }
    begin(random_number() | 1U, from);
    caller_ = frame.session;
    welcome_ = mine_.text();
    transmit(codec_.encode(FrameType::welcome, session_, number, welcome_), from);
    return true;
  }

  void other(const Frame& frame, const Address& from) noexcept override {
    if (frame.type != FrameType::hello) {
      ++refused_;
      return;
    }
    Message number;
    number.sequence = frame.session;
    if (from == peer_address_ && frame.session == caller_) {  // our welcome was lost
      transmit(codec_.encode(FrameType::welcome, session_, number, welcome_), from);
      return;
    }
    ++refused_;
    transmit(codec_.encode(FrameType::refused, 0, number, "another run is connected"), from);
  }

  std::uint64_t caller_ = 0;
  std::string welcome_;
};

class UdpClient final : public UdpEnd<Link> {
 public:
  UdpClient(const Url& url, const Hello& mine, const LinkOptions& options)
      : UdpEnd(url, mine, options, false) {
    const Address address = resolve(url, "--rig");
    require_key(url, address, options, "--rig");
    socket_ = make_socket(address, SOCK_DGRAM, "--rig", url);
    const std::int64_t until =
        monotonic_now() + static_cast<std::int64_t>(1e9 * options.patience);
    const std::uint64_t nonce = random_number() | 1U;
    const std::string text = mine.text();
    while (monotonic_now() < until) {
      transmit(codec_.encode(FrameType::hello, nonce, {}, text), address);
      poll_until(socket_.get(), -1, monotonic_now() + 100'000'000);
      Frame frame;
      Address from;
      while (next(frame, from)) {
        if (frame.message.sequence != nonce || !(from == address)) continue;
        if (frame.type == FrameType::refused) {
          fail("the rig refuses: " + std::string(frame.text()),
               "give both the same experiment file and options");
        }
        if (frame.type != FrameType::welcome) continue;
        take_welcome(frame, from);
        return;
      }
    }
    fail(refused_ > 0 ? "what answers there cannot be understood: another key, or no rig"
                      : "no rig answers there",
         "start one: gusset rig FILE --listen " + url.text);
  }
  ~UdpClient() override { close(); }

 private:
  [[noreturn]] void fail(const std::string& cause, const std::string& fix) const {
    throw InputError({"--rig", 0, 0}, url_.text + ": " + cause, fix);
  }
  void take_welcome(const Frame& frame, const Address& from) {
    try {
      peer_ = Hello::parse(frame.text());
    } catch (const std::invalid_argument& error) {
      fail(std::string("the rig's answer makes no sense: ") + error.what(), "start the rig again");
    }
    const std::string problem = difference(mine_, peer_, "the run", "the rig");
    if (!problem.empty()) fail(problem, "give both the same experiment file and options");
    begin(frame.session, from);
  }
};

}  // namespace

std::unique_ptr<ServerLink> listen_udp(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<UdpServer>(url, mine, options);
}
std::unique_ptr<Link> connect_udp(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<UdpClient>(url, mine, options);
}

}  // namespace gusset

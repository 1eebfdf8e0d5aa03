#include "link/udp.hpp"

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "link/conversation.hpp"

namespace gusset {
namespace {

constexpr int most_at_once = 64;  ///< datagrams looked at before the caller has its turn again

template <class End>
class UdpEnd : public End {
 public:
  UdpEnd(const Url& url, const Hello& mine, const LinkOptions& options, bool server)
      : End(url, mine, options, server), incoming_(largest_frame), values_(talk_.in_count) {}

  bool send(const Message& message, const double* values) noexcept override {
    return transmit(talk_.message(message, values), peer_address_);
  }
  bool send_bytes(std::string_view bytes) noexcept override { return transmit(bytes, peer_address_); }

  bool receive(Message& message, double* values) noexcept override {
    drain();
    if (!fresh_) return false;
    fresh_ = false;
    message = newest_;
    std::memcpy(values, values_.data(), 8 * talk_.in_count);
    return true;
  }

  void wait(std::int64_t until) noexcept override {
    if (!fresh_ && !talk_.gone) poll_until(socket_.get(), -1, until);
  }
  void close() noexcept override {
    if (talk_.session == 0 || talk_.gone) return;
    transmit(talk_.goodbye(), peer_address_);
    talk_.gone = true;
  }

 protected:
  using End::talk_;

  bool transmit(std::string_view bytes, const Address& to) noexcept {
    return ::sendto(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL, to.get(), to.size) ==
           static_cast<ssize_t>(bytes.size());
  }
  /// One datagram that is a frame; false if nothing waits, or nothing but rubbish for a while: a flood of it
  /// must not keep the loop.
  bool next(LinkFrame& frame, Address& from) noexcept {
    for (int looks = 0; looks < most_at_once; ++looks) {
      from.size = sizeof from.storage;
      const ssize_t size =
          ::recvfrom(socket_.get(), incoming_.data(), incoming_.size(), MSG_TRUNC, from.get(), &from.size);
      if (size < 0) {
        if (errno == EINTR || errno == ECONNREFUSED) continue;
        return false;
      }
      if (talk_.codec.decode(incoming_.data(), static_cast<std::size_t>(size), frame)) return true;
      ++talk_.refused;
    }
    return false;
  }
  /// The frame is the first of a caller that was welcomed and has said nothing yet; it is the peer from now on.
  virtual bool confirms(const LinkFrame&, const Address&) noexcept { return false; }
  /// Whoever sent the frame has said goodbye: it confirms nothing any more.
  virtual void left(const LinkFrame&, const Address&) noexcept {}
  /// Anything that is not of the session's peer.
  virtual void other(const LinkFrame&, const Address&) noexcept { ++talk_.refused; }

  void drain() noexcept {
    LinkFrame frame;
    Address from;
    for (int looks = 0; looks < most_at_once && next(frame, from); ++looks) {
      const bool ours = (talk_.session != 0 && frame.session == talk_.session && from == peer_address_) ||
                        confirms(frame, from);
      if (ours && talk_.brings_values(frame)) {
        if (frame.message.sequence < newest_.sequence) continue;  // overtaken
        newest_ = frame.message;
        std::memcpy(values_.data(), frame.payload, 8 * talk_.in_count);
        fresh_ = true;
      } else if (ours && frame.type == FrameType::goodbye) {
        talk_.gone = true;
        left(frame, from);
      } else {
        other(frame, from);
      }
    }
  }
  void begin(const Address& peer_address) {
    peer_address_ = peer_address;
    fresh_ = talk_.gone = false;
    newest_ = {};
  }

  Socket socket_;
  std::vector<unsigned char> incoming_;
  std::vector<double> values_;
  Address peer_address_;
  Message newest_;
  bool fresh_ = false;
};

class UdpServer final : public UdpEnd<ConversingServer> {
 public:
  UdpServer(const Url& url, const Hello& mine, const LinkOptions& options)
      : UdpEnd(url, mine, options, true) {
    socket_ = talk_.open_door(SOCK_DGRAM, options);
  }
  ~UdpServer() override { close(); }

  bool accept(std::int64_t until, std::string& refusals) override {
    for (;;) {
      LinkFrame frame;
      Address from;
      while (next(frame, from)) {
        if (frame.type != FrameType::hello) {
          ++talk_.refused;
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
    talk_.session = 0;
  }

 private:
  bool greet(const LinkFrame& frame, const Address& from, std::string& refusals) {
    if (const std::string problem = talk_.examine(frame); !problem.empty()) {
      refusals += "refused a run: " + problem + "\n";
      transmit(talk_.refusal(frame, problem), from);
      return false;
    }
    welcome_ = talk_.mine.text();
    callers_.clear();
    confirmed_ = false;
    admit(frame, from);
    return true;
  }

  /// A greeting is no session yet: anybody can send one again that was recorded. The session is that of the first
  /// caller who sends a command with the number it was given, which takes the key where there is one.
  void admit(const LinkFrame& frame, const Address& from) {
    constexpr std::size_t most = 8;
    if (callers_.size() == most) callers_.erase(callers_.begin());
    callers_.push_back({random_number() | 1U, frame.session, from});
    talk_.session = callers_.back().session;
    begin(from);
    transmit(talk_.welcome(frame, welcome_), from);
  }

  bool confirms(const LinkFrame& frame, const Address& from) noexcept override {
    if (confirmed_ || !talk_.brings_values(frame)) return false;
    for (const Caller& caller : callers_) {
      if (caller.session != frame.session || !(caller.from == from)) continue;
      talk_.session = caller.session;
      begin(from);
      return true;
    }
    return false;
  }

  void left(const LinkFrame& frame, const Address& from) noexcept override {
    std::erase_if(callers_, [&](const Caller& caller) {
      return caller.session == frame.session && caller.from == from;
    });
  }

  void other(const LinkFrame& frame, const Address& from) noexcept override {
    if (frame.type == FrameType::goodbye) left(frame, from);
    if (frame.type != FrameType::hello) {
      ++talk_.refused;
      return;
    }
    confirmed_ = confirmed_ || newest_.sequence > 0;
    for (const Caller& caller : callers_) {  // our welcome was lost
      if (caller.greeting != frame.session || !(caller.from == from)) continue;
      const std::uint64_t session = std::exchange(talk_.session, caller.session);
      transmit(talk_.welcome(frame, welcome_), from);
      talk_.session = session;
      return;
    }
    if (confirmed_) {
      transmit(talk_.refusal(frame, busy), from);
    } else if (const std::string problem = talk_.examine(frame); !problem.empty()) {
      transmit(talk_.refusal(frame, problem), from);
    } else {
      admit(frame, from);
    }
  }

  struct Caller {
    std::uint64_t session, greeting;
    Address from;
  };
  std::vector<Caller> callers_;  ///< welcomed, the last ones
  bool confirmed_ = false;
  std::string welcome_;
};

class UdpClient final : public UdpEnd<ConversingEnd<Link>> {
 public:
  UdpClient(const Url& url, const Hello& mine, const LinkOptions& options)
      : UdpEnd(url, mine, options, false) {
    const Address address = resolve(url, "--rig");
    require_key(url, address, options, "--rig");
    socket_ = make_socket(address, SOCK_DGRAM, "--rig", url);
    const std::int64_t until = monotonic_now() + static_cast<std::int64_t>(1e9 * options.patience);
    const std::uint64_t nonce = random_number() | 1U;
    const std::string text = mine.text();
    while (monotonic_now() < until) {
      transmit(talk_.codec.encode(FrameType::hello, nonce, {}, text), address);
      poll_until(socket_.get(), -1, monotonic_now() + 100'000'000);
      LinkFrame frame;
      Address from;
      while (next(frame, from)) {
        if (frame.message.sequence != nonce || !(from == address)) continue;
        if (frame.type == FrameType::refused) talk_.take_refusal(frame);
        if (frame.type != FrameType::welcome) continue;
        talk_.take_welcome(frame);
        begin(from);
        // From now on the kernel keeps everybody else's datagrams away.
        ::connect(socket_.get(), from.get(), from.size);
        return;
      }
    }
    // A rig that cannot read our greeting does not answer it, or anybody could keep it busy.
    talk_.fail(talk_.refused > 0     ? "what answers there cannot be understood: another key, or no rig"
               : options.key.empty() ? "no rig answers there, or it asks for a key"
                                     : "no rig answers there, or it has another key",
               "start one: gusset rig FILE --listen " + url.text +
                   (options.key.empty() ? "" : ", and give both the same --key"));
  }
  ~UdpClient() override { close(); }
};

}  // namespace

std::unique_ptr<ServerLink> listen_udp(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<UdpServer>(url, mine, options);
}
std::unique_ptr<Link> connect_udp(const Url& url, const Hello& mine, const LinkOptions& options) {
  return std::make_unique<UdpClient>(url, mine, options);
}

}  // namespace gusset

#pragma once

#include <string>
#include <string_view>

#include "link/frame.hpp"
#include "link/link.hpp"
#include "link/socket.hpp"

namespace gusset {

/// What a rig tells a second run.
inline constexpr std::string_view busy = "another run is connected";

/// What an end of udp:// and of tcp:// has in common, whatever carries the frames: who talks to whom
/// about what, in which session, and how the two agree at its start.
struct Conversation {
  Conversation(const Url& url, const Hello& mine, const LinkOptions& options, bool server);

  // -- the rig's end --
  /// A socket bound to the URL's address; the URL gets the port. Throws InputError.
  Socket open_door(int type, const LinkOptions& options);
  /// What stands against the run that greets with this frame; empty: nothing, and it is the peer.
  std::string examine(const LinkFrame& hello);
  /// The answer to a hello: a welcome, or a refusal with the reason.
  std::string_view welcome(const LinkFrame& hello, std::string_view text) noexcept;
  std::string_view refusal(const LinkFrame& hello, std::string_view problem) noexcept;
  std::string address() const;

  // -- the run's end --
  /// The rig refused, or its welcome makes no sense or does not agree: throws InputError.
  [[noreturn]] void take_refusal(const LinkFrame& frame) const;
  void take_welcome(const LinkFrame& frame);
  [[noreturn]] void fail(const std::string& cause, const std::string& fix) const;

  // -- both --
  std::string_view message(const Message& message, const double* values) noexcept;
  std::string_view goodbye() noexcept;
  /// A frame of the session with the numbers that the peer owes. @rt-safe
  bool brings_values(const LinkFrame& frame) const noexcept {
    return frame.type == in_type && frame.count == in_count;
  }

  Url url;
  Hello mine, peer;
  FrameCodec codec;
  FrameType out_type, in_type;
  std::size_t out_count, in_count;
  std::uint64_t session = 0;  ///< 0: none yet
  bool gone = false;
  std::uint64_t refused = 0;
};

/// The parts of Link that only ask the conversation.
template <class Base>
class ConversingEnd : public Base {
 public:
  ConversingEnd(const Url& url, const Hello& mine, const LinkOptions& options, bool server)
      : talk_(url, mine, options, server) {}
  bool lost() const noexcept override { return talk_.gone; }
  std::uint64_t refused() const noexcept override { return talk_.refused; }
  const Hello& peer() const override { return talk_.peer; }
  std::uint64_t session() const noexcept override { return talk_.session; }

 protected:
  Conversation talk_;
};

/// Those of a rig's end, too.
class ConversingServer : public ConversingEnd<ServerLink> {
 public:
  using ConversingEnd::ConversingEnd;
  std::string address() const override { return talk_.address(); }
  std::size_t command_count() const override { return talk_.mine.commands.size(); }
  std::size_t feedback_count() const override { return talk_.mine.feedback.size(); }
};

}  // namespace gusset

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "link/hello.hpp"
#include "link/message.hpp"
#include "link/url.hpp"

namespace gusset {

/// One end of the connection between the loop and the rig, after both agreed on what they exchange.
/// One thread uses it. A link keeps the newest message only: a command that was overtaken is of no use
/// to anybody.
class Link {
 public:
  virtual ~Link() = default;

  /// Sends as many numbers as the handshake announced. False if it could not go out. @rt-safe
  virtual bool send(const Message& message, const double* values) noexcept = 0;
  /// The newest message that was not taken yet; false, and both arguments untouched, if there is none.
  /// @rt-safe
  virtual bool receive(Message& message, double* values) noexcept = 0;
  /// Sends bytes as they are, to see what a rig does with rubbish. False where a link has no bytes.
  virtual bool send_bytes(std::string_view) noexcept { return false; }
  /// The number that the rig gave this session; 0 where a link has none.
  virtual std::uint64_t session() const noexcept { return 0; }
  /// Returns when something may have come, or at `until` (CLOCK_MONOTONIC, ns). @rt-safe
  virtual void wait(std::int64_t until) noexcept = 0;
  /// The peer said goodbye, or the connection broke. @rt-safe
  virtual bool lost() const noexcept { return false; }
  /// Frames and peers turned away so far: garbage, strangers, old sessions. @rt-safe
  virtual std::uint64_t refused() const noexcept { return 0; }
  /// Tells the peer that this end leaves.
  virtual void close() noexcept {}
  /// What the peer said of itself.
  virtual const Hello& peer() const = 0;
};

/// The end that waits to be called: a rig's. While one peer is served all others are refused.
class ServerLink : public Link {
 public:
  /// Waits for a peer until `until` (CLOCK_MONOTONIC, ns) and agrees with it, or refuses it and goes on
  /// waiting. True: a session has begun. What was refused, and why, goes to `refusals`.
  virtual bool accept(std::int64_t until, std::string& refusals) = 0;
  /// Ends the session and is ready for another.
  virtual void release() noexcept = 0;
  /// Where it can be reached: the URL with the port it got.
  virtual std::string address() const = 0;
  virtual std::size_t command_count() const = 0;
  virtual std::size_t feedback_count() const = 0;
};

struct LinkOptions {
  std::string key;      ///< shared secret of both ends; empty: frames are not signed
  double patience = 5;  ///< how long to look for the peer, and to wait for its answer [s]
};

/// Calls the rig at `url`. Throws InputError if it is not there or does not agree, with the difference.
std::unique_ptr<Link> connect_link(const Url& url, const Hello& mine, const LinkOptions& options);
std::unique_ptr<ServerLink> listen_link(const Url& url, const Hello& mine, const LinkOptions& options);

/// CLOCK_MONOTONIC [ns]. @rt-safe
std::int64_t monotonic_now() noexcept;

}  // namespace gusset

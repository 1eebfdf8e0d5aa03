#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/row.hpp"
#include "realtime/operator.hpp"
#include "session/live_block.hpp"

namespace gusset {

/// A command that came over the socket.
struct LoggedCommand {
  double time = 0;  ///< of the test [s]
  std::string command;
  int pid = 0;
  int uid = 0;
  std::string name;  ///< as the client calls itself
};

/// What a running test offers to those who attach.
struct Offer {
  LiveBlock* block = nullptr;
  const LoopStatus* status = nullptr;
  Operator* operators = nullptr;
  std::string title, out;
  std::vector<Signal> signals;  ///< of the rows
  double dt = 0, rig_dt = 0, duration = 0;
};

/// The socket of a running test. One JSON object a line, either way; docs/real-time.md has the list. A thread of
/// its own, of ordinary priority, answers what is asked and sends nothing unasked but the greeting: a client
/// that does not read is not read from either once 1 MB waits for it, and the loop knows of none of them.
///
/// Served are processes of the same user, and root (SO_PEERCRED).
class SocketServer {
 public:
  /// Takes the place at `path`; a socket that a dead process left there is removed. Throws InputError.
  explicit SocketServer(const std::string& path);
  /// Hangs up and removes the socket.
  ~SocketServer();
  SocketServer(const SocketServer&) = delete;
  SocketServer& operator=(const SocketServer&) = delete;

  void serve(Offer offer);
  /// Hangs up; afterwards commands() is final.
  void stop();
  const std::string& path() const;
  std::vector<LoggedCommand> commands() const;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace gusset

#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "link/socket.hpp"
#include "session/live_block.hpp"

namespace gusset {

/// The socket of the run that writes, or will write, this run file. The path of a socket is taken as it is.
std::string socket_of(const std::string& run);

/// Attaches to a running test. One thread uses it.
class SocketClient {
 public:
  using Json = nlohmann::ordered_json;

  /// `name`: how the client wants to be called in the record. Throws InputError if there is no run, or it
  /// refuses.
  explicit SocketClient(const std::string& path, std::string name = {}, double patience = 5);

  /// What the run said of itself: title, signals with units, steps, duration.
  const Json& hello() const { return hello_; }
  /// Sends a request and waits for its answer. Throws InputError if the run is over or does not answer.
  Json ask(Json request);
  Json status() { return ask({{"do", "status"}}); }
  Json row() { return ask({{"do", "row"}}); }
  Json frames(std::uint64_t since) { return ask({{"do", "frames"}, {"since", since}}); }
  Json hold() { return ask({{"do", "hold"}}); }
  Json resume() { return ask({{"do", "resume"}}); }
  Json stop(bool at_once = false) { return ask({{"do", "stop"}, {"at_once", at_once}}); }
  /// The shared memory of the test, which stays readable when the test is over.
  LiveView memory();

  /// For tests: bytes as they are, and a line as it comes.
  void send(std::string_view bytes);
  std::string line();

 private:
  void receive();

  std::string path_, name_;
  double patience_;
  Socket socket_;
  std::string in_;
  int passed_file_ = -1;  ///< a file that came along
  Json hello_;
};

}  // namespace gusset

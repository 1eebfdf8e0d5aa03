#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "session/socket_server.hpp"

namespace gusset {

/// What a running test answers to requests over its socket. The socket's thread asks; commands() is of any.
class SocketAnswers {
 public:
  using Json = nlohmann::ordered_json;
  struct Sender {
    int pid = 0, uid = 0;
    std::string name;
  };

  explicit SocketAnswers(const Offer& offer) : offer_(offer), view_(offer.block->memory()) {}

  Json hello() const;
  /// The answer to a request to do `what`; a command is carried out.
  Json to(const std::string& what, const Json& request, const Sender& sender, std::size_t clients);
  std::vector<LoggedCommand> commands() const;

  static Json refusal(const std::string& why) { return {{"ok", false}, {"error", why}}; }

 private:
  bool command(const std::string& what, bool at_once, const Sender& sender);
  Json status(std::size_t clients) const;
  Json row() const;
  Json frames(std::uint64_t since) const;

  const Offer& offer_;
  LiveView view_;
  mutable std::mutex mutex_;
  std::vector<LoggedCommand> commands_;
};

}  // namespace gusset

#include "link/conversation.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "base/error.hpp"

namespace gusset {
namespace {

Message answer_to(const LinkFrame& hello) noexcept {
  Message message;
  message.sequence = hello.session;
  return message;
}

constexpr const char* same_file = "give both the same experiment file and options";

}  // namespace

Conversation::Conversation(const Url& to, const Hello& own, const LinkOptions& options, bool server)
    : url(to),
      mine(own),
      codec(options.key),
      out_type(server ? FrameType::feedback : FrameType::command),
      in_type(server ? FrameType::command : FrameType::feedback),
      out_count(server ? own.feedback.size() : own.commands.size()),
      in_count(server ? own.commands.size() : own.feedback.size()) {}

Socket Conversation::open_door(int type, const LinkOptions& options) {
  const Address address = resolve(url, "--listen");
  require_key(url, address, options, "--listen");
  Socket door = make_socket(address, type, "--listen", url);
  if (type == SOCK_STREAM) {  // or the port stays taken for minutes after a rig has left
    const int yes = 1;
    setsockopt(door.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  }
  if (::bind(door.get(), address.get(), address.size) != 0 ||
      (type == SOCK_STREAM && ::listen(door.get(), 8) != 0)) {
    throw InputError({"--listen", 0, 0}, url.text + " cannot be used: " + std::strerror(errno),
                     "choose another port");
  }
  Address bound;
  getsockname(door.get(), bound.get(), &bound.size);
  url.port = bound.port();
  return door;
}

std::string Conversation::examine(const LinkFrame& hello) {
  if (hello.type != FrameType::hello) return "it did not greet";
  try {
    peer = Hello::parse(hello.text());
    return difference(mine, peer, "the rig", "the run");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

std::string_view Conversation::welcome(const LinkFrame& hello, std::string_view text) noexcept {
  return codec.encode(FrameType::welcome, session, answer_to(hello), text);
}

std::string_view Conversation::refusal(const LinkFrame& hello, std::string_view problem) noexcept {
  ++refused;
  return codec.encode(FrameType::refused, 0, answer_to(hello), problem);
}

std::string Conversation::address() const {
  return url.scheme + "://" + url.host + ":" + std::to_string(url.port);
}

void Conversation::take_refusal(const LinkFrame& frame) const {
  fail("the rig refuses: " + std::string(frame.text()),
       frame.text() == busy ? "wait until it ends, or stop it" : same_file);
}

void Conversation::take_welcome(const LinkFrame& frame) {
  try {
    peer = Hello::parse(frame.text());
  } catch (const std::invalid_argument& error) {
    fail(std::string("the rig's answer makes no sense: ") + error.what(), "start the rig again");
  }
  const std::string problem = mine.only_asks() ? std::string() : difference(mine, peer, "the run", "the rig");
  if (!problem.empty()) fail(problem, same_file);
  session = frame.session;
}

void Conversation::fail(const std::string& cause, const std::string& fix) const {
  throw InputError({"--rig", 0, 0}, url.text + ": " + cause, fix);
}

std::string_view Conversation::message(const Message& message, const double* values) noexcept {
  return codec.encode(out_type, session, message, values, out_count);
}

std::string_view Conversation::goodbye() noexcept {
  return codec.encode(FrameType::goodbye, session, {}, nullptr, 0);
}

}  // namespace gusset

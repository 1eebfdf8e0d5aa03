// A rig's door with people in it who never mean to come in: an honest run is served all the same.

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "link/frame.hpp"
#include "link/socket.hpp"
#include "support/served_rig.hpp"

namespace gusset {
namespace {

using namespace test;

Socket call(const Url& url) {
  const Address address = resolve(url, "test");
  Socket socket(::socket(AF_INET, url.scheme == "tcp" ? SOCK_STREAM : SOCK_DGRAM, 0));
  EXPECT_EQ(::connect(socket.get(), address.get(), address.size), 0);
  return socket;
}

void say(const Socket& socket, std::string_view bytes) {
  EXPECT_EQ(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
}

/// Whether a run that is called now, and has little patience, gets an answer to a command.
bool served(const ServedRig& rig, const std::string& key) {
  LinkOptions options;
  options.key = key;
  options.patience = 0.8;
  std::unique_ptr<Link> link;
  try {
    link = connect_link(rig.url(), rig.hello, options);
  } catch (const InputError& error) {
    ADD_FAILURE() << error.cause();
    return false;
  }
  const std::vector<double> command(rig.hello.commands.size());
  std::vector<double> answer(rig.hello.feedback.size());
  Message message, reply;
  message.sequence = 1;
  link->send(message, command.data());
  for (int i = 0; i < 50 && !link->receive(reply, answer.data()); ++i)
    link->wait(monotonic_now() + 20'000'000);
  return reply.sequence == 1 && !link->lost();
}

const std::string key = "0123456789abcdefghij";

TEST(CrowdedDoorThread, SilentConnectionsKeepNobodyOut) {
  ServedRig rig("tcp://127.0.0.1:0");
  std::vector<Socket> silent;
  for (int i = 0; i < 6; ++i) silent.push_back(call(rig.url()));
  say(silent[3], "GSF");  // and one that never gets to the end of its frame
  EXPECT_TRUE(served(rig, ""));
}

TEST(CrowdedDoorThread, MoreConnectionsThanThereIsRoomFor) {
  ServedRig rig("tcp://127.0.0.1:0");
  std::vector<Socket> silent;
  for (int i = 0; i < 40; ++i) silent.push_back(call(rig.url()));
  EXPECT_TRUE(served(rig, ""));
}

/// Recorded from the wire and sent again by somebody who has no key: it is welcomed, and can do nothing with it.
TEST(CrowdedDoorThread, AGreetingThatIsSentAgainIsNoSession) {
  for (const char* address : {"udp://127.0.0.1:0", "tcp://127.0.0.1:0"}) {
    SCOPED_TRACE(address);
    LinkOptions options;
    options.key = key;
    ServedRig rig(address, options);
    FrameCodec codec(key);
    const std::string recorded(codec.encode(FrameType::hello, 77, {}, rig.hello.text()));
    std::vector<Socket> thieves;
    for (int i = 0; i < 3; ++i) {
      thieves.push_back(call(rig.url()));
      say(thieves.back(), recorded);
    }
    EXPECT_TRUE(served(rig, key));
  }
}

/// The same without a key: a greeting with nothing after it.
TEST(CrowdedDoorThread, AGreetingWithNothingAfterItIsNoSession) {
  for (const char* address : {"udp://127.0.0.1:0", "tcp://127.0.0.1:0"}) {
    SCOPED_TRACE(address);
    ServedRig rig(address);
    FrameCodec codec("");
    const Socket idle = call(rig.url());
    say(idle, codec.encode(FrameType::hello, 77, {}, rig.hello.text()));
    EXPECT_TRUE(served(rig, ""));
  }
}

/// A caller who was welcomed, and whose session another one has taken, is told so.
TEST(CrowdedDoorThread, TheFirstCommandDecidesWhoseSessionItIs) {
  ServedRig rig("tcp://127.0.0.1:0");
  const std::unique_ptr<Link> slow = connect_link(rig.url(), rig.hello, {});
  const std::unique_ptr<Link> quick = connect_link(rig.url(), rig.hello, {});
  const std::vector<double> command(rig.hello.commands.size());
  std::vector<double> answer(rig.hello.feedback.size());
  Message message, reply;
  message.sequence = 1;
  quick->send(message, command.data());
  for (int i = 0; i < 50 && !quick->receive(reply, answer.data()); ++i)
    quick->wait(monotonic_now() + 20'000'000);
  EXPECT_EQ(reply.sequence, 1U);
  slow->send(message, command.data());
  for (int i = 0; i < 50 && !slow->lost(); ++i) {
    slow->wait(monotonic_now() + 20'000'000);
    EXPECT_FALSE(slow->receive(reply, answer.data()));
  }
  EXPECT_TRUE(slow->lost());
  EXPECT_FALSE(quick->lost());
}

}  // namespace
}  // namespace gusset

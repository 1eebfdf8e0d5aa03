// Strangers at the door: garbage, a second peer, an old version, another file, no key. Each is refused
// with the difference named, and the session that goes on is not harmed.

#include <gtest/gtest.h>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>

#include "analysis/simulation.hpp"
#include "base/error.hpp"
#include "link/frame.hpp"
#include "link/socket.hpp"
#include "support/run_bench.hpp"
#include "support/served_rig.hpp"

namespace gusset {
namespace {

using namespace test;

std::string refusal(const Url& url, const Hello& hello, LinkOptions options = {}) {
  options.patience = 1;
  try {
    connect_link(url, hello, options);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.fix().empty());
    return error.cause();
  }
  return "accepted";
}

const char* const schemes[] = {"shm:refusal", "udp://127.0.0.1:0", "tcp://127.0.0.1:0"};

std::string address_of(const char* scheme) {
  const std::string text = scheme;
  return text.starts_with("shm:") ? text + std::to_string(getpid()) : text;
}

TEST(LinkRefusalThread, ARunThatHasLeftDoesNotEndTheNext) {
  for (const char* scheme : schemes) {
    SCOPED_TRACE(scheme);
    ServedRig rig(address_of(scheme));
    std::unique_ptr<Link> first = connect_link(rig.url(), rig.hello, {});
    first->close();
    // The rig may take a moment to notice that the first has left.
    std::unique_ptr<Link> second;
    for (int i = 0; i < 100 && !second; ++i) {
      try {
        second = connect_link(rig.url(), rig.hello, {});
      } catch (const InputError&) {
        usleep(20'000);
      }
    }
    ASSERT_TRUE(second);
    std::vector<double> command(rig.hello.commands.size()), answer(rig.hello.feedback.size());
    Message message, reply;
    message.sequence = 1'000'000;  // far ahead of the second's
    EXPECT_TRUE(first->lost());
    first->send(message, command.data());
    first.reset();
    EXPECT_FALSE(second->lost());
    message.sequence = 1;
    second->send(message, command.data());
    for (int i = 0; i < 100 && !second->receive(reply, answer.data()); ++i) {
      second->wait(monotonic_now() + 20'000'000);
    }
    EXPECT_EQ(reply.sequence, 1U);
    EXPECT_FALSE(second->lost());
  }
}

TEST(LinkRefusalThread, NamesTheDifference) {
  for (const char* scheme : schemes) {
    SCOPED_TRACE(scheme);
    ServedRig rig(address_of(scheme));
    Hello other = rig.hello;
    other.protocol = 0 + 2;
    EXPECT_NE(refusal(rig.url(), other).find("version 2"), std::string::npos);
    other = rig.hello;
    other.version = "0.0.9";
    EXPECT_NE(refusal(rig.url(), other).find("0.0.9"), std::string::npos);
    other = rig.hello;
    other.mode = "paced";
    EXPECT_NE(refusal(rig.url(), other).find("--lockstep"), std::string::npos);
    other = rig.hello;
    other.period = 2'000'000;
    EXPECT_NE(refusal(rig.url(), other).find("2000000 ns"), std::string::npos);
    other = rig.hello;
    other.commands[0].second = "N";
    EXPECT_NE(refusal(rig.url(), other).find("unit of damper.command"), std::string::npos);
    other = rig.hello;
    other.feedback[0].first = "brace.measured";
    EXPECT_NE(refusal(rig.url(), other).find("brace.measured"), std::string::npos);
    const Document changed = quickstart({"specimen.damping=21 kN*s/m"});
    const Experiment experiment = Experiment::build(changed);
    EXPECT_NE(refusal(rig.url(), hello_of(changed, experiment, true)).find("specimen.damping"),
              std::string::npos);
    // And the right one is still welcome.
    LinkOptions options;
    const std::unique_ptr<Link> link = connect_link(rig.url(), rig.hello, options);
    // Over udp a greeting alone is no session: anybody could send one that was recorded.
    Message command;
    command.sequence = 1;
    const std::vector<double> values(rig.hello.commands.size());
    link->send(command, values.data());
    link->wait(monotonic_now() + 200'000'000);
    EXPECT_NE(refusal(rig.url(), rig.hello).find("another run is connected"), std::string::npos);
    link->close();
    rig.finish();
    EXPECT_NE(rig.log.find("specimen.damping"), std::string::npos) << "the rig says so too";
  }
}

TEST(LinkRefusalThread, TheSameValueInOtherUnitsIsTheSame) {
  const Document a = quickstart(), b = quickstart({"specimen.damping=20000 N*s/m"});
  const Experiment experiment = Experiment::build(a);
  EXPECT_EQ(hello_of(a, experiment, true).experiment, hello_of(b, experiment, true).experiment);
}

/// Throws everything at a rig while a test runs over it.
TEST(LinkRefusalThread, GarbageAndStrangersDoNotHarmARun) {
  for (const char* scheme : {"udp://127.0.0.1:0", "tcp://127.0.0.1:0"}) {
    SCOPED_TRACE(scheme);
    ServedRig rig(scheme);
    const Url url = rig.url();
    const std::unique_ptr<Link> link = connect_link(url, rig.hello, {});
    std::atomic<bool> stop{false};
    std::thread vandal([&] {
      const Address address = resolve(url, "test");
      const bool tcp = url.scheme == "tcp";
      FrameCodec codec("");
      unsigned seed = 1;
      while (!stop) {
        Socket socket(::socket(AF_INET, tcp ? SOCK_STREAM : SOCK_DGRAM, 0));
        if (::connect(socket.get(), address.get(), address.size) != 0) continue;
        std::string bytes(200, '\0');
        for (char& c : bytes) c = static_cast<char>(seed = seed * 1103515245 + 12345);
        const auto throw_it = [&](std::string_view what) {
          [[maybe_unused]] const auto n = ::send(socket.get(), what.data(), what.size(), MSG_NOSIGNAL);
        };
        throw_it(bytes);
        throw_it("GSF1");
        const double values[4] = {1, 1, 1, 1};
        Message command;
        command.sequence = 1u << 30;
        command.phase = LinkPhase::test;
        throw_it(codec.encode(FrameType::command, 12345, command, values, 4));  // no session of ours
        throw_it(codec.encode(FrameType::goodbye, 12345, {}, nullptr, 0));
        throw_it(codec.encode(FrameType::hello, 7, {}, "gusset-link 1\n"));
        std::this_thread::yield();
      }
    });
    VirtualClock clock;
    MemorySink sink(rig.tested);
    LoopOptions options;
    options.lockstep = true;
    RunLoop loop(rig.tested, *link, clock, sink, options);
    Operator operators;
    const LoopResult result = loop.run(operators);
    stop = true;
    vandal.join();
    link->close();
    EXPECT_TRUE(result.completed) << name_of(result.first_out);
    const Simulation simulation = simulate(rig.tested, {.reference = false, .progress = {}});
    EXPECT_EQ(first_difference(simulation.tables, sink), "");
    rig.finish();
    EXPECT_GT(rig.refused(), 0U);
  }
}

TEST(LinkRefusalThread, AKeyIsRequiredBeyondThisMachine) {
  const Document document = quickstart();
  const Experiment experiment = Experiment::build(document);
  const Hello hello = hello_of(document, experiment, true);
  for (const char* url : {"udp://0.0.0.0:0", "tcp://0.0.0.0:0", "udp://192.0.2.1:7400"}) {
    EXPECT_THROW(listen_link(parse_url(url, "--listen"), hello, {}), InputError) << url;
    EXPECT_NE(refusal(parse_url(url, "--rig"), hello).find("not on this machine"), std::string::npos);
  }
  LinkOptions short_key;
  short_key.key = "secret";
  EXPECT_THROW(listen_link(parse_url("udp://0.0.0.0:0", "--listen"), hello, short_key), InputError);
}

TEST(LinkRefusalThread, AnotherKeyIsNoKey) {
  LinkOptions right, wrong, none;
  right.key = "0123456789abcdef";
  wrong.key = "0123456789abcdeX";
  for (const char* scheme : {"udp://127.0.0.1:0", "tcp://127.0.0.1:0"}) {
    SCOPED_TRACE(scheme);
    ServedRig rig(scheme, right);
    EXPECT_NE(refusal(rig.url(), rig.hello, wrong), "accepted");
    EXPECT_NE(refusal(rig.url(), rig.hello, none), "accepted");
    EXPECT_EQ(refusal(rig.url(), rig.hello, right), "accepted");
  }
}

TEST(LinkFrame, EveryBitIsProtected) {
  for (const char* key : {"", "0123456789abcdef"}) {
    FrameCodec codec(key);
    const double values[3] = {1.5, -2.25, 1e300};
    Message message{7, 123456789, 42, 3, LinkPhase::hold, 5};
    const std::string frame(codec.encode(FrameType::feedback, 99, message, values, 3));
    EXPECT_EQ(frame.size(), 56 + 24 + 4 + (*key != 0 ? 32U : 0U));
    LinkFrame back;
    const auto* bytes = reinterpret_cast<const unsigned char*>(frame.data());
    ASSERT_TRUE(codec.decode(bytes, frame.size(), back));
    EXPECT_EQ(back.session, 99U);
    EXPECT_EQ(back.message.sequence, 7U);
    EXPECT_EQ(back.message.step, 42);
    EXPECT_EQ(back.message.phase, LinkPhase::hold);
    EXPECT_EQ(std::memcmp(back.payload, values, sizeof values), 0);
    for (std::size_t i = 0; i < 8 * frame.size(); ++i) {
      std::string damaged = frame;
      damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << (i % 8)));
      EXPECT_FALSE(codec.decode(reinterpret_cast<const unsigned char*>(damaged.data()), damaged.size(), back))
          << "bit " << i;
    }
    for (std::size_t size = 0; size < frame.size(); ++size) {
      EXPECT_FALSE(codec.decode(bytes, size, back));
    }
  }
}

TEST(LinkFrame, SignsAsOpenSslDoes) {
  for (const std::string& key : {std::string("k"), std::string(64, 'a'), std::string(100, 'b')}) {
    const Hmac hmac(key);
    for (const std::size_t size : {0, 1, 55, 56, 64, 1000}) {
      const std::string text(size, 'x');
      unsigned char expected[32];
      unsigned length = 0;
      HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), expected, &length);
      const Hmac::Digest own = hmac.sign(text.data(), text.size());
      EXPECT_EQ(std::memcmp(own.data(), expected, 32), 0) << size;
    }
  }
}

TEST(Hello, NoTextIsDangerous) {
  for (const char* text : {"", "gusset-link", "gusset-link x", "nonsense", "version 1\ngusset-link 1",
                           "gusset-link 99999999999999999999", "gusset-link 1\nperiod abc"}) {
    EXPECT_THROW(Hello::parse(text), std::invalid_argument) << text;
  }
  EXPECT_THROW(Hello::parse(std::string(largest_hello + 1, 'x')), std::invalid_argument);
  EXPECT_NO_THROW(Hello::parse("gusset-link 1\nsomething new\ncommand\n"));
}

TEST(Url, SaysWhatIsWrong) {
  for (const char* text :
       {"", "shm", "shm:", "shm:a/b", "upd://localhost:1", "udp:localhost:1", "udp://localhost",
        "udp://localhost:99999", "udp://:1", "tcp://h:1x", "local:x", "plugin:"}) {
    EXPECT_THROW(parse_url(text, "--rig"), InputError) << text;
  }
  EXPECT_EQ(parse_url("tcp://[::1]:7400", "--rig").host, "::1");
}

}  // namespace
}  // namespace gusset

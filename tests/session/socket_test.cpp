#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <random>
#include <thread>

#include "session/sessions.hpp"
#include "session/socket_client.hpp"
#include "session/unix_socket.hpp"

namespace gusset {
namespace {

using namespace test;
using Json = SocketClient::Json;

/// A test that stands at one of its beats until it is let go.
struct Paused {
  TemporaryFolder folder;
  ScriptedClock clock;
  Barrier barrier;
  Session session;

  explicit Paused(std::int64_t at = 1000, SessionOptions options = {})
      : session(short_quickstart(), with(std::move(options))) {
    clock.before = [this, at](std::int64_t beat) {
      if (beat == at) barrier.wait_in_loop();
    };
    EXPECT_TRUE(session.arm().granted());
    session.start();
    barrier.until_reached();
  }
  ~Paused() { barrier.open(); }

  SessionOptions with(SessionOptions options) {
    if (options.out.empty()) options.out = out();
    options.clock = &clock;
    return options;
  }
  std::string out() const { return folder / "run.h5"; }
  std::string socket() const { return session.socket(); }
  SessionResult finish() {
    barrier.open();
    return session.finish();
  }
  void expect_undisturbed() {
    const SessionResult result = finish();
    EXPECT_TRUE(result.success()) << name_of(result.loop.first_out);
    EXPECT_EQ(difference_from_simulate(read_run(out()), session.test()), "");
    EXPECT_EQ(folder.files(), std::vector<std::string>{"run.h5"});
  }
};

/// Asks until the run is in that state.
void await_state(SocketClient& client, const std::string& state) {
  for (int i = 0; i < 5000 && client.status()["state"] != state; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(client.status()["state"], state);
}

TEST(SocketThread, GreetsWithSignalsAndTellsHowTheTestStands) {
  Paused test;
  EXPECT_EQ(test.socket(), test.out() + ".socket");
  EXPECT_EQ(socket_of(test.out()), test.socket());
  SocketClient client(test.socket());
  const Json& hello = client.hello();
  EXPECT_EQ(hello["protocol"], 1);
  EXPECT_EQ(hello["pid"], getpid());
  EXPECT_EQ(hello["duration"], 2.0);
  EXPECT_EQ(hello["signals"][0], Json({{"name", "storey1.displacement"}, {"unit", "m"}}));
  const Json status = client.status();
  EXPECT_EQ(status["state"], "running");
  EXPECT_EQ(status["cause"], "none");
  EXPECT_GT(status["time"], 0.9);
  EXPECT_LT(status["time"], 1.0);
  // The latest row is that of the record.
  const Json row = client.row();
  const std::size_t number = row["row"];
  EXPECT_EQ(row["values"].size(), hello["signals"].size());
  test.expect_undisturbed();
  const auto recorded = read_run(test.out());
  for (std::size_t i = 0; i < hello["signals"].size(); ++i) {
    const std::string name = hello["signals"][i]["name"];
    const Trace* const trace = recorded.find(name);
    ASSERT_NE(trace, nullptr) << name;
    const bool slow = name.starts_with("storey") || name.starts_with("ground");
    EXPECT_EQ(row["values"][i], trace->values[slow ? number / 4 : number]) << name;
  }
  EXPECT_THROW(client.status(), InputError) << "the run is over";
}

TEST(SocketThread, HoldAndResumeAreInTheRecordWithTheirSender) {
  Paused test;
  SocketClient client(test.socket(), "a console");
  EXPECT_EQ(client.hold()["ok"], true);
  test.barrier.open();
  await_state(client, "hold");
  EXPECT_EQ(client.resume()["ok"], true);
  const SessionResult result = test.finish();
  EXPECT_TRUE(result.success()) << name_of(result.loop.first_out);
  ASSERT_EQ(result.commands.size(), 2U);
  EXPECT_EQ(result.commands[0].command, "hold");
  EXPECT_EQ(result.commands[0].pid, getpid());
  EXPECT_EQ(result.commands[0].uid, static_cast<int>(geteuid()));
  EXPECT_EQ(result.commands[1].name, "a console");
  const auto recorded = read_run(test.out());
  EXPECT_EQ(difference_from_simulate(recorded, test.session.test(), 0.9), "");
  const std::string process = " asked for by process " + std::to_string(getpid());
  std::vector<std::string> order;
  for (const Event& event : recorded.events) {
    if (event.source == "socket" || event.text == "state: hold") order.push_back(event.text);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"hold" + process, "state: hold", "resume" + process}));
  bool listed = false;
  for (const auto& [name, text] : recorded.texts) {
    if (name == "commands") listed = Json::parse(text)[1]["name"] == "a console";
  }
  EXPECT_TRUE(listed);
}

TEST(SocketThread, StopRampsDownHoweverOftenAndAtOnceOnlyIfAsked) {
  for (const bool at_once : {false, true}) {
    Paused test;
    SocketClient one(test.socket()), other(test.socket());
    EXPECT_EQ(one.stop()["ok"], true);
    EXPECT_EQ(other.stop(at_once)["ok"], true);
    const SessionResult result = test.finish();
    EXPECT_FALSE(result.success());
    EXPECT_EQ(result.loop.state, at_once ? RunState::faulted : RunState::stopped);
    EXPECT_EQ(count_events(read_run(test.out()), "stop asked for"), at_once ? 1 : 2);
    EXPECT_EQ(count_events(read_run(test.out()), "stop at once asked for"), at_once ? 1 : 0);
  }
}

TEST(SocketThread, FramesAreTheLeastAndTheMostOfTheirRows) {
  Paused test(1900);
  SocketClient client(test.socket());
  const LiveView memory = client.memory();
  Json frames = Json::array();
  std::uint64_t next = 0;
  for (Json answer; answer = client.frames(next), !answer["frames"].empty(); next = answer["next"]) {
    EXPECT_EQ(answer["missed"], 0);
    for (const Json& frame : answer["frames"]) frames.push_back(frame);
  }
  ASSERT_GT(frames.size(), 50U);
  EXPECT_EQ(client.hello()["rows_a_frame"], 20);
  LiveView::Row row;
  ASSERT_TRUE(memory.row(row));
  const Json asked = client.row();
  EXPECT_EQ(asked["row"], row.number);
  const std::vector<LiveView::Frame> mapped = memory.frames(0, 10'000);
  ASSERT_EQ(mapped.size(), frames.size());
  test.expect_undisturbed();
  // The memory outlives the run.
  EXPECT_EQ(memory.frames_written() * 20, 2000U);
  const auto recorded = read_run(test.out());
  std::size_t force = 0;
  while (client.hello()["signals"][force]["name"] != "damper.force") ++force;
  const std::vector<double>& values = recorded.find("damper.force")->values;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(20 * i);
    const auto [least, most] = std::minmax_element(begin, begin + 20);
    EXPECT_EQ(frames[i]["row"], 20 * i);
    EXPECT_EQ(frames[i]["min"][force], *least) << i;
    EXPECT_EQ(frames[i]["max"][force], *most) << i;
    EXPECT_EQ(mapped[i].least[force], *least) << i;
  }
}

TEST(SocketThread, AClientThatNeverReadsHoldsUpNobody) {
  Paused test(1900);
  SocketClient deaf(test.socket()), good(test.socket());
  std::thread talker([&] {
    // Blocks as soon as nobody takes more: the run reads no further from whom does not read.
    try {
      for (int i = 0; i < 100'000; ++i) deaf.send("{\"do\":\"frames\"}\n");
    } catch (const InputError&) {
    }
  });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(good.status()["ok"], true);
  test.expect_undisturbed();
  talker.join();
}

TEST(SocketThread, GarbageIsAnsweredAndLeavesTheRestAlone) {
  Paused test;
  SocketClient good(test.socket());
  for (const char* line :
       {"hello?", "[]", "{\"do\":5}", "{\"do\":\"fly\"}", "{\"do\":\"hold\"", "\xff\xfe"}) {
    SocketClient client(test.socket());
    client.send(std::string(line) + "\n");
    const Json answer = Json::parse(client.line());
    EXPECT_EQ(answer["ok"], false) << line;
    EXPECT_EQ(client.status()["ok"], true) << "a wrong line costs nothing";
  }
  std::mt19937 random(1);
  SocketClient noisy(test.socket());
  std::string bytes(200'000, 'x');
  for (char& byte : bytes) byte = static_cast<char>(random() % 255 == 10 ? 0 : random());
  EXPECT_THROW(
      {
        noisy.send(std::string(100'000, '{'));  // a line that is too long
        for (;;) (void)noisy.line();
      },
      InputError);
  try {
    SocketClient(test.socket()).send(bytes);
  } catch (const InputError&) {
  }
  EXPECT_EQ(good.status()["state"], "running");
  test.expect_undisturbed();
}

TEST(SocketThread, ClientsThatVanishLeaveNothingBehind) {
  Paused test;
  for (int i = 0; i < 100; ++i) {
    SocketClient client(test.socket());
    client.send(i % 2 == 0 ? "{\"do\":\"sta" : "{\"do\":\"frames\"}\n{\"do\":\"row\"}\n");
  }
  SocketClient last(test.socket());
  for (int i = 0; i < 1000 && last.status()["clients"] != 1; ++i) usleep(1000);
  EXPECT_EQ(last.status()["clients"], 1);
  test.expect_undisturbed();
}

TEST(SocketThread, ASocketOfAKilledProcessIsReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.h5.socket";
  {
    const Socket dead(::socket(AF_UNIX, SOCK_STREAM, 0));
    ASSERT_EQ(UnixPath(path).bind(dead.get()), 0);
    ASSERT_EQ(::listen(dead.get(), 1), 0);
  }
  ASSERT_TRUE(std::filesystem::exists(path));
  EXPECT_THROW(SocketClient client(path), InputError);
  Session session(short_quickstart(), into(folder / "run.h5"));
  EXPECT_EQ(session.socket_trouble(), "");
  EXPECT_EQ(SocketClient(path).hello()["protocol"], 1);
  EXPECT_TRUE(run(session).success());
}

TEST(SocketThread, WhereThereIsNoPlaceTheTestGoesOnUnlessThePlaceWasNamed) {
  const TemporaryFolder folder;
  put(folder / "run.h5.socket", "a file of somebody");
  Session session(short_quickstart(), into(folder / "run.h5"));
  EXPECT_NE(session.socket_trouble(), "");
  EXPECT_EQ(session.socket(), "");
  EXPECT_TRUE(run(session).success());
  EXPECT_EQ(content(folder / "run.h5.socket"), "a file of somebody");

  SessionOptions named = into(folder / "other.h5");
  named.socket = folder / "run.h5.socket";
  EXPECT_THROW(Session(short_quickstart(), std::move(named)), InputError);

  SessionOptions first = into(folder / "first.h5"), second = into(folder / "second.h5");
  first.socket = second.socket = folder / "place";
  {
    const Session one(short_quickstart(), std::move(first));
    EXPECT_THROW(Session(short_quickstart(), std::move(second)), InputError) << "taken by a living run";
    EXPECT_EQ(SocketClient(folder / "place").hello()["protocol"], 1) << "and still its";
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "place"));
}

TEST(SocketThread, APathOfAnyLength) {
  const TemporaryFolder folder;
  const std::string deep = folder / std::string(150, 'd');
  std::filesystem::create_directory(deep);
  Session session(short_quickstart(), into(deep + "/run.h5"));
  EXPECT_EQ(session.socket_trouble(), "");
  EXPECT_EQ(SocketClient(socket_of(deep + "/run.h5")).status()["ok"], true);
  EXPECT_TRUE(run(session).success());
}

TEST(SocketThread, AnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  Paused test;
  struct stat facts {};
  ASSERT_EQ(::stat(test.socket().c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600U);
  // Even where the file would let him.
  ASSERT_EQ(::chmod(test.socket().c_str(), 0666), 0);
  ASSERT_EQ(::chmod(test.folder.path().c_str(), 0755), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setuid(65534) != 0) ::_exit(3);
    try {
      SocketClient client(test.socket());
      ::_exit(1);
    } catch (const InputError& error) {
      ::_exit(std::string(error.what()).find("belongs to another user") != std::string::npos ? 0 : 2);
    }
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  test.expect_undisturbed();
}

}  // namespace
}  // namespace gusset

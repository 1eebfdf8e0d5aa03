// The same test over every link gives the record of `simulate`, bit for bit.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "analysis/simulation.hpp"
#include "base/error.hpp"
#include "link/local.hpp"
#include "realtime/rig_server.hpp"
#include "support/documents.hpp"
#include "support/run_bench.hpp"

namespace gusset {
namespace {

using namespace test;

/// Sub-steps, two channels, a fractional delay, an adaptive compensator, a specimen with memory.
constexpr const char* everything = R"(
duration = "1.2 s"
[structure]
mass = { values = [2.0, 2.0, 1.5], unit = "t" }
stiffness = { values = [1800, 1500, 1200], unit = "kN/m" }
damping = { values = [6, 5, 4], unit = "kN*s/m" }
[excitation]
record = "el-centro-1940-ns"
peak = "0.3 g"
[initial]
displacement = { values = [1, -2, 3], unit = "mm" }
[method]
profile = "b-spline"
[integrator]
dt = "4 ms"
[[specimen]]
name = "pendulum"
kind = "sum"
storey = 2
parts = [
  { kind = "mass", mass = "50 kg" },
  { kind = "oscillator", mass = "100 kg", frequency = "3 Hz", damping_ratio = 0.04 },
]
[[specimen]]
name = "brace"
kind = "bilinear"
storey = 3
acts = "drift"
stiffness = "300 kN/m"
yield_force = "0.3 kN"
[[rig]]
kind = "delay"
delay = "1.3 ms"
dt = "1 ms"
[[rig]]
kind = "ideal"
dt = "1 ms"
)";

constexpr const char* corrected = R"(
duration = "1 s"
[structure]
mass = "1 t"
frequency = "2 Hz"
damping_ratio = 0.02
[initial]
displacement = "5 mm"
[integrator]
kind = "newmark"
dt = "4 ms"
[specimen]
kind = "spring"
stiffness = "50 kN/m"
[rig]
kind = "ideal"
dt = "1 ms"
)";

struct Case {
  const char* name;
  Document document;
};

std::vector<Case> cases() {
  std::vector<Case> list;
  list.push_back({"everything", document(everything)});
  list.push_back({"corrected", document(corrected)});
  list.push_back({"one rate", shipped("wu-pure-inertia")});
  list.push_back({"quickstart", shipped("quickstart", {"duration=1 s"})});
  list.push_back({"compensated", shipped("chen-2008-linear-acceleration", {"duration=1 s"})});
  return list;
}

LoopResult run_over(const Test& test, Link& link, MemorySink& sink) {
  VirtualClock clock;
  LoopOptions options;
  options.lockstep = true;
  RunLoop loop(test, link, clock, sink, options);
  Operator operators;
  return loop.run(operators);
}

void expect_same(const Test& test, const LoopResult& result, const MemorySink& sink) {
  EXPECT_TRUE(result.completed);
  EXPECT_EQ(result.first_out, Cause::none) << name_of(result.first_out);
  EXPECT_EQ(result.state, RunState::stopped);
  const Simulation simulation = simulate(test, {.reference = false, .progress = {}});
  ASSERT_FALSE(simulation.stop);
  EXPECT_EQ(first_difference(simulation.tables, sink), "");
  EXPECT_EQ(sink.table("realtime").rows(),
            static_cast<std::size_t>(test.steps * test.experiment->substeps() + 1));
}

TEST(Lockstep, LocalEqualsSimulate) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.name);
    const auto tested = make_test(one.document, shipped_records());
    const Hello hello = hello_of(one.document, *tested.experiment, true);
    LocalLink link(tested, hello);
    MemorySink sink(tested);
    expect_same(tested, run_over(tested, link, sink), sink);
  }
}

TEST(Lockstep, EveryShippedExperimentEqualsSimulate) {
  for (const std::string& name : shipped_names()) {
    SCOPED_TRACE(name);
    const Document document = shipped(name, {"duration=0.3 s"});
    const auto tested = make_test(document, shipped_records());
    if (tested.experiment->structure().size() > 100) continue;
    const Value* feedback = document.find("method.feedback");
    if (feedback != nullptr && feedback->text == "ideal") {
      EXPECT_THROW(hello_of(document, *tested.experiment, true), InputError) << "there is no rig";
      continue;
    }
    LocalLink link(tested, hello_of(document, *tested.experiment, true));
    MemorySink sink(tested);
    expect_same(tested, run_over(tested, link, sink), sink);
  }
}

/// A rig in a thread of its own, as `gusset rig` has it.
void run_against(const std::string& address) {
  for (const Case& one : cases()) {
    SCOPED_TRACE(address + " " + one.name);
    const auto tested = make_test(one.document, shipped_records());
    Hello hello = hello_of(one.document, *tested.experiment, true);
    const LinkOptions options;
    RigCore core(tested);
    hello.rig = "virtual";
    const std::unique_ptr<ServerLink> server = listen_link(parse_url(address, "--listen"), hello, options);
    RigServerOptions how;
    how.lockstep = true;
    how.once = true;
    RigServer rig(*server, core, how);
    std::atomic<bool> stop{false};
    std::thread thread([&] { rig.serve(stop); });
    {
      hello.rig.clear();
      const std::unique_ptr<Link> link = connect_link(parse_url(server->address(), "--rig"), hello, options);
      MemorySink sink(tested);
      expect_same(tested, run_over(tested, *link, sink), sink);
      link->close();
    }
    stop = true;
    thread.join();
    EXPECT_EQ(rig.last().cause, Cause::none);
  }
}

TEST(LockstepThread, SharedMemoryEqualsSimulate) { run_against("shm:test-" + std::to_string(getpid())); }

TEST(LockstepThread, UdpEqualsSimulate) { run_against("udp://127.0.0.1:0"); }
TEST(LockstepThread, TcpEqualsSimulate) { run_against("tcp://127.0.0.1:0"); }

}  // namespace
}  // namespace gusset

// Stages that go around their site, which no refusal can see: leak() finds them.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "loop/rigs.hpp"

namespace gusset::test::leak {
namespace {

using namespace gusset::test::loop;

/// A rig's stage that was handed something around its site.
struct Spy final : Stage {
  using Deed = std::function<void(Frame&, double& out)>;
  Port out;
  Deed deed;
  Spy(Site& s, Deed does) : out(s.claim("spy.force", "N")), deed(std::move(does)) {}
  void run(Frame& f) const noexcept override {
    f[out] = 1;
    deed(f, f[out]);
  }
};
/// A numerical part with a branch, a command and numbers without a name.
struct Yielding final : Stage {
  Segment d;
  int branch;
  CommandPort command;
  Port work, goal;
  Yielding(Site& s, Layout& layout) {
    const LayoutMark mark = layout.mark();
    d = layout.add("yielding", "displacement", "m", 2, 1e-3);
    branch = layout.add_branch("yielding", "side");
    s.keep(layout.since(mark));
    command = s.claim_command("brace.command", "m"), goal = s.claim("brace.goal", "m"), work = s.scratch(2);
  }
  void run(Frame& f) const noexcept override {
    f.state.branches[static_cast<std::size_t>(branch)].change(f.tick % 2 == 0 ? 1 : -1);
    f.at(d)[0] = f.at(d)[1] = f[goal] = f[work[0]] = f[work[1]] = 0.5;
    f.row.put(command, {1, 2, 3, 4});
  }
};
/// A sound rig: a spring that yields, with position and branch of its own.
struct Slider final : Stage {
  CommandPort command;
  Port force;
  Segment position;
  std::size_t branch;
  Slider(Site& s, Layout& layout)
      : command(s.bind_command("brace.command", "m")), force(s.claim("brace.force", "N")) {
    const LayoutMark mark = layout.mark();
    position = layout.add("slider", "position", "m", 1, 1e-3);
    branch = static_cast<std::size_t>(layout.add_branch("slider", "side"));
    s.keep(layout.since(mark));
  }
  void run(Frame& f) const noexcept override {
    *f.at(position) += 0.5 * (f[command.value()] - *f.at(position));
    f.state.branches[branch].change(*f.at(position) > 0.6 ? 1 : 0);
    f[force] = *f.at(position) * (f.state.branches[branch].value == 1 ? 0.5 : 1);
  }
};

/// Two rigs, a slider and a spy; what leak() says of them after two steps.
struct Scene {
  Layout layout;
  Loop loop;
  const Yielding& yielding = loop.add<Yielding>(Phase::command, "yielding", layout);
  const Slider& slider = (loop.add_rig("east"), loop.add<Slider>(Phase::rig, "slider", layout));
  Scene() { loop.add_rig("west"); }
  Scene(const Scene&) = delete;

  std::string leak(Spy::Deed deed) {
    loop.add<Spy>(Phase::rig, "spy", std::move(deed));
    State state = layout.zero();
    Wires row = loop.row().wires();
    Frame frame{state, row};
    loop.step(frame);
    loop.step(frame);
    return loop.leak(layout, state, row);
  }
};

TEST(Leak, SoundRigsAreTight) {
  Scene scene;
  EXPECT_EQ(scene.leak([](Frame&, double&) {}), "");
  TwoStoreys one({.geometry = skew, .dual = true, .delay = 1}), two({.substeps = 4, .every = 3});
  for (TwoStoreys* test : {&one, &two}) {
    EXPECT_EQ(test->loop.leak(test->layout, test->state, test->row), "") << "before the first step";
    test->ground(1);
    test->loop.step(test->frame);
    EXPECT_EQ(test->loop.leak(test->layout, test->state, test->row), "");
  }
}

TEST(Leak, FindsForeignStateThatIsRead) {
  Scene near;
  EXPECT_EQ(near.leak([&](Frame& f, double& out) { out = *f.at(near.yielding.d); }), "spy.force");
  Scene other_rig;
  EXPECT_EQ(other_rig.leak([&](Frame& f, double& out) { out = *f.at(other_rig.slider.position); }),
            "spy.force");
}

TEST(Leak, FindsForeignStateThatIsWritten) {
  Scene set;
  EXPECT_EQ(set.leak([&](Frame& f, double&) { f.at(set.yielding.d)[1] = 3; }), "yielding.displacement[2]");
  Scene added;
  EXPECT_EQ(added.leak([&](Frame& f, double&) { *f.at(added.slider.position) += 1; }), "slider.position")
      << "what is not a number stays so";
}

TEST(Leak, FindsForeignWiresThatAreRead) {
  Scene signal;
  EXPECT_EQ(signal.leak([&](Frame& f, double& out) { out = f[signal.yielding.goal]; }), "spy.force");
  Scene command;
  EXPECT_EQ(command.leak([&](Frame& f, double& out) { out = f[command.yielding.command.value()]; }),
            "spy.force")
      << "a command that this rig did not bind";
  Scene other_rig;
  EXPECT_EQ(other_rig.leak([&](Frame& f, double& out) { out = f[other_rig.slider.force]; }), "spy.force");
  Scene nameless;
  EXPECT_EQ(nameless.leak([&](Frame& f, double& out) { out = f[nameless.yielding.work[1]]; }), "spy.force");
}

TEST(Leak, FindsForeignWiresThatAreWritten) {
  Scene set;
  EXPECT_EQ(set.leak([&](Frame& f, double&) { f[set.yielding.goal] = 3; }), "brace.goal");
  Scene added;
  EXPECT_EQ(added.leak([&](Frame& f, double&) { f[added.slider.force] += 1; }), "brace.force")
      << "what is not a number stays so";
}

TEST(Leak, FindsForeignBranches) {
  const auto branch = [](Frame& f, int index) -> Branch& {
    return f.state.branches[static_cast<std::size_t>(index)];
  };
  Scene read;
  EXPECT_EQ(
      read.leak([&](Frame& f, double& out) { out = branch(f, read.yielding.branch).value == 0 ? 2 : 3; }),
      "spy.force");
  Scene written;
  EXPECT_EQ(written.leak([&](Frame& f, double&) { branch(f, written.yielding.branch).change(7); }),
            "yielding.side");
  Scene moved;
  EXPECT_EQ(moved.leak([&](Frame& f, double&) {
    Branch& side = branch(f, moved.yielding.branch);
    const std::int32_t before = side.value;
    side.change(before + 1), side.change(before);
  }),
            "yielding.side")
      << "left and come back";
}

TEST(Leak, FindsACommandThatIsReadAroundAnInsertedDelay) {
  Layout layout;
  Loop loop;
  loop.insert_at_cut("delay", [&](Site& s, const std::string& command, const std::string& unit) {
    auto stage = std::make_unique<Delay>(s, Memory{layout, command}, command, unit, 1);
    const CommandPort late = stage->to;
    return Loop::Inserted{std::move(stage), late};
  });
  const auto& yielding = loop.add<Yielding>(Phase::command, "yielding", layout);
  loop.add<Slider>(Phase::rig, "slider", layout);
  State state = layout.zero();
  Wires row = loop.row().wires();
  Frame frame{state, row};
  loop.step(frame);
  EXPECT_EQ(loop.leak(layout, state, row), "");
  loop.add<Spy>(Phase::rig, "spy", [&](Frame& f, double& out) { out = f[yielding.command.value()]; });
  row = loop.row().wires();
  frame.row = row;  // it has grown
  loop.step(frame);
  EXPECT_EQ(loop.leak(layout, state, row), "spy.force");
}

TEST(Leak, LeavesStateAndRowAlone) {
  TwoStoreys test({.substeps = 4, .every = 4});
  test.ground(1);
  test.loop.step(test.frame);
  const State state = test.state;
  const Wires row = test.row;
  test.loop.leak(test.layout, test.state, test.row);
  EXPECT_EQ(state.values, test.state.values);
  EXPECT_EQ(std::vector<double>(row.data(), row.data() + row.size()),
            std::vector<double>(test.row.data(), test.row.data() + test.row.size()));
}

}  // namespace
}  // namespace gusset::test::leak

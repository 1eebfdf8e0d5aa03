// One loop with a displacement channel, a force channel and a shake table.
#include <gtest/gtest.h>

#include <cmath>

#include "base/channel.hpp"
#include "loop/rigs.hpp"

namespace gusset::test::mixed {
namespace {

using loop::Memory;
using loop::names_of;
using loop::refusal;
using loop::Words;

constexpr double dt = 0.01, mass = 1000, stiffness = 2e5;
const Channel brace{{"brace", {}}, Control::displacement}, jack{{"jack", {}}, Control::force},
    table{{"table", {}}, Control::acceleration};

/// The numerical part, a mass on a spring with the brace's force f, semi-implicit Euler:
///   v ← v − Δt·(k·d + f + m·a_g)/m,  d ← d + Δt·v
/// It asks for d of the brace, for −m·a_g of the jack and for a_g of the table.
struct Oscillator final : Stage {
  Segment d, v, force;
  Port ground, brace_goal, brace_rate, jack_goal, table_goal;
  Oscillator(Site& s, const Memory& memory) {
    ground = s.bind("ground.acceleration", "m/s^2");
    table_goal = s.claim("table.goal", table.unit());
    jack_goal = s.claim("jack.goal", jack.unit());
    brace_goal = s.claim("brace.goal", brace.unit());
    brace_rate = s.claim("brace.goal_rate", "m/s");
    d = memory.keep(s, "displacement", "m", 1, 1e-3);
    v = memory.keep(s, "velocity", "m/s", 1, 1e-2);
    force = memory.keep(s, "force", "N", 1, 1);
  }
  void run(Frame& f) const noexcept override {
    *f.at(v) -= dt * (stiffness * *f.at(d) + *f.at(force) + mass * f[ground]) / mass;
    *f.at(d) += dt * *f.at(v);
    f[brace_goal] = *f.at(d), f[brace_rate] = *f.at(v);
    f[jack_goal] = -mass * f[ground], f[table_goal] = f[ground];
  }
};

/// Goal → target and command of a channel at once; the rate where one is known.
struct Go final : Stage {
  Port goal, rate;
  CommandPort target;
  Go(Site& s, const Channel& channel) {
    goal = s.bind(channel.name() + ".goal", channel.unit());
    if (channel.control == Control::displacement) rate = s.bind(channel.name() + ".goal_rate", "m/s");
    target = s.claim_command(channel.name() + ".target", channel.unit());
    s.alias_command(channel.name() + ".command", channel.name() + ".target");
  }
  void run(Frame& f) const noexcept override {
    const double moving = rate.bound() ? f[rate] : 0;
    f.row.put(target, {f[goal], moving, 0, moving});
  }
};

/// A shake table that follows: v ← v + Δt·a, x ← x + Δt·v.
struct ShakeTable final : Stage {
  CommandPort command;
  Port acceleration, position;
  Segment x, v;
  ShakeTable(Site& s, const Memory& memory) : command(s.bind_command("table.command", table.unit())) {
    acceleration = s.claim(table.followed(), table.unit());
    position = s.claim("table.position", "m");
    x = memory.keep(s, "position", "m", 1, 1e-3);
    v = memory.keep(s, "velocity", "m/s", 1, 1e-2);
  }
  void run(Frame& f) const noexcept override {
    f[acceleration] = f.row.command(command).value;
    *f.at(v) += dt * f[acceleration];
    f[position] = *f.at(x) += dt * *f.at(v);
  }
};

/// A mass pushed by a jack, F = u exactly: v ← v + Δt·F/m, x ← x + Δt·v.
struct PushedMass final : Stage {
  CommandPort command;
  Port force, position, work;
  Segment x, v, done;
  PushedMass(Site& s, const Memory& memory) : command(s.bind_command("jack.command", jack.unit())) {
    work = s.claim("jack.dissipated", "J");
    position = s.claim("jack.measured", "m");
    force = s.claim(jack.followed(), "N");
    x = memory.keep(s, "position", "m", 1, 1e-3);
    v = memory.keep(s, "velocity", "m/s", 1, 1e-2);
    done = memory.keep(s, "work", "J", 1, 1);
  }
  void run(Frame& f) const noexcept override {
    f[force] = f.row.command(command).value;
    *f.at(v) += dt * f[force] / mass;
    f[position] = *f.at(x) += dt * *f.at(v);
    f[work] = *f.at(done) += f[force] * dt * *f.at(v);
  }
};

/// A spring and a dashpot on an actuator that follows: F = k·u + c·u'.
struct Brace final : Stage {
  static constexpr double k = 5e4, c = 2e3;
  CommandPort command;
  Port measured, force;
  explicit Brace(Site& s) : command(s.bind_command("brace.command", brace.unit())) {
    force = s.claim("brace.force_true", "N");
    measured = s.claim(brace.followed(), "m");
  }
  void run(Frame& f) const noexcept override {
    const Command u = f.row.command(command);
    f[measured] = u.value, f[force] = k * u.value + c * u.rate;
  }
};

struct Felt final : Stage {
  Port force;
  Segment to;
  Felt(Site& s, Segment felt) : force(s.bind("brace.force", "N")), to(felt) { s.share("oscillator"); }
  void run(Frame& f) const noexcept override { *f.at(to) = f[force]; }
};

/// Declared brace, jack, table; the rig's stages are added the other way round.
struct Laboratory {
  Layout layout;
  Loop loop;
  Segment displacement;
  State state;
  Wires row;
  Frame frame{state, row};
  Laboratory() {
    const Channel* const all[] = {&brace, &jack, &table};
    for (const Channel* channel : all) loop.row().declare_channel(channel->name());
    loop.input("ground.acceleration", "m/s^2");
    const auto& oscillator = loop.add<Oscillator>(Phase::begin, "oscillator", Memory{layout, "oscillator"});
    displacement = oscillator.d;
    for (const Channel* channel : {all[2], all[0], all[1]})
      loop.add<Go>(Phase::draw, channel->name(), *channel);
    loop.add<ShakeTable>(Phase::rig, "table", Memory{layout, "table"});
    loop.add<PushedMass>(Phase::rig, "jack", Memory{layout, "jack"});
    loop.add<Brace>(Phase::rig, "brace");
    loop.add<loop::Sensor>(Phase::rig, "brace.cell", "brace.force", "N", 0);
    loop.add<Felt>(Phase::feed, "feed", oscillator.force);
    state = layout.zero(), row = loop.row().wires();
    frame.row = row;  // it has its size now
    frame.poison = true;
  }
  Laboratory(const Laboratory&) = delete;
  double& at(const std::string& name) { return row[loop.row().find(name).port]; }
};

TEST(MixedControl, CutListsTheChannelsInTheOrderOfTheFile) {
  const Laboratory laboratory;
  const Loop::Cut cut = laboratory.loop.cut();
  Words expected, units;
  for (const Channel* channel : {&brace, &jack, &table}) {
    for (const char* part : {"", ".rate", ".curvature", ".start_rate"}) {
      expected.push_back(channel->name() + ".command" + part);
    }
  }
  EXPECT_EQ(names_of(cut.commands), expected);
  for (const Row::Entry& entry : cut.commands) units.push_back(entry.signal.unit);
  EXPECT_EQ(units, (Words{"m", "m/s", "m/s^2", "m/s", "N", "N/s", "N/s^2", "N/s", "m/s^2", "m/s^2/s",
                          "m/s^2/s^2", "m/s^2/s"}));
  EXPECT_EQ(names_of(cut.feedback),
            (Words{"brace.measured", "brace.force", "brace.force_true", "jack.measured", "jack.force",
                   "table.measured", "table.position", "jack.dissipated"}));
  EXPECT_EQ(cut.needed, (std::vector<bool>{false, true, false, false, false, false, false, false}));
  EXPECT_EQ(names_of(laboratory.loop.row().published()),
            (Words{"brace.target", "brace.command", "brace.measured", "brace.force", "brace.force_true",
                   "jack.target", "jack.command", "jack.measured", "jack.force", "table.target",
                   "table.command", "table.measured", "table.position", "jack.dissipated"}));
}

TEST(MixedControl, EachChannelIsToldWhatItsControlSays) {
  Laboratory laboratory;
  double d = 0, v = 0, force = 0, x = 0, speed = 0, work = 0;
  for (int i = 0; i < 300; ++i) {
    const double ground = std::sin(0.05 * i);
    laboratory.at("ground.acceleration") = ground;
    laboratory.loop.step(laboratory.frame);

    v -= dt * (stiffness * d + force + mass * ground) / mass;
    d += dt * v;
    force = Brace::k * d + Brace::c * v;
    ASSERT_EQ(laboratory.at("brace.command"), d);
    ASSERT_EQ(laboratory.at("brace.force"), force);
    ASSERT_EQ(*laboratory.state.at(laboratory.displacement), d);

    speed += dt * ground;
    x += dt * speed;
    ASSERT_EQ(laboratory.at("table.measured"), ground);
    ASSERT_EQ(laboratory.at("table.position"), x);

    work += mass * ground * dt * speed;
    ASSERT_EQ(laboratory.at("jack.force"), -mass * ground);
    ASSERT_NEAR(laboratory.at("jack.measured"), -x, 1e-12) << "pushed against the ground's motion";
    ASSERT_NEAR(laboratory.at("jack.dissipated"), work, 1e-9);
    for (const Row::Entry& entry : laboratory.loop.row().entries()) {
      ASSERT_TRUE(std::isfinite(laboratory.row[entry.port])) << entry.name();
    }
  }
  EXPECT_GT(std::abs(x), 0.1);
  EXPECT_EQ(laboratory.loop.leak(laboratory.layout, laboratory.state, laboratory.row), "");
}

TEST(MixedControl, CommandOfAnotherControlIsRefusedByItsUnit) {
  struct Misled final : Stage {
    Misled(Site& s, const Channel& channel) { s.bind_command("jack.command", channel.unit()); }
    void run(Frame&) const noexcept override {}
  };
  Loop loop;
  loop.row().claim("jack.goal", "N", Lifetime::step);
  loop.add<Go>(Phase::draw, "jack", jack);
  EXPECT_EQ(refusal([&] { loop.add<Misled>(Phase::rig, "misled", brace); }),
            "jack.command is in N, not in m");
  EXPECT_EQ(refusal([&] { loop.add<Misled>(Phase::rig, "misled", table); }),
            "jack.command is in N, not in m/s^2");
}

}  // namespace
}  // namespace gusset::test::mixed

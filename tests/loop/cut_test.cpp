// What passes between a rig and the rest: listed, delayed, and carried over as bytes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "loop/rigs.hpp"

namespace gusset::test::cut {
namespace {

using namespace gusset::test::loop;

TEST(Cut, ListsWhatCrossesInPublishedOrder) {
  const TwoStoreys test({.geometry = skew, .dual = true});
  const Loop::Cut cut = test.loop.cut();
  EXPECT_EQ(test.loop.rig_name(0), "rig") << "where none is named";
  EXPECT_EQ(names_of(cut.commands), (Words{"lower.command", "lower.command.rate", "lower.command.curvature",
                                           "lower.command.start_rate", "upper.command", "upper.command.rate",
                                           "upper.command.curvature", "upper.command.start_rate"}));
  EXPECT_EQ(names_of(cut.feedback),
            (Words{"lower.measured", "lower.force", "lower.force_true", "upper.measured", "upper.force",
                   "upper.force_true", "specimen.stored"}));
  EXPECT_EQ(cut.needed, (std::vector<bool>{true, true, false, true, true, false, false}))
      << "what only a result shows need not be sent";
  EXPECT_TRUE(cut.state.empty());
}

TEST(Cut, EachRigHasItsOwn) {
  const TwoStoreys test({.substeps = 4, .every = 4});
  const Names rigs = {"east", "west"};
  ASSERT_EQ(test.loop.rig_count(), 2u);
  for (std::size_t r = 0; r < 2; ++r) {
    const Loop::Cut cut = test.loop.cut(r);
    EXPECT_EQ(test.loop.rig_name(r), rigs[r]);
    EXPECT_EQ(cut.commands.size(), 4u);
    EXPECT_EQ(cut.commands[0].name(), channels[r] + ".command");
    EXPECT_EQ(names_of(cut.feedback), (Words{channels[r] + ".force"}));
    EXPECT_EQ(cut.needed, (std::vector<bool>{true}));
    ASSERT_EQ(cut.state.size(), 1u);
    EXPECT_EQ(test.layout.name_of(cut.state[0].first), channels[r] + ".position");
    EXPECT_EQ(cut.state[0].last, cut.state[0].first + 1);
  }
}

TEST(Cut, PeerSeesNoDifferenceIfADelayIsPutIn) {
  const TwoStoreys plain({.dual = true}), late({.dual = true, .delay = 2});
  const Loop::Cut before = plain.loop.cut(), after = late.loop.cut();
  EXPECT_EQ(names_of(before.commands), names_of(after.commands));
  EXPECT_EQ(names_of(before.feedback), names_of(after.feedback));
  EXPECT_EQ(before.needed, after.needed);
  for (std::size_t i = 0; i < before.commands.size(); ++i) {
    EXPECT_EQ(before.commands[i].signal.unit, after.commands[i].signal.unit);
    EXPECT_NE(after.commands[i].port, late.loop.row().find(after.commands[i].name()).port);
  }
  EXPECT_EQ(names_of(plain.loop.row().published()), names_of(late.loop.row().published()));
}

TEST(Cut, DelayIsTheLastOfCommand) {
  const TwoStoreys test({.dual = true, .delay = 2});
  Words stages;
  for (const StageInfo& info : test.loop.stages()) {
    if (info.phase == Phase::command) stages.push_back(info.name);
  }
  EXPECT_EQ(stages, (Words{"geometry", "dual", "lower.command.delay", "upper.command.delay"}));
}

TEST(Cut, DelayShiftsAllFourNumbersAndLeavesThePublishedOnes) {
  // A delay changes the response: what crosses is compared with earlier commands of the same test.
  constexpr int n = 3;
  TwoStoreys test({.geometry = skew, .substeps = 2, .delay = n});
  const Loop::Cut cut = test.loop.cut();
  std::vector<std::vector<double>> sent;
  for (int tick = 0; tick < 40; ++tick) {
    if (tick % 2 == 0) test.ground(std::cos(0.2 * tick));
    test.substep();
    std::vector<double> command;
    for (const Row::Entry& entry : cut.commands) command.push_back(test.at(entry.name()));
    sent.push_back(command);
    EXPECT_EQ(test.at("lower.command"), test.at("lower.target")) << "what is published is not late";
    for (std::size_t i = 0; i < cut.commands.size(); ++i) {
      const double crossed = test.row[cut.commands[i].port];
      EXPECT_EQ(crossed, tick < n ? 0 : sent[static_cast<std::size_t>(tick - n)][i])
          << cut.commands[i].name() << " at " << tick;
    }
    EXPECT_EQ(test.at("lower.measured"), test.row[cut.commands[0].port]);
  }
}

/// Reads one number of a command.
struct Reader final : Stage {
  Port command, out;
  Reader(Site& s, const std::string& name, const std::string& unit)
      : command(s.bind(name, unit)), out(s.claim("read:" + name, unit)) {}
  void run(Frame& f) const noexcept override { f[out] = f[command]; }
};
/// The four numbers of a command count the sub-steps.
struct Counter final : Stage {
  CommandPort out;
  explicit Counter(Site& s) : out(s.claim_command("jack.command", "N")) {}
  void run(Frame& f) const noexcept override {
    const auto i = static_cast<double>(f.tick + 1);
    f.row.put(out, {i, 10 * i, 100 * i, 1000 * i});
  }
};

TEST(Cut, DelayReachesARigThatBindsOneNumberOfACommand) {
  Layout layout;
  Loop loop;
  loop.insert_at_cut("delay", [&](Site& s, const std::string& command, const std::string& unit) {
    auto stage = std::make_unique<Delay>(s, Memory{layout, command}, command, unit, 2);
    const CommandPort late = stage->to;
    return Loop::Inserted{std::move(stage), late};
  });
  loop.add<Counter>(Phase::command, "counter");
  loop.add<Reader>(Phase::rig, "value", "jack.command", "N");
  loop.add<Reader>(Phase::rig, "rate", "jack.command.rate", "N/s");
  loop.add<Reader>(Phase::observe, "peek", "jack.command.start_rate", "N/s");
  State state = layout.zero();
  Wires row = loop.row().wires();
  Frame frame{state, row};
  for (int i = 0; i < 5; ++i) loop.step(frame);
  const auto value = [&](const char* name) { return row[loop.row().find(name).port]; };
  EXPECT_EQ(value("jack.command"), 5);
  EXPECT_EQ(value("read:jack.command"), 3);
  EXPECT_EQ(value("read:jack.command.rate"), 30);
  EXPECT_EQ(value("read:jack.command.start_rate"), 5000) << "the near side sees what is published";
  EXPECT_EQ(names_of(loop.cut().commands), (Words{"jack.command", "jack.command.rate"}));
  EXPECT_EQ(loop.leak(layout, state, row), "");
}

using Bytes = std::vector<char>;
Bytes pack(const Wires& row, const std::vector<Row::Entry>& entries) {
  Bytes bytes(entries.size() * sizeof(double));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::memcpy(bytes.data() + i * sizeof(double), row.at(entries[i].port), sizeof(double));
  }
  return bytes;
}
void unpack(const Bytes& bytes, Wires& row, const std::vector<Row::Entry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::memcpy(row.at(entries[i].port), bytes.data() + i * sizeof(double), sizeof(double));
  }
}

/// A rig in a process of its own, built from the same file: it has its own loop, State and wires.
struct Elsewhere {
  TwoStoreys test;
  std::size_t rig;
  Loop::Cut cut = test.loop.cut(rig);
  Elsewhere(const Arrangement& setup, std::size_t which) : test(setup), rig(which) {}
  Bytes answer(const Bytes& commands, std::int64_t sequence) {
    test.row = test.loop.row().wires();  // nothing is left over from the sub-step before
    unpack(commands, test.row, cut.commands);
    test.frame.tick = sequence;
    test.loop.through_rig(test.frame, rig);
    return pack(test.row, cut.feedback);
  }
};

void expect_run_equals_simulate(const Arrangement& setup, std::size_t rigs) {
  TwoStoreys simulate(setup), run(setup);
  ASSERT_EQ(run.loop.rig_count(), rigs);
  std::vector<std::unique_ptr<Elsewhere>> remote;
  for (std::size_t r = 0; r < rigs; ++r) remote.push_back(std::make_unique<Elsewhere>(setup, r));
  for (int i = 0; i < 2000; ++i) {
    simulate.ground(std::sin(0.1 * i)), run.ground(std::sin(0.1 * i));
    simulate.loop.step(simulate.frame);
    do {
      run.loop.to_rig(run.frame);
      for (std::size_t r = 0; r < rigs; ++r) {
        if (!run.loop.due(r, run.frame.tick)) continue;
        const Loop::Cut& cut = remote[r]->cut;
        unpack(remote[r]->answer(pack(run.row, cut.commands), run.frame.tick), run.row, cut.feedback);
      }
    } while (!run.loop.from_rig(run.frame));
    State joined = run.state;
    for (const auto& rig : remote) {
      for (const Kept& kept : rig->cut.state) {
        for (int j = kept.first; j < kept.last; ++j) {
          const auto entry = static_cast<std::size_t>(j);
          ASSERT_EQ(run.state.values[entry], 0) << "what a rig keeps changes on its side only";
          joined.values[entry] = rig->test.state.values[entry];
        }
      }
    }
    const std::size_t bytes = joined.values.size() * sizeof(double);
    ASSERT_EQ(std::memcmp(joined.values.data(), simulate.state.values.data(), bytes), 0) << "step " << i;
  }
  EXPECT_TRUE(std::isnormal(*simulate.state.at(simulate.displacement)));
  EXPECT_EQ(run.loop.leak(run.layout, run.state, run.row), "");
  EXPECT_EQ(simulate.loop.leak(simulate.layout, simulate.state, simulate.row), "");
}

TEST(Cut, SimulateIsRunOverACopiedCutBitForBit) {
  const Arrangement setup{.geometry = skew, .substeps = 4, .reached = 0.9, .dual = true, .delay = 3};
  expect_run_equals_simulate(setup, 1);
}

TEST(Cut, SimulateIsRunWithTwoRigsOfWhichOneRests) {
  expect_run_equals_simulate({.substeps = 4, .delay = 2, .every = 4}, 2);
  expect_run_equals_simulate({.substeps = 4, .every = 3}, 2);
}

}  // namespace
}  // namespace gusset::test::cut

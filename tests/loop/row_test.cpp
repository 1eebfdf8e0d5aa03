// Named signals: who writes claims, who reads binds, and how they are listed.
#include "base/row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "loop/rigs.hpp"

namespace gusset::test::row {
namespace {

using loop::names_of;
using loop::refusal;
using loop::Words;

constexpr Lifetime input = Lifetime::input, step = Lifetime::step, substep = Lifetime::substep;

TEST(Row, ReaderFindsTheNumberOfTheWriter) {
  Row row;
  const Port force = row.claim("brace.force", "N", substep);
  const Port goal = row.claim("brace.goal", "m", step);
  EXPECT_NE(force, goal);
  EXPECT_EQ(row.bind("brace.force", "N").port, force);
  EXPECT_EQ(row.bind("brace.goal", "m").port, goal);
  EXPECT_EQ(row.bind("brace.goal", "m").lifetime, step);
  EXPECT_TRUE(row.has("brace.goal"));
  EXPECT_FALSE(row.has("brace"));

  Wires wires = row.wires();
  wires[force] = 3;
  wires[goal] = 4;
  EXPECT_EQ(wires[row.find("brace.force").port], 3);
  EXPECT_EQ(*wires.at(row.find("brace.goal").port), 4);
}

TEST(Row, ScratchHasRoomButNoName) {
  Row row;
  const Port before = row.claim("before", "m", substep);
  const Port work = row.scratch(3, substep);
  const Port after = row.claim("after", "m", substep);
  EXPECT_EQ(work.size, 3);
  EXPECT_EQ(before.at + 1, work.at);
  EXPECT_EQ(work[2].at + 1, after.at);
  EXPECT_EQ(row.entries().size(), 2u);
  EXPECT_EQ(row.wires().size(), 5u);
}

TEST(Row, AliasIsASecondNameOfOneNumber) {
  Row row;
  const Port target = row.claim("brace.target", "m", substep);
  EXPECT_EQ(row.alias("brace.command", "brace.target"), target);
  EXPECT_EQ(row.bind("brace.command", "m").port, target);
  EXPECT_EQ(row.find("brace.command").lifetime, substep);
  EXPECT_EQ(row.wires().size(), 1u) << "a second name takes no room";
}

TEST(Row, CommandIsFourSignalsOfWhichOneIsPublished) {
  Row row;
  const CommandPort port = row.claim_command("brace.command", "m", substep);
  const std::vector<Row::Entry> four = row.command_entries("brace.command");
  EXPECT_EQ(names_of(four), (Words{"brace.command", "brace.command.rate", "brace.command.curvature",
                                   "brace.command.start_rate"}));
  const char* const units[] = {"m", "m/s", "m/s^2", "m/s"};
  for (std::size_t i = 0; i < four.size(); ++i) {
    EXPECT_EQ(four[i].port.at, port.at + static_cast<int>(i));
    EXPECT_EQ(four[i].signal.unit, units[i]);
    EXPECT_EQ(four[i].published, i == 0);
  }
  EXPECT_EQ(names_of(row.published()), (Words{"brace.command"}));

  Wires wires = row.wires();
  wires.put(port, {.value = 1, .rate = 2, .curvature = 3, .start_rate = 4});
  EXPECT_EQ(wires[row.find("brace.command.rate").port], 2);
  EXPECT_EQ(wires[row.find("brace.command.curvature").port], 3);
  EXPECT_EQ(wires[row.find("brace.command.start_rate").port], 4);
  const Command read = wires.command(port);
  EXPECT_EQ(read.value, 1);
  EXPECT_EQ(read.rate, 2);
  EXPECT_EQ(read.curvature, 3);
  EXPECT_EQ(read.start_rate, 4);
}

TEST(Row, AliasOfACommandHasAllFourNumbers) {
  Row row;
  row.claim("first", "m", step);
  const CommandPort target = row.claim_command("brace.target", "m", substep);
  EXPECT_EQ(row.alias_command("brace.command", "brace.target"), target);
  for (const char* part : {"", ".rate", ".curvature", ".start_rate"}) {
    EXPECT_EQ(row.find(std::string("brace.command") + part).port,
              row.find(std::string("brace.target") + part).port);
  }
  EXPECT_EQ(names_of(row.published()), (Words{"brace.target", "brace.command"}));
}

TEST(Row, CommandThatIsNotPublishedShowsNone) {
  Row row;
  row.claim_command("brace.planned", "m", substep, false);
  EXPECT_TRUE(row.published().empty());
}

TEST(Row, WhatNobodyHasWrittenIsNotANumber) {
  Row row;
  row.claim("ground.acceleration", "m/s^2", input);
  row.claim("brace.goal", "m", step);
  row.claim_command("brace.target", "m", substep);
  row.scratch(2, substep);
  const Wires wires = row.wires();
  ASSERT_EQ(wires.size(), 8u);
  for (std::size_t i = 0; i < wires.size(); ++i) EXPECT_TRUE(std::isnan(wires.data()[i])) << i;
}

TEST(Row, PoisonReachesOneLifetimeOnly) {
  // Lifetimes take turns, so that each has several stretches of memory.
  Row row;
  std::vector<Lifetime> lifetimes;
  for (const Lifetime lifetime : {step, substep, input, substep, substep, step, input}) {
    row.claim("signal" + std::to_string(lifetimes.size()), "m", lifetime);
    lifetimes.push_back(lifetime);
  }
  row.scratch(2, step);
  lifetimes.insert(lifetimes.end(), 2, step);

  for (const Lifetime poisoned : {input, step, substep}) {
    Wires wires = row.wires();
    std::fill_n(wires.data(), wires.size(), 7.0);
    row.poison(wires.data(), poisoned);
    for (std::size_t i = 0; i < lifetimes.size(); ++i) {
      EXPECT_EQ(std::isnan(wires.data()[i]), lifetimes[i] == poisoned) << i;
    }
  }
}

struct Claim {
  const char* name;
  const char* unit;
};
/// In published order. The channels are declared upper first, against the alphabet.
constexpr Claim listed[] = {
    {"upper.target", "m"},      {"upper.command", "m"},         {"upper.measured", "m"},
    {"upper.force_true", "N"},  {"upper.compensator.lag", "s"}, {"upper.indicator.phase", "s"},
    {"low.target", "N"},        {"low.command", "N"},           {"low.force", "N"},
    {"low.measured_true", "m"}, {"low.compensator.gain", "-"},  {"low.indicator.amplitude", "-"},
    {"upper.dissipated", "J"},  {"lower.target", "m"},
};

TEST(Row, PublishedOrderDoesNotDependOnTheOrderOfClaims) {
  Words expected;
  for (const Claim& claim : listed) expected.emplace_back(claim.name);
  std::vector<Claim> claims(std::begin(listed), std::end(listed));
  std::reverse(claims.begin(), claims.end());
  std::mt19937 random(1);
  for (int i = 0; i < 200; ++i) {
    Row row;
    row.declare_channel("upper");
    row.declare_channel("low");  // "lower.target" begins alike and is no signal of it
    for (const Claim& claim : claims) row.claim(claim.name, claim.unit, substep);
    ASSERT_EQ(names_of(row.published()), expected) << "order " << i;
    std::shuffle(claims.begin(), claims.end(), random);
  }
}

TEST(Row, SignalsOfOnePlaceStandAsTheyWereClaimed) {
  // What a rig measures beyond position and force is its own list, and keeps its order.
  Row row;
  row.declare_channel("jack");
  for (const char* name : {"jack.measured", "jack.force", "jack.valve", "jack.pressure"}) {
    row.claim(name, "-", substep);
  }
  row.claim("jack.target", "-", substep);
  EXPECT_EQ(names_of(row.published()),
            (Words{"jack.target", "jack.measured", "jack.force", "jack.valve", "jack.pressure"}));
}

TEST(Row, NewSignalBetweenOldOnesKeepsTheirOrder) {
  const auto order_of = [](bool corrected) {
    Row row;
    row.declare_channel("lower");
    row.claim("lower.target", "m", substep);
    if (corrected) row.claim("lower.compensator.gain", "-", substep);
    row.claim("lower.command", "m", substep);
    row.claim("lower.force", "N", substep);
    return names_of(row.published());
  };
  EXPECT_EQ(order_of(false), (Words{"lower.target", "lower.command", "lower.force"}));
  EXPECT_EQ(order_of(true),
            (Words{"lower.target", "lower.command", "lower.force", "lower.compensator.gain"}));
}

TEST(Row, OnlyPublishedSignalsOfTheSubstepAreShown) {
  Row row;
  row.claim("ground.acceleration", "m/s^2", input);
  row.claim("storey1.goal", "m", step);
  row.claim("hidden", "m", substep, false);
  row.claim("shown", "m", substep);
  EXPECT_EQ(names_of(row.published()), (Words{"shown"}));
  EXPECT_EQ(row.entries().size(), 4u);
}

TEST(Row, RefusesANameNobodyWritesAndSaysTheNearest) {
  Row row;
  row.claim_command("lower.command", "m", substep);
  row.claim("lower.force", "N", substep);
  EXPECT_EQ(refusal([&] { row.bind("lower.comand", "m"); }),
            "nobody writes lower.comand; did you mean lower.command?");
  EXPECT_EQ(refusal([&] { row.find("lower.froce"); }),
            "nobody writes lower.froce; did you mean lower.force?");
  EXPECT_EQ(refusal([&] { row.find("valve"); }), "nobody writes valve");
  EXPECT_EQ(refusal([&] { row.alias("a", "valve"); }), "nobody writes valve");
  EXPECT_FALSE(row.has("a"));
  EXPECT_EQ(refusal([&] { row.command_entries("lower.force"); }).find("nobody writes lower.force.rate"), 0u)
      << "one number is no command";
}

TEST(Row, RefusesTwoWriters) {
  Row row;
  row.claim("lower.force", "N", substep);
  row.claim_command("lower.target", "m", substep);
  const std::size_t size = row.wires().size();
  EXPECT_EQ(refusal([&] { row.claim("lower.force", "N", step); }), "two stages write lower.force");
  EXPECT_EQ(refusal([&] { row.claim_command("lower.force", "N", step); }), "two stages write lower.force");
  EXPECT_EQ(refusal([&] { row.claim("lower.target.rate", "m/s", substep); }),
            "two stages write lower.target.rate");
  EXPECT_EQ(refusal([&] { row.alias("lower.force", "lower.target"); }), "two stages write lower.force");
  EXPECT_EQ(row.wires().size(), size) << "what is refused takes no room";
  EXPECT_EQ(row.entries().size(), 5u);
}

TEST(Row, RefusesAnotherUnit) {
  Row row;
  row.claim_command("lower.command", "m", substep);
  EXPECT_EQ(refusal([&] { row.bind("lower.command", "mm"); }), "lower.command is in m, not in mm");
  EXPECT_EQ(refusal([&] { row.bind("lower.command.rate", "m"); }), "lower.command.rate is in m/s, not in m");
}

}  // namespace
}  // namespace gusset::test::row

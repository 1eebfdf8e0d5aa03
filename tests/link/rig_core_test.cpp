// The virtual rig keeps its limits whatever a peer says of its own commands.

#include <gtest/gtest.h>

#include <cmath>

#include "link/rig_core.hpp"
#include "support/documents.hpp"
#include "support/run_scene.hpp"

namespace gusset {
namespace {

using namespace test;

/// Sends one command to the rig of quickstart, whose velocity is limited to 0.6 m/s at 1 kHz.
struct Peer {
  RigCore core{plain_quickstart()};
  std::vector<double> feedback = std::vector<double>(8);
  Message command, reply;

  Cause send(std::uint64_t sequence, double displacement, LinkPhase phase = LinkPhase::test) {
    command.sequence = sequence;
    command.phase = phase;
    const double values[4] = {displacement, 0, 0, 0};  // it says that it does not move
    core.answer(command, values, reply, feedback.data());
    return core.cause();
  }
};

TEST(RigCore, AJumpIsAVelocity) {
  Peer peer;
  EXPECT_EQ(peer.send(1, 0.5e-3), Cause::none);
  EXPECT_EQ(peer.send(2, 1.1e-3), Cause::none) << "0.6 m/s is the limit itself";
  EXPECT_EQ(peer.send(3, 10e-3), Cause::velocity);
  EXPECT_EQ(peer.reply.phase, LinkPhase::tripped);
  EXPECT_LT(std::abs(peer.feedback[0]), 1.2e-3) << "and is not followed";
  EXPECT_EQ(peer.send(4, 1.1e-3), Cause::velocity) << "until the next session";
}

TEST(RigCore, TheFirstCommandMayNotJumpEither) {
  EXPECT_EQ(Peer().send(1000, 10e-3, LinkPhase::approach), Cause::velocity);
  EXPECT_EQ(Peer().send(1000, 0.1e-3, LinkPhase::approach), Cause::none);
}

TEST(RigCore, LostCommandsExplainAJumpButNotAnyJump) {
  Peer lossy;
  EXPECT_EQ(lossy.send(1, 0), Cause::none);
  EXPECT_EQ(lossy.send(5, 2.4e-3), Cause::none) << "three were lost";
  Peer liar;
  EXPECT_EQ(liar.send(1, 0), Cause::none);
  EXPECT_EQ(liar.send(1'000'000, 20e-3), Cause::velocity) << "a number is no excuse";
}

/// The same with a clock: `time` in periods of 1 ms.
Cause send_at(Peer& peer, double time, std::uint64_t sequence, double displacement) {
  peer.command.sequence = sequence;
  peer.command.phase = LinkPhase::test;
  const double values[4] = {displacement, 0, 0, 0};
  peer.core.answer(peer.command, values, peer.reply, peer.feedback.data(), std::llround(1e6 * time) + 1);
  return peer.core.cause();
}

TEST(RigCore, ASecondIsASecond) {
  // 0.5 m/s by the numbers, ten times that by the clock: 55 mm in 11 ms.
  Peer hasty;
  Cause cause = Cause::none;
  int k = 0;
  while (cause == Cause::none && k < 110) {
    ++k;
    cause = send_at(hasty, 0.1 * k, static_cast<std::uint64_t>(k), 0.5e-3 * k);
  }
  EXPECT_EQ(cause, Cause::velocity);
  EXPECT_LT(k, 5) << "two periods to spare, and no more";
  // The same on the beat, late by up to a period and early by as much.
  Peer punctual;
  for (int i = 1; i <= 100; ++i) {
    const double jitter = i % 3 == 0 ? 0.9 : i % 7 == 0 ? 0.4 : 0;
    ASSERT_EQ(send_at(punctual, i + jitter, static_cast<std::uint64_t>(i), 0.59e-3 * i), Cause::none) << i;
  }
  // Standing still for long earns nothing.
  Peer patient;
  EXPECT_EQ(send_at(patient, 0, 1, 0), Cause::none);
  for (std::uint64_t i = 0; i < 3; ++i)
    send_at(patient, 1000 + 0.01 * static_cast<double>(i), 2 + i, 0.55e-3 * static_cast<double>(i + 1));
  EXPECT_EQ(send_at(patient, 1000.04, 5, 2.2e-3), Cause::velocity);
}

}  // namespace
}  // namespace gusset

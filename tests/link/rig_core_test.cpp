// The virtual rig keeps its limits whatever a peer says of its own commands.

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace gusset

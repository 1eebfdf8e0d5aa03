// What a file says of its channels arrives in the loop, or is refused. known_defect() marks what is not right
// yet: it turns the test round until somebody puts it right, and then asks for its own removal.

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "golden/digest.hpp"
#include "realtime/settings.hpp"
#include "support/documents.hpp"
#include "support/known_defect.hpp"

namespace gusset {
namespace {

using namespace test;

/// As the program reads a file, unknown keys and all; nothing where it is refused.
std::optional<Test> read(const Document& document) {
  try {
    Test test = make_test(document, shipped_records());
    read_realtime(document);
    document.reject_unknown();
    return test;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

bool refused(const Document& document) { return !read(document).has_value(); }

/// A shipped file with one line written otherwise and text behind it.
Document rewritten(const std::string& name, const std::string& line, const std::string& other,
                   const std::string& more = {}) {
  std::string text = shipped(name).text();
  if (const std::size_t at = text.find("\n" + line + "\n"); !line.empty() && at != text.npos) {
    text.replace(at + 1, line.size(), other);
  }
  return document(text + more);
}

/// What the loop made of the test, without what a compensator says of itself.
Digest outside_of_compensators(const Test& test) {
  Digest digest = digest_of(test, 2000);
  std::erase_if(digest, [](const Line& line) { return line.name.find(".compensator.") != line.name.npos; });
  return digest;
}

TEST(KnownDefects, TheMarkAsksForItsRemoval) {
  EXPECT_NONFATAL_FAILURE(known_defect([] { EXPECT_EQ(1, 1); }), "remove the mark");
  known_defect([] { EXPECT_EQ(1, 2); });
}

TEST(FileWiring, TheForceOfACompensatorReachesTheLoop) {
  const auto with = [](const char* alpha) {
    return read(shipped("chen-2007-hydraulic", {"compensator.kind=dual", "compensator.alpha=1",
                                                std::string("compensator.alpha_force=") + alpha}));
  };
  const auto one = with("1"), five = with("5");
  // The same file is taken or refused whatever the number.
  ASSERT_EQ(one.has_value(), five.has_value());
  EXPECT_TRUE(!one || outside_of_compensators(*one) != outside_of_compensators(*five));
  // Under displacement control it does.
  const std::vector<std::string> dual{"compensator.kind=dual", "compensator.alpha=1"};
  std::vector<std::string> stronger = dual;
  stronger.emplace_back("compensator.alpha_force=5");
  EXPECT_NE(outside_of_compensators(*read(shipped("quickstart", dual))),
            outside_of_compensators(*read(shipped("quickstart", stronger))));
}

TEST(FileWiring, NoForceIsShownWhereNoneIsMeasured) {
  const auto tested = read(shipped("shao-case-4", {"compensator.kind=dual", "compensator.alpha=1"}));
  if (!tested) return;  // refused: right, too
  for (const Signal& signal : tested->experiment->row().signals) {
    EXPECT_FALSE(signal.name.starts_with("table.") && signal.unit == "N") << signal.name;
  }
}

/// Two springs, each moved by a rig of its own.
Document two_rigs(const char* first_dt, const char* second_dt) {
  return document(R"(
duration = "1 s"
[structure]
mass = { values = [2.0, 2.0], unit = "t" }
stiffness = { values = [1800, 1500], unit = "kN/m" }
[initial]
displacement = { values = [5, 8], unit = "mm" }
[integrator]
dt = "4 ms"
[[specimen]]
name = "lower"
kind = "spring"
storey = 1
stiffness = "100 kN/m"
[[specimen]]
name = "upper"
kind = "spring"
storey = 2
stiffness = "100 kN/m"
[[rig]]
kind = "ideal"
[[rig]]
kind = "ideal"
)",
                  {std::string("rig.1.dt=") + first_dt, std::string("rig.2.dt=") + second_dt});
}

TEST(FileWiring, RigsOfDifferentStepsAreRefused) {
  EXPECT_FALSE(refused(two_rigs("1 ms", "1 ms")));
  EXPECT_TRUE(refused(two_rigs("2 ms", "1 ms")));
  EXPECT_TRUE(refused(two_rigs("1 ms", "2 ms")));
}

TEST(FileWiring, AListOfOneRigIsThatRig) {
  const auto list = read(rewritten("quickstart", "[rig]", "[[rig]]"));
  ASSERT_TRUE(list);
  EXPECT_EQ(digest_of(*list, 300), digest_of(*read(shipped("quickstart")), 300));
}

TEST(FileWiring, AListOfOneCompensatorIsThatCompensator) {
  const std::string keys = "kind = \"inverse\"\nalpha = 2\n";
  const auto one = read(rewritten("quickstart", "", "", "[compensator]\n" + keys));
  const auto list = read(rewritten("quickstart", "", "", "[[compensator]]\n" + keys));
  ASSERT_TRUE(one);
  ASSERT_TRUE(list);
  EXPECT_EQ(digest_of(*list, 300), digest_of(*one, 300));
}

TEST(FileWiring, AListOfOneSpecimenIsThatSpecimen) {
  const auto list = read(rewritten("quickstart", "[specimen]", "[[specimen]]"));
  ASSERT_TRUE(list);
  EXPECT_EQ(digest_of(*list, 300), digest_of(*read(shipped("quickstart")), 300));
}

std::string refusal_of(const Document& document) {
  try {
    Experiment::build(document);
  } catch (const InputError& error) {
    return error.what();
  }
  return "(not refused)";
}

/// Every kind of rig is in one table, whose lines say what its channels may be told.
TEST(FileWiring, ARigThatDoesNotTakeTheChannelsCommandIsRefused) {
  const std::string forces = refusal_of(shipped("chen-2007-hydraulic", {"rig.kind=actuator"}));
  EXPECT_NE(forces.find("is told forces"), forces.npos) << forces;
  EXPECT_NE(forces.find("\"added-compliance\""), forces.npos) << forces;
  EXPECT_EQ(forces.find("\"blocks\""), forces.npos) << forces;
  const std::string moves = refusal_of(shipped("quickstart", {"rig.kind=force-actuator"}));
  EXPECT_NE(moves.find("is told displacements"), moves.npos) << moves;
  EXPECT_NE(moves.find("\"blocks\""), moves.npos) << moves;
}

/// [capacity] says what the laboratory has, [rig] what its actuators can do.
TEST(FileWiring, CapacityOfARigUnderForceControl) {
  const auto force = [](const std::vector<std::string>& assignments) {
    return read(shipped("chen-2007-hydraulic", assignments))
        .value()
        .experiment->channels()
        .front()
        .capacity.force;
  };
  EXPECT_EQ(force({"rig.max_force=7 kN"}), 7000.0);
  EXPECT_EQ(force({"rig.max_force=7 kN", "capacity.actuator_force=5 kN"}), 5000.0);
}

TEST(FileWiring, AChannelHasItsOwnLimitOfTrackingError) {
  EXPECT_FALSE(refused(shipped("quickstart", {"limits.damper.acceleration=20 m/s^2"})));
  EXPECT_FALSE(refused(shipped("quickstart", {"limits.damper.tracking_error=1 mm"})));
  EXPECT_TRUE(refused(shipped("chen-2007-hydraulic", {"limits.actuator.tracking_error=1 mm"})));
}

/// A limit of all channels is no unknown key because the only channel has one of its own.
TEST(FileWiring, ALimitOfAllMayStandBesideThatOfTheOnlyChannel) {
  EXPECT_FALSE(refused(shipped("quickstart", {"limits.damper.velocity=1 m/s"})));
}

}  // namespace
}  // namespace gusset

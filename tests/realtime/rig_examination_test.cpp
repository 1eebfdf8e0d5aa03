// A rig that does what it has to passes the examination; each thing that a rig may do wrong is found, and by the duty
// that it breaks. Nothing that is tried asks for more than the stated amount.

#include <gtest/gtest.h>

#include <atomic>
#include <future>

#include "realtime/rig_examination.hpp"
#include "support/raw_rig.hpp"

namespace gusset {
namespace {

using namespace test;

constexpr double amount = 0.2e-3;

struct Examined {
  RigExamination examination;
  double furthest = 0;
  bool not_finite = false;  ///< something that is no number was commanded
  int stops = 0;
};

RigExaminationOptions with_nan() {
  RigExaminationOptions options;
  options.try_nan = true;
  return options;
}

Examined examine(const std::set<std::string>& faults, RigExaminationOptions options = {}) {
  RawRig rig(faults);
  options.amounts = {{"m", amount}};
  options.way = 0.15;
  options.silence = 0.8;
  options.link.patience = 2;
  Examined examined;
  examined.examination = examine_rig(parse_url(rig.url(), "--rig"), {}, options);
  rig.finish();
  examined.furthest = rig.furthest();
  examined.not_finite = rig.not_finite();
  examined.stops = rig.stops();
  return examined;
}

std::string failures(const RigExamination& examination) {
  std::string text;
  for (const RigFinding& finding : examination.findings) {
    if (finding.verdict == RigFinding::Verdict::wrong) text += finding.duty + ": " + finding.found + "\n";
  }
  return text;
}

TEST(RigExaminationThread, ARigWrittenFromTheDocumentPasses) {
  const Examined examined = examine({}, with_nan());
  EXPECT_TRUE(examined.examination.conforms()) << failures(examined.examination);
  EXPECT_GE(examined.examination.findings.size(), 20U) << "two channels, four phases each, and the rest";
  for (const RigFinding& finding : examined.examination.findings) {
    EXPECT_EQ(finding.verdict, RigFinding::Verdict::right) << finding.duty << ": " << finding.found;
  }
  EXPECT_NEAR(examined.furthest, amount, 0.01 * amount);
}

TEST(RigExaminationThread, EachFaultIsFoundByTheDutyItBreaks) {
  const std::pair<const char*, const char*> faults[] = {
      {"idle-moves", "does not move in phase 0"},
      {"wrong-sign", "the wrong sign"},
      {"dead", "follows north in phase 1"},
      {"false-zero", "stands still when told to be where it is"},
      {"crosstalk", "another channel moved as well"},
      {"repeats", "moves once for each number"},
      {"any-session", "another session's number"},
      {"any-count", "too many numbers"},
      {"any-check-sum", "damaged frame"},
      {"nan", "does not follow NaN"},
      {"stop", "stays after phase 5"},
      {"silence", "stops by itself when commands cease"},
      {"greedy", "refuses a second caller"},
      {"forgets", "answers every command"},
  };
  std::vector<std::future<Examined>> all;
  for (const auto& [fault, duty] : faults) {
    all.push_back(
        std::async(std::launch::async, [name = std::string(fault)] { return examine({name}, with_nan()); }));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Examined examined = all[i].get();
    const std::string text = failures(examined.examination);
    EXPECT_NE(text.find(faults[i].second), std::string::npos) << faults[i].first << " gave\n" << text;
    // A position that is 5 mm wrong is found by going there, once. Before its first answer nobody knows where a rig
    // stands, and one that moves in phase 0 goes to 0.
    const std::string fault = faults[i].first;
    const double allowed = fault == "false-zero"   ? 5e-3
                           : fault == "idle-moves" ? 12e-3 + amount
                                                   : 1.05 * amount;
    EXPECT_LE(examined.furthest, allowed) << faults[i].first << " was sent too far";
  }
}

TEST(RigExaminationThread, NoNumberIsCommandedThatIsNone) {
  EXPECT_FALSE(examine({}).not_finite) << "NaN is sent only where it is asked for";
  const Examined examined = examine({"no-numbers"}, with_nan());
  EXPECT_FALSE(examined.not_finite) << "where it stands nobody knows, and nothing is commanded from there";
  EXPECT_EQ(examined.furthest, 0);
  EXPECT_NE(failures(examined.examination).find("measures numbers"), std::string::npos);
}

/// Answers cease after a while: where the rig stands is then unknown, and it is not sent to 0.
TEST(RigExaminationThread, ARigThatGivesUpIsNotCommandedAnyMore) {
  const Examined examined = examine({"gives-up"});
  EXPECT_FALSE(examined.examination.conforms());
  EXPECT_LE(examined.furthest, 1.05 * amount);
}

TEST(RigExaminationThread, WhoeverStopsItStopsTheRig) {
  std::atomic<bool> stop{false};
  RigExaminationOptions options;
  options.stop = &stop;
  options.tell = [&](const RigFinding& finding) {
    if (finding.duty.starts_with("follows north in phase 2")) stop = true;
  };
  const Examined examined = examine({}, options);
  EXPECT_TRUE(examined.examination.stopped);
  EXPECT_FALSE(examined.examination.conforms());
  EXPECT_EQ(examined.stops, 3);
  EXPECT_EQ(examined.examination.findings.back().duty, "follows north in phase 2, test")
      << "nothing after it";
}

}  // namespace
}  // namespace gusset

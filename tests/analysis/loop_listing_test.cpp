// The loop of a test as people see it: nothing left out, nothing twice, nothing read before it is written.

#include "analysis/loop_listing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "report/loop_picture.hpp"
#include "report/loop_text.hpp"
#include "support/documents.hpp"

namespace gusset {
namespace {

Experiment shipped_experiment(const std::string& name, const std::vector<std::string>& assignments = {}) {
  return Experiment::build(test::shipped(name, assignments));
}

LoopListing listing_of(const std::string& name, const std::vector<std::string>& assignments = {}) {
  return list_loop(shipped_experiment(name, assignments));
}

std::vector<std::string> names(const std::vector<LoopListing::Entry>& entries) {
  std::vector<std::string> list;
  for (const LoopListing::Entry& entry : entries) list.push_back(entry.name);
  return list;
}

/// All signals that the entries stand for.
std::vector<std::string> signals(const std::vector<LoopListing::Entry>& entries) {
  std::vector<std::string> list;
  for (const LoopListing::Entry& entry : entries) {
    list.insert(list.end(), entry.signals.begin(), entry.signals.end());
  }
  return list;
}

std::set<std::string> name_set(const std::vector<Row::Entry>& entries) {
  std::set<std::string> list;
  for (const Row::Entry& entry : entries) list.insert(entry.name());
  return list;
}

template <class Container>
std::set<std::string> as_set(const Container& list) {
  return {list.begin(), list.end()};
}

/// What is said of `name` is what its loop is.
void compare(const Experiment& experiment) {
  const Loop& loop = experiment.loop();
  const LoopListing listing = list_loop(experiment);
  std::set<std::string> written = as_set(signals(listing.inputs));
  std::size_t at = 0;
  for (const LoopListing::Part& part : listing.parts) {
    EXPECT_FALSE(part.stages.empty());
    EXPECT_FALSE(part.does.empty());
    for (const LoopListing::Stage& stage : part.stages) {
      ASSERT_LT(at, loop.stages().size());
      const StageInfo& info = loop.stages()[at++];
      EXPECT_EQ(stage.name, info.name);
      EXPECT_EQ(part.phase, info.phase);
      EXPECT_EQ(stage.rig, info.rig);
      EXPECT_EQ(stage.shares, info.shares);
      EXPECT_FALSE(stage.does.empty()) << stage.name << " has no sentence";
      EXPECT_EQ(as_set(signals(stage.reads)), name_set(experiment.loop().entries(info.reads)));
      EXPECT_EQ(as_set(signals(stage.writes)), name_set(experiment.loop().entries(info.writes)));
      for (const std::string& signal : signals(stage.reads)) {
        EXPECT_TRUE(written.contains(signal)) << stage.name << " reads " << signal << " before it is written";
      }
      for (const std::string& signal : signals(stage.writes)) written.insert(signal);
      int kept = 0;
      for (const Kept& range : info.keeps) {
        kept += range.last - range.first + range.last_branch - range.first_branch;
      }
      EXPECT_EQ(stage.kept(), kept) << stage.name;
    }
  }
  EXPECT_EQ(at, loop.stages().size());

  ASSERT_EQ(listing.cut.size(), loop.rig_count());
  if (listing.cut.empty()) return;
  const LoopListing::Crossing& crossing = listing.cut.front();
  EXPECT_EQ(as_set(signals(crossing.commands)), name_set(experiment.cut().commands));
  EXPECT_EQ(as_set(signals(crossing.feedback)), name_set(experiment.cut().feedback));
  for (std::size_t i = 0; i < experiment.cut().feedback.size(); ++i) {
    if (!experiment.cut().needed[i]) continue;
    const std::string& name = experiment.cut().feedback[i].name();
    for (const LoopListing::Entry& entry : crossing.feedback) {
      if (entry.name == name) {
        EXPECT_TRUE(entry.needed) << name;
      }
    }
  }
}

TEST(LoopListing, SaysWhatTheLoopOfEveryShippedTestIs) {
  for (const std::string& name : test::shipped_names()) {
    SCOPED_TRACE(name);
    compare(shipped_experiment(name));
  }
}

TEST(LoopListing, ASampledShakeTableHasACut) {
  const Experiment experiment = shipped_experiment("shao-three-storey", {"method.feedback=sampled"});
  compare(experiment);
  const LoopListing listing = list_loop(experiment);
  ASSERT_EQ(listing.cut.size(), 1U);
  EXPECT_EQ(names(listing.cut[0].commands), (std::vector<std::string>{"table.command", "actuator.command"}));
  EXPECT_EQ(listing.cut[0].commands[0].unit, "m/s^2");
  EXPECT_EQ(listing.cut[0].commands[1].unit, "N");
}

TEST(LoopListing, OfTheQuickstart) {
  const LoopListing listing = listing_of("quickstart");
  EXPECT_EQ(listing.substeps, 4);
  EXPECT_NEAR(listing.dt, 4 * listing.rig_dt, 1e-15);
  EXPECT_FALSE(listing.trials);
  ASSERT_EQ(listing.parts.size(), 4U);
  EXPECT_EQ(listing.part(Phase::observe), nullptr);
  const LoopListing::Stage& begin = listing.part(Phase::begin)->stages.front();
  EXPECT_EQ(names(begin.writes),
            (std::vector<std::string>{"storey1 … storey3 displacement", "storey1 … storey3 velocity",
                                      "storey1 … storey3 acceleration", "damper.goal"}));
  EXPECT_EQ(begin.writes.back().signals,
            (std::vector<std::string>{"damper.goal", "damper.goal.rate", "damper.goal.curvature"}));
  ASSERT_FALSE(begin.keeps.empty());
  EXPECT_EQ(begin.keeps.front().name, "numerical.displacement");
  EXPECT_EQ(begin.keeps.front().unit, "m");
  EXPECT_EQ(begin.keeps.front().size, 3);
  const LoopListing::Crossing& cut = listing.cut.at(0);
  EXPECT_EQ(names(cut.commands), (std::vector<std::string>{"damper.command"}));
  EXPECT_EQ(cut.commands[0].signals.size(), 4U);
  EXPECT_EQ(names(cut.feedback), (std::vector<std::string>{"damper.measured", "damper.force"}));
  // Nothing computed reads the displacement, but limits judge it.
  EXPECT_TRUE(cut.feedback[0].needed && cut.feedback[1].needed);
}

TEST(LoopListing, GroupsWhatBelongsTogetherAndNothingElse) {
  std::vector<Row::Entry> entries;
  for (const char* name :
       {"storey1.displacement", "storey2.displacement", "storey4.displacement", "a.rate", "b", "b.curvature",
        "storey9.velocity", "storey10.velocity", "storey11.velocity", "storeyX.velocity", "b"}) {
    entries.push_back({{name, "m"}, {}, Lifetime::step, true});
  }
  EXPECT_EQ(names(grouped(entries)),
            (std::vector<std::string>{"storey1.displacement", "storey2.displacement", "storey4.displacement",
                                      "a.rate", "b", "storey9 … storey11 velocity", "storeyX.velocity"}));
  EXPECT_TRUE(grouped({}).empty());
}

TEST(LoopListing, TextFitsATerminal) {
  for (const std::string& name : test::shipped_names()) {
    const std::string text = loop_text(listing_of(name));
    std::size_t letters = 0;
    for (const char c : text) {
      letters = c == '\n' ? 0 : letters + ((static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0);
      ASSERT_LE(letters, 100U) << name << "\n" << text;
    }
  }
}

TEST(LoopListing, PictureHoldsTheCutWhereThereIsOne) {
  const std::string with = loop_picture(listing_of("quickstart"));
  for (const char* text :
       {"in the laboratory", "the cut", "damper.command [m]", "4 times a step", "every 1 ms"}) {
    EXPECT_NE(with.find(text), std::string::npos) << text;
  }
  const std::string without = loop_picture(listing_of("frame"));
  EXPECT_EQ(without.find("in the laboratory"), std::string::npos);
  EXPECT_EQ(without.find("the cut"), std::string::npos);
  EXPECT_NE(without.find("next step"), std::string::npos);
}

TEST(LoopListing, PictureOfMoreThanFitsSaysSo) {
  LoopListing listing = listing_of("quickstart");
  LoopListing::Crossing& cut = listing.cut.front();
  for (int i = 0; i < 30; ++i) {
    cut.commands.push_back(
        {"channel" + std::to_string(i) + "_with_a_name_that_never_seems_to_end.command", "m", {}});
  }
  const std::string picture = loop_picture(listing);
  EXPECT_NE(picture.find("and 26 more"), std::string::npos) << picture;
  EXPECT_NE(picture.find("…"), std::string::npos);
}

}  // namespace
}  // namespace gusset

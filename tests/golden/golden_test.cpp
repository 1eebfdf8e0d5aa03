// The gate: numbers of whole tests that no redesign may move. Data: one file a case in data/, made by
//
//   GUSSET_GOLDEN_WRITE=1 build/dev/bin/gusset_tests --gtest_filter='Golden*'
//
// which belongs only in a commit that says why a number had to change. Numbers that are right because
// they agree with a paper or a closed form are elsewhere; these are only those of yesterday.

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "compensate/compensator.hpp"
#include "golden/cases.hpp"
#include "integrate/integrator.hpp"
#include "rig/rig.hpp"
#include "rig/specimen.hpp"
#include "structure/restoring.hpp"

namespace gusset {
namespace {

using namespace test;

constexpr const char* how_to_write =
    "If a number had to change, say why in the commit and make the data again:\n"
    "  GUSSET_GOLDEN_WRITE=1 build/dev/bin/gusset_tests --gtest_filter='Golden*'";

bool writing() { return std::getenv("GUSSET_GOLDEN_WRITE") != nullptr; }

std::string data_path(const std::string& name) { return in_golden("data/" + name + ".txt"); }

/// Does this machine's mathematical library compute as the one that made the data?
bool same_library() {
  return read_file(data_path("probe")).find(hash_text(library_probe())) != std::string::npos;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = golden_cases();
  return all;
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string head_of(const Case& test, std::int64_t steps) {
  std::string text = "# " + std::to_string(steps) + " steps of " + test.base;
  for (const std::string& assignment : test.assignments) text += "; " + assignment;
  if (test.extra_delay > 0) text += "; delay in front=" + number_text(test.extra_delay) + " s";
  return text + "\n# kind name hash, sum of absolute values, unit\n";
}

void expect_same(const Case& test, const Digest& found, const char* way) {
  const bool exact = same_library();
  Digest expected = parse_digest(read_file(data_path(test.name)));
  renamed_by(parse_renames(read_file(in_golden("renames.txt"))), expected);
  const std::vector<std::string> all = differences(expected, found, exact);
  if (!exact) std::puts("another mathematical library: compared to 1e-9, not to the bit");
  if (all.empty()) return;
  std::string text = test.name + ", " + way + ":\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 12); ++i) text += "  " + all[i] + "\n";
  if (all.size() > 12) text += "  and " + std::to_string(all.size() - 12) + " more\n";
  ADD_FAILURE() << text << how_to_write;
}

class GoldenCase : public ::testing::TestWithParam<Case> {};

TEST_P(GoldenCase, KeepsItsNumbers) {
  const Case& test = GetParam();
  const auto built = build(test, document_of(test));
  const std::int64_t steps = steps_of(built);
  const Digest found = digest_of(built, steps);
  std::set<std::pair<std::string, std::string>> names;
  for (const Line& line : found) {
    EXPECT_TRUE(names.emplace(line.kind, line.name).second) << line.name << " is there twice";
    // An unstable test magnifies rounding, so that on another machine nothing could be compared.
    if (line.kind == "response" && line.unit == "m") {
      EXPECT_LT(line.value, 10 * static_cast<double>(steps)) << line.name << " diverges";
    }
  }
  if (writing()) write_atomically(data_path(test.name), head_of(test, steps) + to_text(found), true);
  expect_same(test, found, "whole steps");
  expect_same(test, digest_of(built, steps, Way::over_the_cut), "over the cut");
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenCase, ::testing::ValuesIn(cases()), test_name);

// Tests without parameters run first: the cases find the probe when the data are made.
TEST(Golden, LibraryProbe) {
  if (writing()) {
    write_atomically(data_path("probe"),
                     "# Which mathematical library made these data: see library_probe()\nlibm " +
                         hash_text(library_probe()) + "\n",
                     true);
  }
  EXPECT_EQ(library_probe(), library_probe());
  if (!same_library()) std::puts("another mathematical library: cases are compared to 1e-9");
}

TEST(Golden, DataBelongToCases) {
  std::set<std::string> known{"probe"};
  for (const Case& test : cases()) EXPECT_TRUE(known.insert(test.name).second) << test.name;
  for (const auto& entry : std::filesystem::directory_iterator(in_golden("data"))) {
    if (known.contains(entry.path().stem().string())) continue;
    if (writing()) {
      std::filesystem::remove(entry.path());
    } else {
      ADD_FAILURE() << entry.path() << " belongs to no case";
    }
  }
}

TEST(Golden, EveryRenameFits) {
  for (const Rename& rename : parse_renames(read_file(in_golden("renames.txt")))) {
    bool fits = false;
    for (const Case& test : cases()) {
      for (Line line : parse_digest(read_file(data_path(test.name)))) fits = fits || renamed_by(rename, line);
    }
    EXPECT_TRUE(fits) << rename.from << " is no name in the data";
  }
}

/// "rig delay", "integrator newmark" …: what the sections of all cases choose.
std::set<std::string> chosen() {
  std::set<std::string> all;
  for (const Case& test : cases()) {
    const Document document = document_of(test);
    const Value* method = document.find("method.kind");
    const bool forces =
        method != nullptr && (method->text == "effective-force" || method->text == "shake-table");
    for (const Section& section : document.all()) {
      for (const Entry& entry : section.entries) {
        std::string what = section.path.substr(0, section.path.find_first_of(".0123456789"));
        if (section.path.starts_with("structure.restoring")) what = "restoring";
        if (forces && what == "rig") what = "rig of forces";
        if (entry.key != "kind") what += "." + entry.key;
        all.insert(what + " " + entry.value.text);
      }
    }
  }
  return all;
}

template <class Kind>
void expect_chosen(const std::set<std::string>& all, const char* what,
                   const std::vector<const Kind*>& kinds) {
  for (const Kind* kind : kinds) {
    EXPECT_TRUE(all.contains(std::string(what) + " " + kind->name))
        << what << " " << kind->name << " is in no case: write a line in tests/golden/cases.txt and make "
        << "its data:\n  GUSSET_GOLDEN_WRITE=1 build/dev/bin/gusset_tests --gtest_filter='Golden*'";
  }
}

std::vector<const RigKind*> rigs_told(Control control) {
  std::vector<const RigKind*> kinds = rig_kinds();
  std::erase_if(kinds, [&](const RigKind* kind) { return !kind->takes(control); });
  return kinds;
}

TEST(Golden, EveryKindHasACase) {
  const std::set<std::string> all = chosen();
  expect_chosen(all, "compensator", compensator_kinds());
  expect_chosen(all, "integrator", integrator_kinds());
  expect_chosen(all, "rig", rigs_told(Control::displacement));
  expect_chosen(all, "rig of forces", rigs_told(Control::force));
  expect_chosen(all, "specimen", specimen_kinds());
  expect_chosen(all, "restoring", restoring_kinds());
  // Words that no registry lists.
  for (const char* word : {"method displacement",
                           "method predefined",
                           "method effective-force",
                           "method shake-table",
                           "method.profile ramp",
                           "method.profile quadratic",
                           "method.profile b-spline",
                           "method.profile p1",
                           "method.profile p2",
                           "method.profile p3",
                           "method.reference absolute",
                           "method.reference relative",
                           "method.predictor direct",
                           "method.predictor iterations",
                           "method.feedback ideal",
                           "method.feedback sampled",
                           "method.feedback iterations",
                           "method.feedback open-loop",
                           "trajectory sweep",
                           "trajectory steps",
                           "trajectory noise",
                           "trajectory record",
                           "excitation noise"}) {
    EXPECT_TRUE(all.contains(word)) << word;
  }
  EXPECT_FALSE(all.contains("rig no-such-rig"));
}

}  // namespace
}  // namespace gusset

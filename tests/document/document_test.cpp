#include "document/document.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>
#include <string>

namespace gusset {
namespace {

/// Runs `action`, which must throw InputError, and checks every part of the message.
void expect_error(const std::function<void()>& action, int line, int column, const std::string& cause,
                  const std::string& fix) {
  try {
    action();
    ADD_FAILURE() << "no error; expected " << cause;
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().line, line) << error.what();
    EXPECT_EQ(error.where().column, column) << error.what();
    EXPECT_NE(error.cause().find(cause), std::string::npos) << error.what();
    EXPECT_NE(error.fix().find(fix), std::string::npos) << error.what();
  }
}

Document parse(std::string_view text) { return Document::parse(text, "t.toml"); }

constexpr const char* example = R"(title = "Wu 2009"
duration = "10 s"
[structure]
mass = "300 kg"
frequency = "1 Hz"
damping_ratio = 0.2
[integrator]
kind = "central-difference"
dt = "10 ms"
[[specimen]]
mass = "1 t"
[[specimen]]
mass = "2 t"
[specimen.hinge]
stiffness = "1 kN/m"
)";

TEST(Document, ReadsAnExperiment) {
  const Document d = parse(example);
  EXPECT_EQ(d.name(), "t.toml");
  EXPECT_EQ(d.text(), example);
  EXPECT_EQ(d.top().text("title"), "Wu 2009");
  EXPECT_EQ(d.top().number("duration", dim::time), 10);
  EXPECT_EQ(d.section("structure").number("mass", dim::mass), 300);
  EXPECT_DOUBLE_EQ(d.section("structure").number("frequency", dim::frequency), 2 * std::numbers::pi);
  EXPECT_EQ(d.section("structure").number("damping_ratio", dim::none), 0.2);
  EXPECT_EQ(d.section("integrator").positive("dt", dim::time), 0.01);
  EXPECT_EQ(d.section("integrator").choice("kind", {"newmark", "central-difference"}), "central-difference");
  const auto specimens = d.sections("specimen");
  ASSERT_EQ(specimens.size(), 2u);
  EXPECT_EQ(specimens[0]->path, "specimen.1");
  EXPECT_EQ(specimens[1]->number("mass", dim::mass), 2000);
  EXPECT_EQ(specimens[0]->number("mass", dim::mass), 1000);
  EXPECT_EQ(d.section("specimen.2.hinge").number("stiffness", dim::stiffness), 1000);
  EXPECT_NO_THROW(d.reject_unknown());
}

TEST(Document, SectionsAndEntriesComeInFileOrder) {
  const Document d = parse("z = 1\na = 2\n[y]\nq = 1\nb = 2\n[c]\n");
  EXPECT_EQ(d.top().entries[0].key, "z");
  EXPECT_EQ(d.section("y").entries[0].key, "q");
  expect_error([&] { d.reject_unknown(); }, 1, 1, "`z`", "remove");
}

TEST(Document, DottedKeysAndInlineTablesAreSections) {
  const Document d = parse(
      "a.b = 1\nrig = { kind = \"ideal\", delay = \"1 ms\" }\n"
      "s = [{ m = 1 }, { m = 2 }]\n");
  EXPECT_EQ(d.section("a").number("b", dim::none), 1);
  EXPECT_EQ(d.section("rig").number("delay", dim::time), 0.001);
  EXPECT_EQ(d.sections("s").size(), 2u);
  EXPECT_EQ(d.section("s.2").number("m", dim::none), 2);
  EXPECT_EQ(d.sections("rig").size(), 1u);
  EXPECT_TRUE(d.sections("nothing").empty());
}

TEST(Document, KeepsTextsThatLookLikeQuantities) {
  const Document d = parse("title = \"300 kg\"\nname = \"3 storeys\"\n");
  EXPECT_EQ(d.top().text("title"), "300 kg");
  EXPECT_EQ(d.top().text("name"), "3 storeys");
}

TEST(Document, ListsInEveryForm) {
  const Document d = parse(R"(a = { values = [1, 2.5], unit = "t" }
b = ["1 m", "20 cm"]
c = [1, 2, 3]
d = ["x", "y"]
e = [[2, -1], [-1, 1], [0, 7]]
f = { values = [[1, 2]], unit = "kN/m" }
g = "3 mm"
h = { values = [0.1, 0.2] }
i = []
)");
  const Section& top = d.top();
  EXPECT_EQ(top.list("a", dim::mass), (std::vector<double>{1000, 2500}));
  EXPECT_EQ(top.list("b", dim::length), (std::vector<double>{1, 0.2}));
  EXPECT_EQ(top.list("c", dim::none), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(top.integers("c", 1), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(d.find("d")->texts, (std::vector<std::string>{"x", "y"}));
  std::size_t columns = 0;
  EXPECT_EQ(top.matrix("e", dim::none, columns), (std::vector<double>{2, -1, -1, 1, 0, 7}));
  EXPECT_EQ(columns, 2u);
  EXPECT_EQ(d.find("e")->rows, 3u);
  EXPECT_EQ(top.matrix("f", dim::stiffness, columns), (std::vector<double>{1000, 2000}));
  EXPECT_EQ(top.list("g", dim::length), (std::vector<double>{0.003}));
  EXPECT_EQ(top.list("h", dim::none), (std::vector<double>{0.1, 0.2}));
  expect_error([&] { top.list("i", dim::none); }, 9, 5, "empty list", "at least one");
  expect_error([&] { top.list("e", dim::none); }, 5, 5, "list of lists", "[1, 2]");
  expect_error([&] { top.matrix("c", dim::stiffness, columns); }, 3, 5, "matrix", "unit = \"N/m\"");
  expect_error([&] { top.list("d", dim::mass); }, 4, 5, "list of texts", "kg");
  expect_error([&] { top.list("c", dim::mass); }, 3, 5, "c has no unit",
               "c = { values = [1, 2, 3], unit = \"kg\" }");
  expect_error([&] { top.list("b", dim::mass); }, 2, 5, "is a length (m)", "kg, t or slug");
  expect_error([&] { top.integers("h", 1); }, 8, 5, "0.1, but a whole number", "1 or more");
}

struct Bad {
  const char* text;
  int line, column;
  const char* cause;
  const char* fix;
};
class RefusedFile : public testing::TestWithParam<Bad> {};

TEST_P(RefusedFile, WithPlaceCauseAndFix) {
  const Bad& bad = GetParam();
  expect_error([&] { parse(bad.text); }, bad.line, bad.column, bad.cause, bad.fix);
}

INSTANTIATE_TEST_SUITE_P(
    Toml, RefusedFile,
    testing::Values(Bad{"a = 1\nb = 300 kg\n", 2, 9, "not valid TOML", "quotes"},
                    Bad{"a = 1\na = 2\n", 2, 5, "redefine", "keep one"},
                    Bad{"a = 1\nb = nan\n", 2, 5, "b is not a finite number", "number"},
                    Bad{"[s]\nb = -inf\n", 2, 5, "s.b is not a finite number", "number"},
                    Bad{"b = [1, inf]\n", 1, 9, "finite", "number"},
                    Bad{"d = 1979-05-27\n", 1, 5, "date", "10 s"},
                    Bad{"d = [07:32:00]\n", 1, 6, "neither a number", "[1, 2]"},
                    Bad{"d = [true]\n", 1, 6, "neither a number", "[1, 2]"},
                    Bad{"m = [1, \"2 kg\"]\n", 1, 9, "mixes", "unit = \"kg\""},
                    Bad{"m = [\"1 kg\", \"2 m\"]\n", 1, 14, "mixes kg and m", "same kind"},
                    Bad{"m = [\"1 kg\", \"2 kgg\"]\n", 1, 14, "'kgg'", "kg"},
                    Bad{"m = [[1, 2], [3]]\n", 1, 14, "different lengths", "same number"},
                    Bad{"m = [[], []]\n", 1, 6, "different lengths", "at least one"},
                    Bad{"m = [[1], 2]\n", 1, 11, "mixes lists", "matrix"},
                    Bad{"m = [[[1]]]\n", 1, 7, "neither a number", "matrix"},
                    Bad{"m = [{ a = 1 }, 2]\n", 1, 17, "mixes tables", "[[m]]"},
                    Bad{"m = { values = [1], unit = \"kgg\" }\n", 1, 29, "'kgg'", "kg"},
                    Bad{"m = { values = [1], units = \"kg\" }\n", 1, 21, "`units`", "unit = "},
                    Bad{"m = { values = [1], unit = 3 }\n", 1, 28, "not a text", "unit = \"kg\""},
                    Bad{"m = { values = 1, unit = \"kg\" }\n", 1, 16, "not a list", "values = [1, 2]"},
                    Bad{"m = { values = [\"1 m\"], unit = \"m\" }\n", 1, 32, "bare numbers", "bare"},
                    Bad{"m = { values = [1e300], unit = \"Mg^9\" }\n", 1, 32, "double", "exponent"},
                    Bad{"\"a.b\" = 1\n", 1, 1, "letters", "damping_ratio"},
                    Bad{"a = 1\n[=]\n", 2, 2, "heading", "[structure]"},
                    Bad{"t = \"ü\" # ü\nx = “3 kg”\n", 2, 5, "outside quotes", "straight quotes"},
                    Bad{"t = \"ü\" ü\n", 1, 9, "outside quotes", "ASCII"},
                    Bad{"x = 1\ny = [[1], [}\n", 2, 12, "'}'", "brackets"},
                    Bad{"x = { a = 1 ]\n", 1, 13, "']'", "brackets"},
                    Bad{"x = [4.4in\"µ\n", 1, 11, "middle of a word", "300 kg"},
                    Bad{"[\n", 1, 2, "heading", "[structure]"},
                    Bad{"  [[ *x]]", 1, 6, "heading", "[structure]"},
                    Bad{"\"\" = 1\n", 1, 1, "letters", "damping_ratio"}));

TEST(Document, DeepNestingIsRefused) {
  const auto repeated = [](const std::string& part, int n) {
    std::string s;
    for (int i = 0; i < n; ++i) s += part;
    return s;
  };
  EXPECT_THROW(parse(repeated("a.", 500000) + "a = 1\n"), InputError);
  EXPECT_THROW(parse("[" + repeated("a.", 500000) + "a]\n"), InputError);
  EXPECT_THROW(parse("x = " + repeated("[", 100000)), InputError);
  EXPECT_THROW(parse("x = " + repeated("{a=", 200) + "1" + repeated("}", 200)), InputError);
  EXPECT_THROW(parse(repeated("'a'.", 500000) + "a = 1\n"), InputError);
  // Dots that are no key are nobody's business.
  EXPECT_NO_THROW(parse("# " + repeated(".", 100) + "\nx = \"" + repeated(".", 100) + "\"\ny = [" +
                        repeated("0.5, ", 100) + "]\n"));
}

TEST(Document, ListsOverLinesAreNotTakenForHeadings) {
  const Document d = parse(
      "m = [\n  [+1, 2], # ] [\n[+0.5, 2]\n]\n"
      "t = \"\"\"x [\"\"\"\"\" # quotes that end a long text\n"
      "u = '['\n[s]\nx = { a = [\n-1, 2] }\n");
  EXPECT_EQ(d.find("m")->rows, 2u);
}

TEST(Reader, NumbersWithoutUnit) {
  const Document d = parse("[structure]\nmass = 300\n[limits]\nx = 0.5\n");
  expect_error([&] { d.section("structure").number("mass", dim::mass); }, 2, 8, "structure.mass has no unit",
               "write mass = \"300 kg\" (units: kg, t or slug …)");
  expect_error([&] { d.section("limits").number("x", dim::frequency); }, 4, 5, "no unit", "x = \"0.5 Hz\"");
}

TEST(Reader, WrongDimension) {
  const Document d = parse("[integrator]\ndt = \"3 kg\"\nratio = \"2 m\"\nf = \"2 1/s\"\n");
  const Section& s = d.section("integrator");
  expect_error([&] { s.number("dt", dim::time); }, 2, 6, "integrator.dt is a mass (kg), but a time is needed",
               "s, ms or min");
  expect_error([&] { s.number("ratio", dim::none); }, 3, 9,
               "is a length (m), but a number without a unit is needed", "bare number");
  expect_error([&] { s.number("f", dim::frequency); }, 4, 5, "a rate (1/s)", "\"2 Hz\" or \"2 rad/s\"");
}

TEST(Reader, TextThatIsAlmostAQuantity) {
  const Document d = parse("mass = \"300 KG\"\nlist = [\"3 KG\"]\n");
  expect_error([&] { d.top().number("mass", dim::mass); }, 1, 13, "mass: unknown unit 'KG'", "kg");
  expect_error([&] { d.top().list("list", dim::mass); }, 2, 8, "unknown unit 'KG'", "kg");
}

TEST(Reader, MissingKeys) {
  const Document d = parse("[structure]\nmasss = \"3 kg\"\n[integratr]\n");
  expect_error([&] { d.section("structure").number("stiffness", dim::stiffness); }, 1, 1,
               "structure.stiffness is missing", "add `stiffness = \"… N/m\"` to [structure]");
  expect_error([&] { d.section("structure").number("mass", dim::mass); }, 1, 1, "structure.mass is missing",
               "`masss` on line 2");
  expect_error([&] { d.section("integrator").number("dt", dim::time); }, 0, 0, "integrator.dt is missing",
               "[integratr] on line 3");
  expect_error([&] { d.section("rig").text("kind"); }, 0, 0, "rig.kind is missing",
               "add a section [rig] with `kind = \"…\"`");
  expect_error(
      [&] {
        d.section("rig").choice("kind", {"ideal", "delay"});
      },
      0, 0, "rig.kind is missing", "one of ideal or delay");
  expect_error([&] { d.top().number("duration", dim::time); }, 0, 0, "duration is missing",
               "at the top of the file");
}

TEST(Reader, Fallbacks) {
  const Document d = parse("");
  const Section& s = d.section("none");
  EXPECT_EQ(s.number("x", dim::mass, 7), 7);
  EXPECT_FALSE(s.maybe("x", dim::mass).has_value());
  EXPECT_EQ(s.integer("x", 3, 0, 1), 3);
  EXPECT_TRUE(s.flag("x", true));
  EXPECT_EQ(s.text("x", "t"), "t");
  EXPECT_EQ(s.choice("x", {"a"}, "b"), "b");
  EXPECT_FALSE(s.has("x"));
  EXPECT_EQ(s.find("x"), nullptr);
  EXPECT_FALSE(d.has_section("none"));
}

TEST(Reader, Ranges) {
  const Document d = parse("a = \"-1 kg\"\nb = 0\nc = 2.5\nd = 11\ne = 3\n");
  const Section& s = d.top();
  expect_error([&] { s.positive("a", dim::mass); }, 1, 5, "a is -1", "greater than 0");
  expect_error([&] { s.positive("b", dim::none); }, 2, 5, "above zero", "greater than 0");
  expect_error([&] { s.non_negative("a", dim::mass); }, 1, 5, "negative", "0 or a positive");
  EXPECT_EQ(s.non_negative("b", dim::none), 0);
  expect_error([&] { s.integer("c", 1, 0, 10); }, 3, 5, "c is 2.5", "0 to 10");
  expect_error([&] { s.integer("d", 1, 0, 10); }, 4, 5, "d is 11", "0 to 10");
  EXPECT_EQ(s.integer("e", 1, 0, 10), 3);
}

TEST(Reader, WrongKinds) {
  const Document d = parse("w = \"heavy\"\nn = 3\nb = true\nl = [1, 2]\n");
  const Section& s = d.top();
  expect_error([&] { s.number("w", dim::mass); }, 1, 5, "w is a text, but a mass", "kg");
  expect_error([&] { s.number("b", dim::none); }, 3, 5, "b is true or false", "number");
  expect_error([&] { s.number("l", dim::none); }, 4, 5, "l is a list", "number");
  expect_error([&] { s.text("n"); }, 2, 5, "n is a number, but a text", "n = \"3\"");
  expect_error([&] { s.flag("w", true); }, 1, 5, "true or false is needed", "w = true");
  expect_error([&] { s.list("w", dim::none); }, 1, 5, "w is a text", "");
  EXPECT_TRUE(s.flag("b", false));
}

TEST(Reader, Choices) {
  const Document d = parse("kind = \"bouc_wen\"\nother = \"zzz\"\n");
  expect_error(
      [&] {
        d.top().choice("kind", {"mass", "bouc-wen"});
      },
      1, 8, "kind is \"bouc_wen\"", "did you mean \"bouc-wen\"? It is one of mass or bouc-wen");
  expect_error(
      [&] {
        d.top().choice("other", {"mass", "spring"});
      },
      2, 9, "not known", "write one of mass or spring");
}

TEST(Reader, FailPointsAtTheKeyOrTheSection) {
  const Document d = parse("[s]\nx = 1\n");
  expect_error([&] { d.section("s").fail("x", "c", "f"); }, 2, 5, "c", "f");
  expect_error([&] { d.section("s").fail("y", "c", "f"); }, 1, 1, "c", "f");
}

TEST(RejectUnknown, NamesTheNearestKeySectionAndOwner) {
  const Document d = parse("[structure]\nmas = 1\n");
  d.section("structure").maybe("mass", dim::mass);
  expect_error([&] { d.reject_unknown(); }, 2, 1, "unknown key `mas` in [structure]", "`mass`");

  const Document owner = parse("[structure]\ndt = 1\n[integrator]\ndt = \"1 s\"\n");
  owner.section("structure").maybe("mass", dim::mass);
  owner.section("integrator").number("dt", dim::time);
  expect_error([&] { owner.reject_unknown(); }, 2, 1, "`dt` in [structure]", "`dt` belongs in [integrator]");

  const Document absent = parse("dt = 1\n");
  absent.section("integrator").number("dt", dim::time, 1);
  expect_error([&] { absent.reject_unknown(); }, 1, 1, "the top of the file", "[integrator]");

  const Document section = parse("[integratr]\n");
  section.section("integrator");
  expect_error([&] { section.reject_unknown(); }, 1, 1, "unknown section [integratr]", "[integrator]");

  const Document far = parse("[s]\nqqq = 1\n");
  far.section("s").maybe("mass", dim::mass);
  expect_error([&] { far.reject_unknown(); }, 2, 1, "`qqq`", "keys used here are mass");
}

TEST(RejectUnknown, TellsSectionsFromValues) {
  const Document value = parse("rig = \"ideal\"\n");
  value.section("rig").text("kind", "ideal");
  expect_error([&] { value.reject_unknown(); }, 1, 1, "rig is a value", "[rig]");

  const Document table = parse("[structure.mass]\nx = 1\n");
  table.section("structure").maybe("mass", dim::mass);
  expect_error([&] { table.reject_unknown(); }, 1, 1, "structure.mass is a table", "mass = VALUE");

  const Document one = parse("[[rig]]\nkind = \"delay\"\n");
  EXPECT_EQ(one.section("rig").text("kind", "ideal"), "delay");
  EXPECT_NO_THROW(one.reject_unknown());

  const Document array = parse("[[rig]]\nkind = \"ideal\"\n[[rig]]\nkind = \"ideal\"\n");
  array.section("rig").text("kind", "ideal");
  expect_error([&] { array.reject_unknown(); }, 1, 1, "only one is used", "[rig]");
  expect_error([&] { array.section("rig").text("other"); }, 1, 1, "rig.other is missing",
               "write [rig] instead of [[rig]]");
}

TEST(RejectUnknown, ParentsOfKnownSectionsAreKnown) {
  const Document d = parse("[a.b]\nx = 1\n");
  d.section("a.b").number("x", dim::none);
  EXPECT_NO_THROW(d.reject_unknown());
}

TEST(RejectUnknown, HasDoesNotUse) {
  const Document d = parse("x = 1\n");
  EXPECT_TRUE(d.top().has("x"));
  EXPECT_THROW(d.reject_unknown(), InputError);
}

TEST(Set, ReplacesAndCreates) {
  Document d = parse(example);
  d.set("structure.mass=5 t");
  d.set(" integrator.dt = \"5 ms\" ");
  d.set("structure.damping_ratio=0.05");
  d.set("specimen.2.mass=7 kg");
  d.set("specimen.3.mass=8 kg");
  d.set("rig.kind=delay");
  d.set("rig.table.stroke=75 mm");
  d.set("title=new");
  d.set("limits={ displacement = \"5 cm\", on = true }");
  d.set("structure.stiffness={values=[1,2],unit=\"kN/m\"}");
  EXPECT_EQ(d.section("structure").number("mass", dim::mass), 5000);
  EXPECT_EQ(d.section("integrator").number("dt", dim::time), 0.005);
  EXPECT_EQ(d.section("structure").number("damping_ratio", dim::none), 0.05);
  EXPECT_EQ(d.section("specimen.2").number("mass", dim::mass), 7);
  EXPECT_EQ(d.sections("specimen").size(), 3u);
  EXPECT_EQ(d.section("rig").text("kind"), "delay");
  EXPECT_EQ(d.section("rig.table").number("stroke", dim::length), 0.075);
  EXPECT_EQ(d.top().text("title"), "new");
  EXPECT_EQ(d.section("limits").number("displacement", dim::length), 0.05);
  EXPECT_TRUE(d.section("limits").flag("on", false));
  EXPECT_EQ(d.section("structure").list("stiffness", dim::stiffness), (std::vector<double>{1000, 2000}));
  EXPECT_EQ(d.assignments().size(), 10u);
  EXPECT_EQ(d.assignments()[0], "structure.mass=5 t");
}

class RefusedSet : public testing::TestWithParam<Bad> {};

TEST_P(RefusedSet, NamesTheOptionAndChangesNothing) {
  Document d = parse(example);
  const std::string assignment = GetParam().text;
  try {
    d.set(assignment);
    FAIL() << assignment;
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "--set " + assignment);
    EXPECT_EQ(error.where().line, 0);
    EXPECT_NE(error.cause().find(GetParam().cause), std::string::npos) << error.what();
    EXPECT_NE(error.fix().find(GetParam().fix), std::string::npos) << error.what();
  }
  EXPECT_TRUE(d.assignments().empty());
  EXPECT_EQ(d.find("limits.a"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Options, RefusedSet,
    testing::Values(Bad{"structure.mass", 0, 0, "not an assignment", "section.key=value"},
                    Bad{"=5", 0, 0, "not an assignment", "section.key=value"},
                    Bad{"a..b=5", 0, 0, "not an assignment", "section.key=value"},
                    Bad{"a b=5", 0, 0, "not an assignment", "section.key=value"},
                    Bad{"a.b= ", 0, 0, "no value", "a.b=VALUE"},
                    Bad{"a.b=[1,", 0, 0, "not valid TOML", "brackets"},
                    Bad{"a.b=\"x", 0, 0, "not valid TOML", "quotes"},
                    Bad{"a.b=nan", 0, 0, "finite", "number"}, Bad{"a.b=1979-05-27", 0, 0, "date", "10 s"},
                    Bad{"structure=5", 0, 0, "structure is a section", "structure.key=value"},
                    Bad{"specimen=5", 0, 0, "specimen is a section", "key"},
                    Bad{"title.x=5", 0, 0, "title is a value", "--set title=VALUE"},
                    Bad{"structure.mass.2=5", 0, 0, "structure.mass is a value", "mass=VALUE"},
                    Bad{"specimen.mass=5", 0, 0, "list of tables", "specimen.1 to specimen.2"},
                    Bad{"specimen.4.mass=5", 0, 0, "no specimen.4", "specimen.3"},
                    Bad{"structure.1.mass=5", 0, 0, "one [structure]", "without a number"},
                    Bad{"limits={a=1,b={values=[1],unit=\"x\"}}", 0, 0, "'x'", "unit"}));

TEST(Set, ErrorsAboutASetValueNameTheOption) {
  Document d = parse("[s]\nmass = \"3 kg\"\n");
  d.set("s.mass=300");
  try {
    d.section("s").number("mass", dim::mass);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).find("--set s.mass=300: s.mass has no unit"), 0u) << error.what();
  }
  d.set("s.mas=1 kg");
  try {
    d.reject_unknown();
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.where().file, "--set s.mas=1 kg");
    EXPECT_EQ(error.fix(), "did you mean `mass`?");
  }
}

TEST(Set, ALineBreakCannotSmuggleInKeys) {
  Document d = parse("");
  d.set("a=1\nb=2");
  EXPECT_EQ(d.top().text("a"), "1\nb=2");
  EXPECT_FALSE(d.top().has("b"));
}

TEST(SetNumber, ReplacesCreatesAndRefuses) {
  Document d = parse("[s]\nl = [1, 2]\nm = \"3 kg\"\n");
  d.set_number("s.m", 4, dim::mass);
  d.set_number("s.l", 5, dim::none);
  d.set_number("t.n", 6, dim::time);
  EXPECT_EQ(d.section("s").number("m", dim::mass), 4);
  EXPECT_EQ(d.section("s").list("l", dim::none), (std::vector<double>{5}));
  EXPECT_EQ(d.section("t").number("n", dim::time), 6);
  EXPECT_THROW(d.set_number("s.m", NAN, dim::mass), InputError);
  EXPECT_THROW(d.set_number("s.m", INFINITY, dim::mass), InputError);
  EXPECT_THROW(d.set_number("s..m", 1, dim::mass), InputError);
  EXPECT_EQ(d.section("s").number("m", dim::mass), 4);
}

TEST(Document, ReferencesStayGood) {
  Document d = parse("[s]\nx = 1\n");
  const Section& s = d.section("s");
  const Section& none = d.section("none");
  for (int i = 0; i < 100; ++i) {
    d.set("section" + std::to_string(i) + ".x=1");
    d.section("absent" + std::to_string(i));
  }
  EXPECT_EQ(s.path, "s");
  EXPECT_EQ(none.path, "none");
  EXPECT_EQ(s.number("x", dim::none), 1);
}

TEST(Document, CopiesAreIndependent) {
  auto original = std::make_unique<Document>(parse("[s]\nx = 1\n"));
  {
    const std::string key = "a key that is gone when the error is written";
    original->section("s").has(key);
    original->section("t").has(key);
  }
  Document copy = *original;
  copy.set("s.x=2");
  EXPECT_EQ(original->section("s").number("x", dim::none), 1);
  original.reset();
  EXPECT_EQ(copy.section("s").number("x", dim::none), 2);
  EXPECT_NO_THROW(copy.reject_unknown());
  copy.set("s.a_key=1");
  EXPECT_THROW(copy.reject_unknown(), InputError);
}

TEST(Document, AnEmptyOneCanBeRead) {
  const Document d;
  EXPECT_EQ(d.top().number("x", dim::none, 3), 3);
  EXPECT_NO_THROW(d.reject_unknown());
}

TEST(Document, StopTrackingMarksNothing) {
  Document d = parse("x = 1\n");
  d.stop_tracking();
  EXPECT_EQ(d.top().number("x", dim::none), 1);
  EXPECT_FALSE(d.top().entries[0].used);
}

TEST(Document, WhatIsWrittenIsRead) {
  EXPECT_TRUE(rc::check("a number survives text and units", [](double x) {
    RC_PRE(std::isfinite(x) && std::abs(x) < 1e300);
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", x);
    const Document d = parse("a = \"" + std::string(text) + " kg\"\nb = { values = [" + text +
                             (std::string(text).find_first_of(".e") == std::string::npos ? ".0" : "") +
                             "], unit = \"kg\" }\n");
    RC_ASSERT(d.top().number("a", dim::mass) == x);
    RC_ASSERT(d.top().list("b", dim::mass).at(0) == x);
  }));
}

}  // namespace
}  // namespace gusset

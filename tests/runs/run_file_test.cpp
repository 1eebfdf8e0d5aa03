#include "runs/run_file.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "runs/seal.hpp"
#include "runs/signal_path.hpp"
#include "runs/temporary_folder.hpp"

namespace gusset {
namespace {

using test::content;
using test::put;
using test::TemporaryFolder;
using Names = std::vector<std::string>;

constexpr const char* python = "/usr/bin/python3";

Run example() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  gusset::Run run;
  run.title = "Trägheit, \"Fig. 4\"";
  run.version = "1.2.3";
  run.experiment_name = "experiments/wu.toml";
  run.experiment_text = "title = \"Trägheit\"\n[structure]\nmass = \"300 kg\"\n";
  run.overrides = {"specimen.mass_ratio=0.5", ""};
  run.created = "2024-01-01T00:00:00Z";
  run.tables.push_back(
      {"structure",
       0,
       0.01,
       {{"storey2.velocity", "m/s", {0.1, -0.0, 5e-324, nan}},
        {"storey1.displacement", "m", {1.0 / 3, inf, -inf, 1e308}},
        {"storey1.velocity", "m/s", {-nan, std::bit_cast<double>(0x7ff4000000000001), -5e-324, 4}}}});
  run.tables.push_back({"rig", -1.5, 1e-3, {{"jack.force", "N", std::vector<double>(40'000, 2.5)}}});
  run.summary = {{"peak storey1.displacement", 0.25}, {"energy", -0.0}, {"a", nan}};
  for (int i = 0; i < 12; ++i) run.summary.emplace_back("extra " + std::to_string(20 - i), i);
  run.events = {{0.5, "hold", "supervisor", "the stroke reached 5 mm"}, {nan, "", "", "größer"}};
  run.histograms = {{"wake-up", "s", {0, 1e-6, 3e-6}, {10, 2}, 1, 5e-3}, {"1.compute", "s", {}, {}, 0, 0}};
  run.texts = {{"readiness", "{\"fit\": true}"}, {"a b", ""}, {"a_b", "other"}};
  return run;
}

Run small() {
  gusset::Run run = example();
  run.tables.pop_back();
  run.summary.resize(1);
  return run;
}

void expect_same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(a[i]), std::bit_cast<std::uint64_t>(b[i])) << i;
  }
}

void expect_same(const Run& a, const Run& b) {
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.experiment_name, b.experiment_name);
  EXPECT_EQ(a.experiment_text, b.experiment_text);
  EXPECT_EQ(a.overrides, b.overrides);
  EXPECT_EQ(a.created, b.created);
  ASSERT_EQ(a.tables.size(), b.tables.size());
  for (std::size_t t = 0; t < a.tables.size(); ++t) {
    EXPECT_EQ(a.tables[t].name, b.tables[t].name);
    expect_same_bits({a.tables[t].start, a.tables[t].step}, {b.tables[t].start, b.tables[t].step});
    ASSERT_EQ(a.tables[t].channels.size(), b.tables[t].channels.size());
    for (std::size_t c = 0; c < a.tables[t].channels.size(); ++c) {
      EXPECT_EQ(a.tables[t].channels[c].name, b.tables[t].channels[c].name);
      EXPECT_EQ(a.tables[t].channels[c].unit, b.tables[t].channels[c].unit);
      expect_same_bits(a.tables[t].channels[c].values, b.tables[t].channels[c].values);
    }
  }
  ASSERT_EQ(a.summary.size(), b.summary.size());
  for (std::size_t i = 0; i < a.summary.size(); ++i) {
    EXPECT_EQ(a.summary[i].first, b.summary[i].first);
    expect_same_bits({a.summary[i].second}, {b.summary[i].second});
  }
  ASSERT_EQ(a.events.size(), b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    expect_same_bits({a.events[i].time}, {b.events[i].time});
    EXPECT_EQ(a.events[i].severity, b.events[i].severity);
    EXPECT_EQ(a.events[i].source, b.events[i].source);
    EXPECT_EQ(a.events[i].text, b.events[i].text);
  }
  ASSERT_EQ(a.histograms.size(), b.histograms.size());
  for (std::size_t i = 0; i < a.histograms.size(); ++i) {
    EXPECT_EQ(a.histograms[i].name, b.histograms[i].name);
    EXPECT_EQ(a.histograms[i].unit, b.histograms[i].unit);
    expect_same_bits(a.histograms[i].edges, b.histograms[i].edges);
    expect_same_bits(a.histograms[i].counts, b.histograms[i].counts);
    expect_same_bits({a.histograms[i].overflow, a.histograms[i].maximum},
                     {b.histograms[i].overflow, b.histograms[i].maximum});
  }
  EXPECT_EQ(a.texts, b.texts);
}

/// The cause that reading the file must give.
std::string cause_of(const std::string& path) {
  try {
    read_run(path);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.fix().empty());
    EXPECT_EQ(error.where().file, path);
    return error.cause();
  }
  return "";
}

/// Runs Python; false if it or h5py is not there.
bool have_h5py() {
  return std::system((std::string(python) + " -c 'import h5py' >/dev/null 2>&1").c_str()) == 0;
}

std::string run_python(const TemporaryFolder& folder, const std::string& program,
                       const std::string& argument) {
  put(folder / "program.py", "import h5py, numpy, sys\npath = sys.argv[1]\n" + program);
  FILE* pipe =
      ::popen((std::string(python) + " " + (folder / "program.py") + " " + argument + " 2>&1").c_str(), "r");
  std::string out;
  for (int c; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  out += ::pclose(pipe) == 0 ? "" : "[failed]";
  return out;
}

TEST(RunFile, ReadsBackBitForBit) {
  const TemporaryFolder folder;
  const gusset::Run run = example();
  write_run(folder / "a.h5", run, false);
  expect_same(read_run(folder / "a.h5"), run);
  EXPECT_EQ(folder.files(), (Names{"a.h5"}));
}

TEST(RunFile, TakesWhatIsEmpty) {
  const TemporaryFolder folder;
  write_run(folder / "nothing.h5", gusset::Run{}, false);
  expect_same(read_run(folder / "nothing.h5"), gusset::Run{});
  gusset::Run run;
  run.tables.push_back({"structure", 0, 0.01, {}});
  run.tables.push_back({"rig", 0, 0.01, {{"a.b", "", {}}, {"c", "N", {}}}});
  write_run(folder / "rows.h5", run, false);
  expect_same(read_run(folder / "rows.h5"), run);
}

TEST(RunFile, TakesEveryName) {
  const TemporaryFolder folder;
  gusset::Run run;
  run.tables.push_back({"", 0, 1, {{"x", "", {1}}}});
  run.tables.push_back({"summary", 0, 1, {{"x", "", {1}}}});
  run.tables.push_back({"a.b/c", 0, 1, {}});
  run.tables.push_back({"events", 0, 1, {{"x", "", {1}}}});
  std::string deep = "d";
  for (int i = 0; i < 100; ++i) deep += ".d";
  for (const std::string& name :
       Names{"time", "a", "a.b", "a.b.c", "a b", "a-b", "a_b", "", ".", "..", "/", "end.if", "1.2", "größe.x",
             std::string(300, 'n'), std::string(300, 'n') + "2", deep, "twice", "twice"}) {
    run.tables[2].channels.push_back({name, "µm", {static_cast<double>(name.size())}});
  }
  write_run(folder / "a.h5", run, false);
  expect_same(read_run(folder / "a.h5"), run);
}

TEST(RunFile, SameRunMakesSameBytes) {
  const TemporaryFolder folder;
  write_run(folder / "a.h5", example(), false);
  ::usleep(1'100'000);  // HDF5's time stamps count seconds
  write_run(folder / "b.h5", example(), false);
  EXPECT_TRUE(content(folder / "a.h5") == content(folder / "b.h5"));
}

TEST(RunFile, Compresses) {
  const TemporaryFolder folder;
  write_run(folder / "a.h5", example(), false);
  // The rig's channel alone has 320 kB; its times compress least.
  EXPECT_LT(std::filesystem::file_size(folder / "a.h5"), 200'000u);
}

TEST(RunFile, RefusesToOverwriteUnlessForced) {
  const TemporaryFolder folder;
  put(folder / "a.h5", "old");
  EXPECT_THROW(write_run(folder / "a.h5", small(), false), InputError);
  EXPECT_EQ(content(folder / "a.h5"), "old");
  write_run(folder / "a.h5", small(), true);
  expect_same(read_run(folder / "a.h5"), small());
  EXPECT_EQ(folder.files(), (Names{"a.h5"}));
}

TEST(RunFile, FullDiskLeavesOldFileAndNothingElse) {
  const TemporaryFolder folder;
  write_run(folder / "a.h5", small(), false);
  const std::string before = content(folder / "a.h5");
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit files{4000, 4000};
    ::setrlimit(RLIMIT_FSIZE, &files);
    int status = 1;
    try {
      write_run(folder / "a.h5", example(), true);
    } catch (const InputError&) {
      status = 0;
    } catch (...) {
      status = 2;
    }
    ::_exit(status);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(content(folder / "a.h5") == before);
  EXPECT_EQ(folder.files(), (Names{"a.h5"}));
}

TEST(RunFile, UnequalChannelsAreAMistakeOfTheCaller) {
  const TemporaryFolder folder;
  gusset::Run run = small();
  run.tables[0].channels[1].values.pop_back();
  EXPECT_THROW(write_run(folder / "a.h5", run, false), std::logic_error);
  EXPECT_EQ(folder.files(), Names{});
}

TEST(RunFile, TextWithNulIsRefused) {
  const TemporaryFolder folder;
  gusset::Run run = small();
  run.experiment_text += '\0';
  EXPECT_THROW(write_run(folder / "a.h5", run, false), InputError);
  EXPECT_EQ(folder.files(), Names{});
}

TEST(RunFile, EveryTruncationIsAnError) {
  const TemporaryFolder folder;
  write_run(folder / "a.h5", small(), false);
  const std::string whole = content(folder / "a.h5");
  const std::size_t step = std::max<std::size_t>(1, whole.size() / 400);
  std::size_t tried = 0;
  for (std::size_t length = 0; length < whole.size();) {
    // Without the seal and nothing else missing, the run is whole: what other programs leave.
    if (length != whole.size() - seal_size) {
      put(folder / "cut.h5", whole.substr(0, length));
      EXPECT_THROW(read_run(folder / "cut.h5"), InputError) << length << " of " << whole.size();
      ++tried;
    }
    const bool near_an_end = length < 128 || length + 128 > whole.size();
    length += near_an_end ? 1 : std::min(step, whole.size() - 127 - length);
  }
  EXPECT_GT(tried, 400u);
  put(folder / "long.h5", whole + "x");
  EXPECT_NE(cause_of(folder / "long.h5"), "");
}

TEST(RunFile, EveryDamagedByteIsFound) {
  const TemporaryFolder folder;
  write_run(folder / "a.h5", small(), false);
  const std::string whole = content(folder / "a.h5");
  for (std::size_t at = 0; at < whole.size(); at += at < 128 || at + 32 > whole.size() ? 1 : 29) {
    for (const char change : {'\x01', '\xff'}) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      put(folder / "bad.h5", bytes);
      EXPECT_NE(cause_of(folder / "bad.h5"), "") << "byte " << at;
    }
  }
}

TEST(RunFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_NE(cause_of(folder / "missing.h5").find("no such file"), std::string::npos);
  EXPECT_NE(cause_of(folder.path()).find("folder"), std::string::npos);
  EXPECT_NE(cause_of("").find("empty"), std::string::npos);
  EXPECT_NE(cause_of("/dev/null").find("regular"), std::string::npos);
  put(folder / "empty.h5", "");
  EXPECT_NE(cause_of(folder / "empty.h5").find("empty"), std::string::npos);
  put(folder / "text.h5", "title = \"not HDF5\"\n");
  EXPECT_NE(cause_of(folder / "text.h5").find("not a run file"), std::string::npos);

  const std::string foreign = folder / "foreign.h5";
  H5Fclose(H5Fcreate(foreign.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_NE(cause_of(foreign).find("not a Gusset run"), std::string::npos);
}

TEST(RunFile, HandsHdf5BackAsItWas) {
  H5E_auto2_t before = nullptr, after = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &before, &data);
  const TemporaryFolder folder;
  put(folder / "bad.h5", "\x89HDF\r\n\x1a\n and no more");
  testing::internal::CaptureStderr();
  EXPECT_NE(cause_of(folder / "bad.h5"), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  H5Eget_auto2(H5E_DEFAULT, &after, &data);
  EXPECT_EQ(before, after);
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

TEST(RunFile, H5pyReadsIt) {
  if (!have_h5py()) GTEST_SKIP() << "no h5py";
  const TemporaryFolder folder;
  write_run(folder / "a.h5", example(), false);
  EXPECT_EQ(run_python(folder, R"(
with h5py.File(path) as f:
    assert f.attrs['format'] == 'gusset-run/1'
    assert f.attrs['title'] == 'Trägheit, "Fig. 4"', f.attrs['title']
    assert list(f.attrs['tables']) == ['structure', 'rig']
    assert f['experiment'][()].decode().startswith('title = "Trägheit"\n')
    assert list(f['experiment'].attrs['overrides']) == ['specimen.mass_ratio=0.5', '']
    d = f['structure/storey1/displacement']
    assert d.attrs['unit'] == 'm' and d.attrs['name'] == 'storey1.displacement'
    assert d.dtype == numpy.dtype('<f8') and d.compression == 'gzip' and d.shuffle
    assert list(d[:]) == [1/3, numpy.inf, -numpy.inf, 1e308]
    assert numpy.signbit(f['structure/storey2/velocity'][1])
    assert numpy.isnan(f['structure/storey2/velocity'][3])
    assert numpy.allclose(f['structure/time'][:], [0, 0.01, 0.02, 0.03])
    assert f['structure/time'].attrs['unit'] == 's'
    assert f['rig'].attrs['start'] == -1.5 and f['rig'].attrs['step'] == 1e-3
    assert (f['rig/jack/force'][:] == 2.5).all() and f['rig/jack/force'].shape == (40000,)
    assert f['summary'].attrs['peak storey1.displacement'] == 0.25
    assert f['events/time'][0] == 0.5 and f['events/text'][1].decode() == 'größer'
    assert f['histograms/wake_up'].attrs['name'] == 'wake-up'
    assert list(f['histograms/wake_up/counts']) == [10, 2]
    assert f['texts/readiness'][()].decode() == '{"fit": true}'
    import re
    def valid(name):
        for part in name.split('/'):
            assert re.fullmatch('[A-Za-z][A-Za-z0-9_]{0,62}', part), name
    f.visit(valid)
print('good')
)",
                       folder / "a.h5"),
            "good\n");
}

TEST(RunFile, ReadsWhatAnotherProgramAddedTo) {
  if (!have_h5py()) GTEST_SKIP() << "no h5py";
  const TemporaryFolder folder;
  write_run(folder / "a.h5", small(), false);
  EXPECT_EQ(run_python(folder, R"(
with h5py.File(path, 'r+') as f:
    f.attrs['title'] = 'renamed'
    f['structure/storey1/note'] = 'seen'
    f['structure/storey1/displacement'][0] = 7
)",
                       folder / "a.h5"),
            "");
  const gusset::Run run = read_run(folder / "a.h5");
  EXPECT_EQ(run.title, "renamed");
  EXPECT_EQ(run.tables.at(0).channels.at(1).values.at(0), 7);
}

TEST(RunFile, SaysWhatIsMissingOrWrong) {
  if (!have_h5py()) GTEST_SKIP() << "no h5py";
  const TemporaryFolder folder;
  const struct {
    const char* change;
    const char* cause;
  } cases[] = {
      {"f.attrs['format'] = 'gusset-run/2'", "newer"},
      {"f.attrs['format'] = 'something'", "not a Gusset run"},
      {"f.attrs['format'] = 1", "not a Gusset run"},
      {"del f.attrs['title']", "no attribute title"},
      {"f.attrs['title'] = 3.5", "attribute title is not a text"},
      {"del f['experiment']", "/experiment: the dataset is missing"},
      {"del f['summary']", "/summary: the group is missing"},
      {"f['summary'].attrs['x'] = 'text'", "attribute x is not a floating-point number"},
      {"del f['structure']", "/structure: the table is missing"},
      {"del f['structure/time']", "/structure/time: the dataset is missing"},
      {"del f['structure/storey1/displacement']", "channel 2 of 3 is missing"},
      {"del f['structure/storey1/displacement'].attrs['unit']", "no attribute unit"},
      {"f['structure/storey1/displacement'].attrs['index'] = 0", "index 0 is taken"},
      {"f['structure/storey1/displacement'].attrs['index'] = 99", "index 99"},
      {"f['structure'].attrs['channels'] = 2**62", "it says it has"},
      {"f['structure'].attrs['step'] = 'fast'", "attribute step is not"},
      {"swap(numpy.zeros(4, 'f4'))", "not doubles"},
      {"swap(numpy.zeros(4, 'i8'))", "not doubles"},
      {"swap(numpy.zeros((2, 2)))", "not one-dimensional"},
      {"swap(numpy.zeros(3))", "has 3 samples"},
      {"swap(None, shape=(2**50,), dtype='f8', chunks=(1024,))", "cannot hold"},
      {"swap(None, shape=(2**30,), dtype='f8')", "cannot hold"},
      {"f['structure/loop'] = f['structure']", "nested too deep"},
      {"del f['events/text']", "/events: text: the dataset is missing"},
      {"del f['events/time']; f['events/time'] = numpy.zeros(3)", "not of one length"},
      {"del f['histograms/wake_up/counts']", "/histograms: wake_up: counts"},
      {"f['histograms/wake_up/edges'][...]; del f['histograms/wake_up/edges']; "
       "f['histograms/wake_up/edges'] = numpy.zeros(2)",
       "2 edges for 2 counts"},
      {"f['texts/a_b'].attrs['index'] = 0", "its index is taken"},
      {"del f['texts/a_b'].attrs['name']", "no attribute name"},
  };
  write_run(folder / "good.h5", small(), false);
  std::string changes;
  for (const auto& [change, cause] : cases) changes += std::string(change) + "\n";
  put(folder / "changes", changes);
  // One file a change, numbered.
  EXPECT_EQ(run_python(folder, R"(
import shutil
def swap(data, **rest):
    attributes = dict(f['structure/storey1/displacement'].attrs)
    del f['structure/storey1/displacement']
    f['structure/storey1'].create_dataset('displacement', data=data, **rest)
    f['structure/storey1/displacement'].attrs.update(attributes)
for number, change in enumerate(open(path + '/changes')):
    shutil.copy(path + '/good.h5', path + '/%d.h5' % number)
    with h5py.File(path + '/%d.h5' % number, 'r+') as f:
        exec(change)
)",
                       folder.path()),
            "");
  int number = 0;
  for (const auto& [change, cause] : cases) {
    const std::string found = cause_of(folder / (std::to_string(number++) + ".h5"));
    EXPECT_NE(found.find(cause), std::string::npos) << change << ": " << found;
  }
}

TEST(MatlabName, IsAValidIdentifier) {
  EXPECT_EQ(matlab_name("storey1"), "storey1");
  EXPECT_EQ(matlab_name("north jack-2"), "north_jack_2");
  EXPECT_EQ(matlab_name("2nd"), "x2nd");
  EXPECT_EQ(matlab_name("_a"), "x_a");
  EXPECT_EQ(matlab_name("größe"), "gr__e");
  EXPECT_EQ(matlab_name("end"), "end_");
  EXPECT_EQ(matlab_name(""), "x");
  EXPECT_EQ(matlab_name(std::string(100, 'a')).size(), 63u);
}

TEST(Crc32, IsTheStandardOne) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32("6789", crc32("12345")), 0xCBF43926u);
}

}  // namespace
}  // namespace gusset

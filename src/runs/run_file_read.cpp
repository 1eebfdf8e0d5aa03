#include <sys/stat.h>

#include <charconv>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "runs/atomic_file.hpp"
#include "runs/hdf5.hpp"
#include "runs/run_extras.hpp"
#include "runs/run_file.hpp"
#include "runs/run_format.hpp"
#include "runs/seal.hpp"
#include "runs/trial.hpp"

namespace gusset {
namespace {

constexpr int deepest_group = 32;
constexpr long long most_objects = 1'000'000;  // in one table; ends the search in a looping file

struct Source {
  const std::string& path;
  unsigned long long size;  ///< of the file in bytes
};

[[noreturn]] void fail_damaged(const std::string& path, const std::string& cause) {
  throw InputError({path, 0, 0}, cause, "take another copy of the file, or run the test again");
}

/// Runs `read`, and puts in front of what goes wrong in it where in the file that was.
template <typename Read>
auto at(const std::string& place, Read read) {
  try {
    return read();
  } catch (const hdf5::Error& error) {
    throw hdf5::Error(place + ": " + error.what());
  }
}

Source examine(const std::string& path) {
  struct stat file;
  if (path.empty() || ::stat(path.c_str(), &file) != 0 || S_ISDIR(file.st_mode)) {
    read_file(path);  // says what is wrong
  } else if (!S_ISREG(file.st_mode)) {
    throw InputError({path, 0, 0}, "it is not a regular file", "name a run file");
  }
  return {path, static_cast<unsigned long long>(file.st_size)};
}

bool starts_like_hdf5(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::ifstream file(path, std::ios::binary);
  std::string start(signature.size(), '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(file.gcount()));
  return !start.empty() && signature.starts_with(start);
}

/// What stands after the end of the HDF5 data is the seal or nothing.
void check_end(hid_t file, const Source& source, Seal seal) {
  haddr_t end = 0;
  hdf5::check(H5Fget_eoa(file, &end), "read where the data end");
  const unsigned long long wanted = end + (seal == Seal::intact ? seal_size : 0);
  if (source.size != wanted) {
    fail_damaged(source.path, "the file is damaged: its end is cut off or changed");
  }
}

void check_format(hid_t file, const Source& source) {
  constexpr const char* fix = "name a file that gusset simulate or gusset run has written";
  const auto foreign = [&] {
    throw InputError({source.path, 0, 0}, "it is an HDF5 file, but not a Gusset run", fix);
  };
  if (!hdf5::has_attribute(file, "format")) foreign();
  std::string format;
  try {
    format = hdf5::read_text(file, "format");
  } catch (const hdf5::Error&) {
    foreign();
  }
  if (!format.starts_with(run_format_name)) foreign();
  int version = 0;
  const char* end = format.data() + format.size();
  const auto parsed = std::from_chars(format.data() + run_format_name.size(), end, version);
  if (parsed.ec != std::errc() || parsed.ptr != end || version < 1) foreign();
  if (version > run_format_version) {
    throw InputError({source.path, 0, 0},
                     "it is of format " + format + ", written by a newer Gusset; this one reads up to " +
                         std::to_string(run_format_version),
                     "use a newer version of Gusset");
  }
}

/// A table's channels, each put in its place.
/// Files of before 0.2 do not say how a channel was controlled; its unit gives it away.
std::optional<Control> control_in_old_file(const Trace& trace) {
  if (!trace.name.ends_with(".target") && !trace.name.ends_with(".command")) return std::nullopt;
  for (const Control control : {Control::displacement, Control::force, Control::acceleration}) {
    if (trace.unit == unit_of(control)) return control;
  }
  return std::nullopt;
}

class ChannelReader {
 public:
  ChannelReader(const Source& source, std::size_t count) : source_(source), channels_(count) {}

  void search(hid_t group, const std::string& place, int depth) {
    if (depth > deepest_group) throw hdf5::Error(place + ": groups are nested too deep");
    std::vector<std::string> groups;
    for (const std::string& name : hdf5::links(group)) {
      const std::string inner = place + "/" + name;
      if (++objects_ > most_objects) throw hdf5::Error(inner + ": there are too many objects");
      at(inner, [&] {
        const hdf5::Handle object = hdf5::open_object(group, name);
        const H5I_type_t kind = H5Iget_type(object);
        if (kind == H5I_DATASET && hdf5::has_attribute(object, "index")) take(object);
        if (kind == H5I_GROUP) groups.push_back(name);
      });
    }
    for (const std::string& name : groups) {
      search(hdf5::open_object(group, name), place + "/" + name, depth + 1);
    }
  }

  std::vector<Trace> finish(const std::string& place) {
    std::vector<Trace> channels;
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      if (!channels_[i]) {
        throw hdf5::Error(place + ": channel " + std::to_string(i + 1) + " of " +
                          std::to_string(channels_.size()) + " is missing");
      }
      channels.push_back(std::move(*channels_[i]));
      if (channels[i].values.size() != channels[0].values.size()) {
        throw hdf5::Error(place + ": channel " + channels[i].name + " has " +
                          std::to_string(channels[i].values.size()) + " samples, the first has " +
                          std::to_string(channels[0].values.size()));
      }
    }
    return channels;
  }

 private:
  void take(hid_t dataset) {
    const long long index = hdf5::read_integer(dataset, "index");
    if (index < 0 || index >= static_cast<long long>(channels_.size())) {
      throw hdf5::Error("its index " + std::to_string(index) + " is not among the " +
                        std::to_string(channels_.size()) + " channels");
    }
    auto& place = channels_[static_cast<std::size_t>(index)];
    if (place) throw hdf5::Error("its index " + std::to_string(index) + " is taken already");
    place = Trace{hdf5::read_text(dataset, "name"),
                  hdf5::read_text(dataset, "unit"),
                  hdf5::read_values(dataset, source_.size),
                  {}};
    place->control = hdf5::has_attribute(dataset, "control")
                         ? control_named(hdf5::read_text(dataset, "control"))
                         : control_in_old_file(*place);
  }

  const Source& source_;
  std::vector<std::optional<Trace>> channels_;
  long long objects_ = 0;
};

Table read_table(hid_t file, const std::string& name, const Source& source) {
  const std::string place = "/" + name;
  if (name.empty() || name.find('/') != std::string::npos || !hdf5::has_object(file, name)) {
    throw hdf5::Error(place + ": the table is missing");
  }
  const hdf5::Handle group = hdf5::open_object(file, name);
  Table table;
  at(place, [&] {
    if (H5Iget_type(group) != H5I_GROUP) throw hdf5::Error("it is not a group");
    table.name = hdf5::read_text(group, "name");
    table.start = hdf5::read_number(group, "start");
    table.step = hdf5::read_number(group, "step");
  });
  const long long count = at(place, [&] { return hdf5::read_integer(group, "channels"); });
  // A dataset takes hundreds of bytes: there cannot be more of them than bytes.
  if (count < 0 || static_cast<unsigned long long>(count) > source.size) {
    throw hdf5::Error(place + ": it says it has " + std::to_string(count) + " channels");
  }
  ChannelReader reader(source, static_cast<std::size_t>(count));
  reader.search(group, place, 0);
  table.channels = reader.finish(place);

  at(place + "/time", [&] {
    if (!hdf5::has_object(group, "time")) throw hdf5::Error("the dataset is missing");
    const std::size_t times = hdf5::length(hdf5::open_object(group, "time"), source.size);
    if (times != table.rows()) {
      throw hdf5::Error("there are " + std::to_string(times) + " times for " + std::to_string(table.rows()) +
                        " samples");
    }
  });
  return table;
}

Run read_contents(hid_t file, const Source& source) {
  Run run;
  run.title = hdf5::read_text(file, "title");
  run.version = hdf5::read_text(file, "version");
  run.created = hdf5::read_text(file, "created");
  at("/experiment", [&] {
    if (!hdf5::has_object(file, "experiment")) throw hdf5::Error("the dataset is missing");
    const hdf5::Handle experiment = hdf5::open_object(file, "experiment");
    run.experiment_text = hdf5::read_text_dataset(experiment);
    run.experiment_name = hdf5::read_text(experiment, "name");
    run.overrides = hdf5::read_texts(experiment, "overrides");
  });
  const std::vector<std::string> tables = hdf5::read_texts(file, "tables");
  for (const std::string& name : tables) {
    run.tables.push_back(read_table(file, name, source));
  }
  at("/summary", [&] {
    if (!hdf5::has_object(file, "summary")) throw hdf5::Error("the group is missing");
    const hdf5::Handle summary = hdf5::open_object(file, "summary");
    for (const std::string& name : hdf5::attributes(summary)) {
      run.summary.emplace_back(name, hdf5::read_number(summary, name));
    }
  });
  read_extras(file, source.size, tables, run);
  return run;
}

}  // namespace

Run read_run(const std::string& path) {
  const Source source = examine(path);
  if (!starts_like_hdf5(path)) {
    throw InputError(
        {path, 0, 0},
        source.size == 0 ? "the file is empty" : "it is not a run file: it does not start as HDF5 does",
        "name a file that gusset simulate or gusset run has written");
  }
  const Seal seal = check_seal(path);
  if (seal == Seal::broken) {
    fail_damaged(path, "the file is damaged: its checksum does not fit its content");
  }
  const auto read = [&] {
    const hdf5::Session session;
    try {
      const hdf5::Handle file = hdf5::open_file(path);
      check_format(file, source);
      check_end(file, source, seal);
      return read_contents(file, source);
    } catch (const hdf5::Error& error) {
      fail_damaged(path, std::string("the file is damaged or cut short: ") + error.what());
    }
  };
  if (seal == Seal::absent) {
    // Constant channels compress well; a file that becomes much more than this is no recording.
    constexpr unsigned long long memory = 256ULL << 20, inflation = 64;
    const std::string trouble = try_elsewhere([&] { (void)read(); }, memory + inflation * source.size, 20);
    if (!trouble.empty()) fail_damaged(path, "the file is damaged: " + trouble);
    const MemoryLimit limit(memory + inflation * source.size);
    try {
      return read();
    } catch (const std::bad_alloc&) {
      fail_damaged(path, "the file is damaged: reading it takes all memory");
    }
  }
  return read();
}

bool is_sealed(const std::string& path) { return check_seal(path) == Seal::intact; }

}  // namespace gusset

#include "runs/run_file.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runs/atomic_file.hpp"
#include "runs/hdf5.hpp"
#include "runs/run_extras.hpp"
#include "runs/run_format.hpp"
#include "runs/seal.hpp"
#include "runs/signal_path.hpp"

namespace gusset {
namespace {

void write_table(hid_t file, const std::string& group_name, const Table& table) {
  const hdf5::Handle group = hdf5::create_group(file, group_name);
  hdf5::write_attribute(group, "name", table.name);
  hdf5::write_attribute(group, "start", table.start);
  hdf5::write_attribute(group, "step", table.step);
  hdf5::write_attribute(group, "channels", static_cast<long long>(table.channels.size()));

  std::vector<double> times(table.rows());
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = table.start + static_cast<double>(i) * table.step;
  }
  hdf5::write_attribute(hdf5::write_dataset(group, "time", times), "unit", std::string("s"));

  SignalPaths paths({"time"});
  long long index = 0;
  for (const Trace& channel : table.channels) {
    if (channel.values.size() != table.rows()) {
      throw std::logic_error("channel " + channel.name + " is not as long as its table");
    }
    const std::vector<std::string> path = paths.place(channel.name);
    std::string inner;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      inner += (i ? "/" : "") + path[i];
      if (!hdf5::has_object(group, inner)) hdf5::create_group(group, inner);
    }
    inner += (inner.empty() ? "" : "/") + path.back();
    const hdf5::Handle dataset = hdf5::write_dataset(group, inner, channel.values);
    hdf5::write_attribute(dataset, "name", channel.name);
    hdf5::write_attribute(dataset, "unit", channel.unit);
    if (channel.control) hdf5::write_attribute(dataset, "control", std::string(name_of(*channel.control)));
    hdf5::write_attribute(dataset, "index", index++);
  }
}

std::string image_of(const Run& run) {
  const hdf5::Session session;
  const hdf5::Handle file = hdf5::create_in_memory();
  hdf5::write_attribute(file, "format", std::string(run_format_name) + std::to_string(run_format_version));
  hdf5::write_attribute(file, "title", run.title);
  hdf5::write_attribute(file, "version", run.version);
  hdf5::write_attribute(file, "created", run.created);
  {
    const hdf5::Handle text = hdf5::write_dataset(file, "experiment", run.experiment_text);
    hdf5::write_attribute(text, "name", run.experiment_name);
    hdf5::write_attribute(text, "overrides", run.overrides);
  }
  SignalPaths names({"experiment", "summary", "events", "histograms", "texts"});
  std::vector<std::string> tables;
  for (const Table& table : run.tables) {
    // A table is one group, whatever dots its name has.
    std::string name = table.name;
    for (char& c : name) c = c == '.' ? '_' : c;
    tables.push_back(names.place(name).back());
    write_table(file, tables.back(), table);
  }
  hdf5::write_attribute(file, "tables", tables);
  {
    const hdf5::Handle summary = hdf5::create_group(file, "summary");
    for (const auto& [name, value] : run.summary) hdf5::write_attribute(summary, name, value);
  }
  write_extras(file, run);
  return hdf5::image(file);
}

}  // namespace

void write_run(const std::string& path, const Run& run, bool force) {
  require_writable(path, force);
  std::string bytes;
  try {
    bytes = image_of(run);
  } catch (const hdf5::Error& error) {
    throw InputError({path, 0, 0}, std::string("the run cannot be stored: ") + error.what(),
                     "check names and texts of the experiment for unusual characters");
  }
  bytes += seal_of(bytes);
  write_atomically(path, bytes, force);
}

}  // namespace gusset

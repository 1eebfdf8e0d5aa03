#include "runs/run_extras.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "runs/signal_path.hpp"

namespace gusset {
namespace {

/// One MATLAB name, whatever dots the true one has.
std::string place(SignalPaths& paths, std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return paths.place(name).back();
}

void write_events(hid_t file, const std::vector<Event>& events) {
  if (events.empty()) return;
  std::vector<double> times;
  std::vector<std::string> severities, sources, texts;
  for (const Event& event : events) {
    times.push_back(event.time);
    severities.push_back(event.severity);
    sources.push_back(event.source);
    texts.push_back(event.text);
  }
  const hdf5::Handle group = hdf5::create_group(file, "events");
  hdf5::write_attribute(hdf5::write_dataset(group, "time", times), "unit", std::string("s"));
  hdf5::write_dataset(group, "severity", severities);
  hdf5::write_dataset(group, "source", sources);
  hdf5::write_dataset(group, "text", texts);
}

void write_histograms(hid_t file, const std::vector<RunHistogram>& histograms) {
  if (histograms.empty()) return;
  const hdf5::Handle all = hdf5::create_group(file, "histograms");
  SignalPaths paths;
  long long index = 0;
  for (const RunHistogram& histogram : histograms) {
    const hdf5::Handle group = hdf5::create_group(all, place(paths, histogram.name));
    hdf5::write_attribute(group, "name", histogram.name);
    hdf5::write_attribute(group, "unit", histogram.unit);
    hdf5::write_attribute(group, "index", index++);
    hdf5::write_attribute(group, "overflow", histogram.overflow);
    hdf5::write_attribute(group, "maximum", histogram.maximum);
    hdf5::write_dataset(group, "edges", histogram.edges);
    hdf5::write_dataset(group, "counts", histogram.counts);
  }
}

void write_texts(hid_t file, const std::vector<std::pair<std::string, std::string>>& texts) {
  if (texts.empty()) return;
  const hdf5::Handle all = hdf5::create_group(file, "texts");
  SignalPaths paths;
  long long index = 0;
  for (const auto& [name, text] : texts) {
    const hdf5::Handle dataset = hdf5::write_dataset(all, place(paths, name), text);
    hdf5::write_attribute(dataset, "name", name);
    hdf5::write_attribute(dataset, "index", index++);
  }
}

hdf5::Handle open_member(hid_t group, const std::string& name) {
  if (!hdf5::has_object(group, name)) throw hdf5::Error(name + ": the dataset is missing");
  return hdf5::open_object(group, name);
}

void read_events(hid_t group, unsigned long long file_size, Run& run) {
  const std::vector<double> times = hdf5::read_values(open_member(group, "time"), file_size);
  const auto severities = hdf5::read_texts_dataset(open_member(group, "severity"));
  const auto sources = hdf5::read_texts_dataset(open_member(group, "source"));
  const auto texts = hdf5::read_texts_dataset(open_member(group, "text"));
  if (severities.size() != times.size() || sources.size() != times.size() || texts.size() != times.size()) {
    throw hdf5::Error("its columns are not of one length");
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    run.events.push_back({times[i], severities[i], sources[i], texts[i]});
  }
}

/// Calls read(object) for the members of a group in the order of their attribute `index`.
template <typename Read>
void in_order(hid_t group, Read read) {
  std::map<long long, std::string> names;
  for (const std::string& name : hdf5::links(group)) {
    const hdf5::Handle object = hdf5::open_object(group, name);
    if (!hdf5::has_attribute(object, "index")) continue;  // somebody else's
    if (!names.emplace(hdf5::read_integer(object, "index"), name).second) {
      throw hdf5::Error(name + ": its index is taken already");
    }
  }
  for (const auto& [index, name] : names) {
    try {
      read(hdf5::open_object(group, name));
    } catch (const hdf5::Error& error) {
      throw hdf5::Error(name + ": " + error.what());
    }
  }
}

RunHistogram read_histogram(hid_t group, unsigned long long file_size) {
  RunHistogram histogram{hdf5::read_text(group, "name"),
                         hdf5::read_text(group, "unit"),
                         hdf5::read_values(open_member(group, "edges"), file_size),
                         hdf5::read_values(open_member(group, "counts"), file_size),
                         hdf5::read_number(group, "overflow"),
                         hdf5::read_number(group, "maximum")};
  const std::size_t edges = histogram.edges.size();
  if (edges != histogram.counts.size() + (edges > 0 ? 1 : 0)) {
    throw hdf5::Error("there are " + std::to_string(edges) + " edges for " +
                      std::to_string(histogram.counts.size()) + " counts");
  }
  return histogram;
}

}  // namespace

void write_extras(hid_t file, const Run& run) {
  write_events(file, run.events);
  write_histograms(file, run.histograms);
  write_texts(file, run.texts);
}

void read_extras(hid_t file, unsigned long long file_size, const std::vector<std::string>& tables, Run& run) {
  const auto with = [&](const std::string& name, auto read) {
    const bool is_table = std::find(tables.begin(), tables.end(), name) != tables.end();
    if (is_table || !hdf5::has_object(file, name)) return;
    try {
      read(hdf5::open_object(file, name));
    } catch (const hdf5::Error& error) {
      throw hdf5::Error("/" + name + ": " + error.what());
    }
  };
  with("events", [&](hid_t group) { read_events(group, file_size, run); });
  with("histograms", [&](hid_t group) {
    in_order(group, [&](hid_t one) { run.histograms.push_back(read_histogram(one, file_size)); });
  });
  with("texts", [&](hid_t group) {
    in_order(group, [&](hid_t one) {
      run.texts.emplace_back(hdf5::read_text(one, "name"), hdf5::read_text_dataset(one));
    });
  });
}

}  // namespace gusset

#include "base/row.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/error.hpp"

namespace gusset {
namespace {

struct Part {
  const char* suffix;
  const char* unit;  ///< behind that of the command
};
constexpr Part command_parts[] = {{"", ""}, {".rate", "/s"}, {".curvature", "/s^2"}, {".start_rate", "/s"}};

}  // namespace

Port Row::reserve(int size, Lifetime lifetime) {
  const int from = size_;
  size_ += size;
  if (!stretches_.empty() && stretches_.back().lifetime == lifetime) {
    stretches_.back().to = size_;
  } else {
    stretches_.push_back({from, size_, lifetime});
  }
  return {from, size};
}

std::vector<std::size_t>::const_iterator Row::near(std::string_view name) const {
  return std::lower_bound(sorted_.begin(), sorted_.end(), name,
                          [&](std::size_t entry, std::string_view other) {
                            return std::string_view(entries_[entry].signal.name) < other;
                          });
}

bool Row::has(std::string_view name) const {
  const auto found = near(name);
  return found != sorted_.end() && entries_[*found].signal.name == name;
}

Port Row::place(Entry entry) {
  const auto at = near(entry.signal.name);
  if (at != sorted_.end() && entries_[*at].signal.name == entry.signal.name) {
    throw WiringError("two stages write " + entry.signal.name);
  }
  sorted_.insert(at, entries_.size());
  entries_.push_back(std::move(entry));
  return entries_.back().port;
}

Port Row::claim(std::string name, std::string unit, Lifetime lifetime, bool published) {
  const Port port = place({{std::move(name), std::move(unit)}, {size_, 1}, lifetime, published});
  reserve(1, lifetime);
  return port;
}

CommandPort Row::claim_command(const std::string& name, const std::string& unit, Lifetime lifetime,
                               bool published) {
  CommandPort port;
  for (const Part& part : command_parts) {
    const Port one =
        claim(name + part.suffix, unit + part.unit, lifetime, published && &part == command_parts);
    if (!(port.at >= 0)) port.at = one.at;
  }
  return port;
}

Port Row::scratch(int size, Lifetime lifetime) { return reserve(size, lifetime); }

Port Row::alias(const std::string& name, const std::string& of) {
  Entry entry = find(of);
  entry.signal.name = name;
  return place(std::move(entry));
}

CommandPort Row::alias_command(const std::string& name, const std::string& of) {
  for (const Part& part : command_parts) alias(name + part.suffix, of + part.suffix);
  return {find(of).port.at};
}

std::array<std::size_t, 4> Row::command_indices(const std::string& name) const {
  std::array<std::size_t, 4> indices;
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = index_of(name + command_parts[i].suffix);
  return indices;
}

std::vector<Row::Entry> Row::command_entries(const std::string& name) const {
  std::vector<Entry> entries;
  for (const std::size_t index : command_indices(name)) entries.push_back(entries_[index]);
  return entries;
}

std::pair<std::string, int> Row::command_of(std::string_view name) const {
  int place = 0;
  for (const Part& part : command_parts) {
    const std::string_view suffix = part.suffix;
    if (name.ends_with(suffix)) {
      std::string command(name.substr(0, name.size() - suffix.size()));
      const bool whole = std::all_of(std::begin(command_parts), std::end(command_parts),
                                     [&](const Part& other) { return has(command + other.suffix); });
      if (whole) return {std::move(command), place};
    }
    ++place;
  }
  return {};
}

std::size_t Row::index_of(std::string_view name) const {
  const auto found = near(name);
  if (found != sorted_.end() && entries_[*found].signal.name == name) return *found;
  std::vector<std::string_view> names;
  for (const Entry& entry : entries_) names.emplace_back(entry.signal.name);
  const std::string close(nearest(name, names));
  throw WiringError("nobody writes " + std::string(name) +
                    (close.empty() ? "" : "; did you mean " + close + "?"));
}

const Row::Entry& Row::bind(std::string_view name, std::string_view unit) const {
  const Entry& entry = find(name);
  if (entry.signal.unit != unit) {
    throw WiringError(std::string(name) + " is in " + entry.signal.unit + ", not in " + std::string(unit));
  }
  return entry;
}

/// Group (a channel, energies, the rest), then the place within a channel.
std::pair<std::size_t, int> Row::place_of(const Entry& entry) const {
  enum Place { target, command, measured, true_value, compensator, indicator };
  const std::string& name = entry.signal.name;
  const std::pair<std::size_t, int> energies{channels_.size(), 0};
  if (name.ends_with(".dissipated")) return energies;
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const std::string& channel = channels_[c];
    if (!name.starts_with(channel) || name.size() == channel.size() || name[channel.size()] != '.') continue;
    const std::string_view what = std::string_view(name).substr(channel.size() + 1);
    const std::string_view word = what.substr(0, what.find('.'));
    if (word == "target") return {c, target};
    if (word == "command") return {c, command};
    if (word == "compensator") return {c, compensator};
    if (word == "indicator") return {c, indicator};
    return {c, what.ends_with("_true") ? true_value : measured};
  }
  if (entry.signal.unit == "J") return energies;
  return {channels_.size() + 1, 0};
}

std::vector<Row::Entry> Row::in_published_order(std::vector<Entry> entries) const {
  std::vector<std::pair<std::pair<std::size_t, int>, std::size_t>> order;
  order.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) order.emplace_back(place_of(entries[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<Entry> sorted;
  sorted.reserve(entries.size());
  for (const auto& [place, i] : order) sorted.push_back(std::move(entries[i]));
  return sorted;
}

std::vector<Row::Entry> Row::published() const {
  std::vector<Entry> shown;
  for (const Entry& entry : entries_) {
    if (entry.published && entry.lifetime == Lifetime::substep) shown.push_back(entry);
  }
  return in_published_order(std::move(shown));
}

Wires Row::wires() const {
  Wires wires(static_cast<std::size_t>(size_));
  for (const Lifetime lifetime : {Lifetime::input, Lifetime::step, Lifetime::substep})
    poison(wires.data(), lifetime);
  return wires;
}

void Row::poison(double* wires, Lifetime lifetime) const noexcept {
  for (const Stretch& stretch : stretches_) {
    if (stretch.lifetime != lifetime) continue;
    std::fill(wires + stretch.from, wires + stretch.to, std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace gusset

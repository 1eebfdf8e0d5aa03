#include "report/run_panels.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/indicators.hpp"
#include "base/quantity_text.hpp"
#include "report/panel_drawing.hpp"

namespace gusset {

namespace {

constexpr std::size_t most_lines = 6;  // as many colours as there are

bool is_storey(const std::string& name, const std::string& quantity) {
  return name.starts_with("storey") && name.ends_with("." + quantity);
}

/// At most so many of them, spread from the first to the last.
template <typename T>
std::vector<T> spread(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return chosen;
}

std::vector<Panel> storeys(const Run& run, const std::string& quantity, const std::string& note) {
  std::vector<panel::Line> lines;
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    for (const Trace& channel : table.channels) {
      if (!is_storey(channel.name, quantity) || !has_data(channel.values)) continue;
      const std::string number = channel.name.substr(6, channel.name.find('.') - 6);
      lines.push_back({"storey " + number, &table, &channel});
    }
  }
  if (lines.empty()) return {};
  const std::size_t count = lines.size();
  // One storey leaves room for the exact response beside it; with more, each has its own line.
  if (count == 1) {
    for (const Table& table : run.tables) {
      for (const Trace& channel : table.channels) {
        if (table.name == "reference" && channel.name == "reference." + lines[0].channel->name) {
          lines.front().name = "test";
          lines.push_back({"exact", &table, &channel, true});
          break;
        }
      }
    }
  }
  lines = spread(lines, most_lines);
  std::string title = quantity;
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  const std::string left_out =
      count > most_lines ? "; " + std::to_string(most_lines) + " of " + std::to_string(count) + " storeys"
                         : "";
  return {{{panel::over_time(title, quantity, lines)}, note + left_out}};
}

/// The top storey against the exact response of the whole structure.
std::vector<Panel> against_exact(const Run& run) {
  const Table* reference = nullptr;
  for (const Table& table : run.tables) {
    if (table.name == "reference" && !table.channels.empty()) reference = &table;
  }
  if (reference == nullptr || reference->channels.size() < 2) return {};
  const Trace& exact = reference->channels.back();
  if (!exact.name.starts_with("reference.")) return {};
  const std::string name = exact.name.substr(10);
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    for (const Trace& channel : table.channels) {
      if (channel.name != name || !has_data(channel.values)) continue;
      return {{{panel::over_time("Top storey against the exact response", "displacement",
                                 {{"test", &table, &channel}, {"exact", reference, &exact, true}})},
               "exact: the whole structure, solved without a rig"}};
    }
  }
  return {};
}

/// Work done by a force along a motion, as it grows.
std::vector<double> work(const std::vector<double>& force, const std::vector<double>& motion) {
  std::vector<double> result;
  double sum = 0;
  for (std::size_t i = 0; i < std::min(force.size(), motion.size()); ++i) {
    if (i > 0) {
      const double share = 0.5 * (force[i] + force[i - 1]) * (motion[i] - motion[i - 1]);
      if (std::isfinite(share)) sum += share;
    }
    result.push_back(sum);
  }
  return result;
}

}  // namespace

bool has_data(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

bool has_motion(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v) && v != 0; });
}

std::vector<RunChannel> run_channels(const Run& run) {
  std::vector<RunChannel> result;
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    const auto find = [&](const std::string& name) -> const Trace* {
      for (const Trace& channel : table.channels) {
        if (channel.name == name && has_data(channel.values)) return &channel;
      }
      return nullptr;
    };
    for (const Trace& channel : table.channels) {
      if (!channel.name.ends_with(".target")) continue;
      const std::string name = channel.name.substr(0, channel.name.size() - 7);
      result.push_back({name, &table, find(channel.name), find(name + ".command"), find(name + ".measured"),
                        find(name + ".force")});
    }
  }
  return result;
}

std::vector<Panel> response_panels(const Run& run) {
  std::vector<Panel> panels = storeys(run, "displacement", "relative to the ground");
  for (Panel& panel : against_exact(run)) panels.push_back(std::move(panel));
  for (Panel& panel : storeys(run, "velocity", "relative to the ground")) {
    panels.push_back(std::move(panel));
  }
  for (Panel& panel : storeys(run, "acceleration", "relative to the ground")) {
    panels.push_back(std::move(panel));
  }
  for (const Table& table : run.tables) {
    for (const Trace& channel : table.channels) {
      if (channel.name != "ground.acceleration" || !has_motion(channel.values)) continue;
      panels.push_back({{panel::over_time("Ground motion", "acceleration", {{"", &table, &channel}})}, ""});
    }
  }
  return panels;
}

std::vector<Panel> hysteresis_panels(const RunChannel& channel) {
  if (channel.force == nullptr || channel.measured == nullptr) return {};
  if (!has_motion(channel.force->values) || channel.measured->unit == channel.force->unit) return {};
  const ShownUnit x = shown_unit(channel.measured->unit, peak(channel.measured->values));
  const ShownUnit y = shown_unit(channel.force->unit, peak(channel.force->values));
  plot::Figure result = panel::figure(channel.name + ": force over displacement",
                                      "measured displacement [" + x.unit + "]", "force [" + y.unit + "]");
  result.height = 380;
  result.series.push_back({"", panel::scaled(channel.measured->values, x.factor),
                           panel::scaled(channel.force->values, y.factor), false, false});
  return {{{result}, "the area inside a loop is the energy the specimen took up in it"}};
}

const Trace* RunChannel::followed() const {
  if (target == nullptr) return nullptr;
  return target->control == Control::force ? force : measured;
}

std::vector<Panel> energy_panels(const Run& run) {
  std::vector<Panel> panels;
  for (const RunChannel& channel : run_channels(run)) {
    if (channel.force == nullptr || channel.measured == nullptr || channel.target == nullptr) continue;
    if (channel.target->control != Control::displacement) continue;
    std::vector<double> taken = work(channel.force->values, channel.measured->values);
    std::vector<double> given = work(channel.force->values, channel.target->values);
    if (!has_motion(taken) && !has_motion(given)) continue;
    std::vector<double> added(taken.size());
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = taken[i] - given[i];
    const ShownUnit unit = shown_unit("J", std::max(peak(taken), peak(given)));
    plot::Figure result = panel::figure(channel.name + ": work", "time [s]", "energy [" + unit.unit + "]");
    const std::vector<double> at = panel::times(*channel.table);
    result.series.push_back({"taken up by the specimen", at, panel::scaled(taken, unit.factor)});
    result.series.push_back({"given by the structure", at, panel::scaled(given, unit.factor), true});
    std::vector<plot::Figure> figures{result};
    if (has_motion(added)) {  // on a scale of its own: small where tracking is good
      const ShownUnit small = shown_unit("J", peak(added));
      plot::Figure errors = panel::figure("", "time [s]", "added by tracking errors [" + small.unit + "]");
      errors.series.push_back({"", at, panel::scaled(added, small.factor)});
      figures.front().x.label.clear();
      figures.push_back(errors);
    }
    panels.push_back({figures, std::string("work of the measured force along measured and target motion") +
                                   (figures.size() > 1 ? ", and the difference" : "")});
  }
  std::vector<panel::Line> lines;
  for (const Table& table : run.tables) {
    for (const Trace& channel : table.channels) {
      if (!channel.name.ends_with(".dissipated") || !has_motion(channel.values)) continue;
      lines.push_back({channel.name.substr(0, channel.name.size() - 11), &table, &channel});
    }
  }
  if (!lines.empty()) {
    panels.push_back(
        {{panel::over_time("Dissipated by yielding parts", "energy", spread(lines, most_lines))}, ""});
  }
  return panels;
}

std::vector<plot::Figure> overview(const Run& run) {
  std::vector<plot::Figure> figures;
  const auto add = [&](plot::Figure panel) {
    panel.title = "";
    panel.x.label = "";
    panel.width = 760;
    panel.height = 190;
    figures.push_back(std::move(panel));
  };
  for (const Table& table : run.tables) {
    for (const Trace& channel : table.channels) {
      if (channel.name != "ground.acceleration" || !has_motion(channel.values)) continue;
      add(panel::over_time("", "ground", {{"", &table, &channel}}));
    }
  }
  std::vector<Panel> top = against_exact(run);
  if (top.empty()) top = storeys(run, "displacement", "");
  if (!top.empty()) {
    top.front().figures.front().y.label =
        "top storey" + top.front().figures.front().y.label.substr(std::string("displacement").size());
    add(top.front().figures.front());
  }
  const std::vector<RunChannel> channels = run_channels(run);
  if (!channels.empty() && channels.front().force != nullptr && has_motion(channels.front().force->values)) {
    const RunChannel& first = channels.front();
    add(panel::over_time("", first.name, {{"", first.table, first.force}}));
  }
  if (figures.empty()) return figures;
  figures.front().title = run.title;
  figures.front().height += 24;
  figures.back().x.label = "time [s]";
  figures.back().height += 20;
  return figures;
}

}  // namespace gusset

#include "report/run_panels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/indicators.hpp"
#include "analysis/tracking.hpp"
#include "report/quantity_text.hpp"

namespace gusset {
namespace {

constexpr double figure_width = 600, figure_height = 300;
constexpr std::size_t most_lines = 6;  // as many colours as there are

std::vector<double> times(const Table& table) {
  std::vector<double> result(table.rows());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = table.start + table.step * static_cast<double>(i);
  }
  return result;
}

std::vector<double> scaled(const std::vector<double>& values, double factor) {
  std::vector<double> result(values);
  for (double& value : result) value *= factor;
  return result;
}

plot::Figure figure(std::string title, std::string x, std::string y) {
  plot::Figure result;
  result.title = std::move(title);
  result.x.label = std::move(x);
  result.y.label = std::move(y);
  result.width = figure_width;
  result.height = figure_height;
  return result;
}

/// A line to draw: a channel with its table, under a name of its own.
struct Line {
  std::string name;
  const Table* table;
  const Channel* channel;
  bool dashed = false;
};

/// Lines of one quantity over time, in the unit that suits the largest of them.
plot::Figure over_time(const std::string& title, const std::string& quantity,
                       const std::vector<Line>& lines) {
  double largest = 0;
  for (const Line& line : lines) largest = std::max(largest, peak(line.channel->values));
  const ShownUnit unit = shown_unit(lines.front().channel->unit, largest);
  plot::Figure result = figure(title, "time [s]", quantity + " [" + unit.unit + "]");
  for (const Line& line : lines) {
    result.series.push_back({lines.size() > 1 ? line.name : "", times(*line.table),
                             scaled(line.channel->values, unit.factor), line.dashed, false});
  }
  return result;
}

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
  std::vector<Line> lines;
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    for (const Channel& channel : table.channels) {
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
      for (const Channel& channel : table.channels) {
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
  return {{{over_time(title, quantity, lines)}, note + left_out}};
}

/// The top storey against the exact response of the whole structure.
std::vector<Panel> against_exact(const Run& run) {
  const Table* reference = nullptr;
  for (const Table& table : run.tables) {
    if (table.name == "reference" && !table.channels.empty()) reference = &table;
  }
  if (reference == nullptr || reference->channels.size() < 2) return {};
  const Channel& exact = reference->channels.back();
  if (!exact.name.starts_with("reference.")) return {};
  const std::string name = exact.name.substr(10);
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    for (const Channel& channel : table.channels) {
      if (channel.name != name || !has_data(channel.values)) continue;
      return {{{over_time("Top storey against the exact response", "displacement",
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
  return std::any_of(values.begin(), values.end(),
                     [](double v) { return std::isfinite(v) && v != 0; });
}

std::vector<RunChannel> run_channels(const Run& run) {
  std::vector<RunChannel> result;
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    const auto find = [&](const std::string& name) -> const Channel* {
      for (const Channel& channel : table.channels) {
        if (channel.name == name && has_data(channel.values)) return &channel;
      }
      return nullptr;
    };
    for (const Channel& channel : table.channels) {
      if (!channel.name.ends_with(".target")) continue;
      const std::string name = channel.name.substr(0, channel.name.size() - 7);
      result.push_back({name, &table, find(channel.name), find(name + ".command"),
                        find(name + ".measured"), find(name + ".force")});
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
    for (const Channel& channel : table.channels) {
      if (channel.name != "ground.acceleration" || !has_motion(channel.values)) continue;
      panels.push_back({{over_time("Ground motion", "acceleration", {{"", &table, &channel}})}, ""});
    }
  }
  return panels;
}

std::vector<Panel> hysteresis_panels(const RunChannel& channel) {
  if (channel.force == nullptr || channel.measured == nullptr) return {};
  if (!has_motion(channel.force->values) || channel.measured->unit == channel.force->unit) return {};
  const ShownUnit x = shown_unit(channel.measured->unit, peak(channel.measured->values));
  const ShownUnit y = shown_unit(channel.force->unit, peak(channel.force->values));
  plot::Figure result = figure(channel.name + ": force over displacement",
                               "measured displacement [" + x.unit + "]", "force [" + y.unit + "]");
  result.height = 380;
  result.series.push_back({"", scaled(channel.measured->values, x.factor),
                           scaled(channel.force->values, y.factor), false, false});
  return {{{result}, "the area inside a loop is the energy the specimen took up in it"}};
}

const Channel* RunChannel::followed() const {
  if (target == nullptr) return nullptr;
  for (const Channel* candidate : {measured, force}) {
    if (candidate != nullptr && candidate->unit == target->unit) return candidate;
  }
  return nullptr;
}

std::vector<Panel> tracking_panels(const RunChannel& channel) {
  const Channel* followed = channel.followed();
  if (followed == nullptr) return {};
  const std::vector<double>& x = channel.target->values;
  const std::vector<double>& y = followed->values;
  if (!has_motion(x)) return {};
  const std::string quantity = channel.target->unit == "N"       ? "force"
                               : channel.target->unit == "m/s^2" ? "acceleration"
                                                                 : "displacement";
  const Table* table = channel.table;
  std::vector<Line> lines{{"target", table, channel.target}};
  // Without a compensator the command is the target, and its line would only hide it.
  if (channel.command != nullptr && channel.command->unit == channel.target->unit &&
      channel.command->values != x) {
    lines.push_back({"command", table, channel.command});
  }
  lines.push_back({"measured", table, followed, true});
  std::vector<Panel> panels;
  panels.push_back({{over_time(channel.name + ": whole test", quantity, lines)}, ""});

  // A second around the largest target: there a delay can be seen.
  const auto largest = std::max_element(
      x.begin(), x.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const double middle = table->start + table->step * static_cast<double>(largest - x.begin());
  const double end = table->start + table->step * static_cast<double>(x.size() - 1);
  if (end - table->start > 2) {
    const double from = std::clamp(middle - 0.5, table->start, end - 1);
    plot::Figure zoom = over_time(channel.name + ": around the largest target", quantity, lines);
    zoom.x.low = from;
    zoom.x.high = from + 1;
    panels.push_back({{zoom}, "one second"});
  }

  Channel error{"error", channel.target->unit, y};
  for (std::size_t i = 0; i < error.values.size(); ++i) {
    error.values[i] = i < x.size() ? y[i] - x[i] : 0;
  }
  if (has_motion(error.values)) {
    panels.push_back({{over_time(channel.name + ": tracking error", "measured − target",
                                 {{"", table, &error}})},
                      ""});
  }

  const ShownUnit unit = shown_unit(channel.target->unit, std::max(peak(x), peak(y)));
  plot::Figure subspace = figure(channel.name + ": synchronisation subspace",
                                 "target [" + unit.unit + "]", "measured [" + unit.unit + "]");
  const double edge = unit.factor * std::max(peak(x), peak(y));
  subspace.series.push_back({"measured over target", scaled(x, unit.factor), scaled(y, unit.factor)});
  subspace.series.push_back({"perfect tracking", {-edge, edge}, {-edge, edge}, true, false});
  panels.push_back({{subspace}, "a delay opens the line to a loop, a wrong amplitude turns it"});

  const std::vector<double> indicator = tracking_indicator(x, y);
  if (has_motion(indicator)) {
    const double factor = channel.target->unit == "m" ? 1e6 : 1;
    const std::string squared = channel.target->unit == "m" ? "mm²" : channel.target->unit + "²";
    plot::Figure rising = figure(channel.name + ": tracking indicator", "time [s]", "TI [" + squared + "]");
    std::vector<double> at = times(*table);
    at.resize(std::min(at.size(), indicator.size()));
    rising.series.push_back({"", at, scaled(indicator, factor)});
    panels.push_back({{rising}, "rising: the rig leads; falling: it lags"});
  }
  return panels;
}

std::vector<Panel> energy_panels(const Run& run) {
  std::vector<Panel> panels;
  for (const RunChannel& channel : run_channels(run)) {
    if (channel.force == nullptr || channel.measured == nullptr || channel.target == nullptr) continue;
    if (channel.measured->unit != "m" || channel.target->unit != "m") continue;
    std::vector<double> taken = work(channel.force->values, channel.measured->values);
    std::vector<double> given = work(channel.force->values, channel.target->values);
    if (!has_motion(taken) && !has_motion(given)) continue;
    std::vector<double> added(taken.size());
    for (std::size_t i = 0; i < added.size(); ++i) added[i] = taken[i] - given[i];
    const ShownUnit unit = shown_unit("J", std::max(peak(taken), peak(given)));
    plot::Figure result =
        figure(channel.name + ": work", "time [s]", "energy [" + unit.unit + "]");
    const std::vector<double> at = times(*channel.table);
    result.series.push_back({"taken up by the specimen", at, scaled(taken, unit.factor)});
    result.series.push_back({"given by the structure", at, scaled(given, unit.factor), true});
    result.series.push_back({"added by tracking errors", at, scaled(added, unit.factor)});
    panels.push_back({{result}, "work of the measured force along measured and target motion"});
  }
  std::vector<Line> lines;
  for (const Table& table : run.tables) {
    for (const Channel& channel : table.channels) {
      if (!channel.name.ends_with(".dissipated") || !has_motion(channel.values)) continue;
      lines.push_back({channel.name.substr(0, channel.name.size() - 11), &table, &channel});
    }
  }
  if (!lines.empty()) {
    panels.push_back({{over_time("Dissipated by yielding parts", "energy", spread(lines, most_lines))}, ""});
  }
  return panels;
}

std::vector<Panel> timing_panels(const Run& run) {
  std::vector<Panel> panels;
  for (const RunHistogram& histogram : run.histograms) {
    const std::size_t bins = std::min(histogram.counts.size(),
                                      histogram.edges.empty() ? 0 : histogram.edges.size() - 1);
    std::size_t first = bins, last = 0;
    for (std::size_t i = 0; i < bins; ++i) {
      if (!(histogram.counts[i] > 0)) continue;
      first = std::min(first, i);
      last = i;
    }
    if (first == bins) continue;
    // A bin beside each end shows that nothing was cut off there.
    first = first > 0 ? first - 1 : first;
    last = std::min(last + 1, bins - 1);
    const ShownUnit unit = shown_unit(histogram.unit, histogram.edges[last + 1]);
    plot::Series bars{"", {}, {}, false, false};
    const auto corner = [&](double edge, double count) {
      bars.x.push_back(edge * unit.factor);
      bars.y.push_back(std::max(count, 0.5));  // the axis is logarithmic: half a count is none
    };
    corner(histogram.edges[first], 0);
    for (std::size_t i = first; i <= last; ++i) {
      corner(histogram.edges[i], histogram.counts[i]);
      corner(histogram.edges[i + 1], histogram.counts[i]);
    }
    corner(histogram.edges[last + 1], 0);
    plot::Figure result = figure(histogram.name, "duration [" + unit.unit + "]", "how often");
    result.y.logarithmic = true;
    result.series = {bars};
    std::string caption = "largest " + readable(histogram.maximum, histogram.unit);
    if (histogram.overflow > 0) caption += "; " + brief(histogram.overflow) + " beyond the last bin";
    panels.push_back({{result}, caption});
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
    for (const Channel& channel : table.channels) {
      if (channel.name != "ground.acceleration" || !has_motion(channel.values)) continue;
      add(over_time("", "ground", {{"", &table, &channel}}));
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
    add(over_time("", first.name, {{"", first.table, first.force}}));
  }
  if (figures.empty()) return figures;
  figures.front().title = run.title;
  figures.front().height += 24;
  figures.back().x.label = "time [s]";
  figures.back().height += 20;
  return figures;
}

std::vector<Panel> eigenvalue_panels(const Analysis& analysis) {
  if (analysis.eigenvalues.empty()) return {};
  plot::Figure result = figure("Eigenvalues of one step", "real part", "imaginary part");
  result.width = 480;
  result.height = 490;  // so that the circle is round
  plot::Series circle{"unit circle", {}, {}, true, false};
  for (int i = 0; i <= 180; ++i) {
    circle.x.push_back(std::cos(i * std::numbers::pi / 90));
    circle.y.push_back(std::sin(i * std::numbers::pi / 90));
  }
  plot::Series values{"eigenvalues", {}, {}, false, true};
  for (const auto& value : analysis.eigenvalues) {
    values.x.push_back(value.real());
    values.y.push_back(value.imag());
  }
  const double edge = 1.1 * std::max(1.0, analysis.spectral_radius);
  result.x.low = result.y.low = -edge;
  result.x.high = result.y.high = edge;
  result.series = {values, circle};
  return {{{result}, "outside the circle: growth from step to step"}};
}

}  // namespace gusset

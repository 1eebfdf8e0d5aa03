#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/indicators.hpp"
#include "analysis/tracking.hpp"
#include "base/quantity_text.hpp"
#include "report/panel_drawing.hpp"
#include "report/run_panels.hpp"

// How the rig followed, how the loop kept time, and the loop's eigenvalues.

namespace gusset {

std::vector<Panel> tracking_panels(const RunChannel& channel) {
  const Trace* followed = channel.followed();
  if (followed == nullptr) return {};
  const std::vector<double>& x = channel.target->values;
  const std::vector<double>& y = followed->values;
  if (!has_motion(x)) return {};
  const std::string quantity = name_of(channel.target->control.value_or(Control::displacement));
  const Table* table = channel.table;
  std::vector<panel::Line> lines{{"target", table, channel.target}};
  // Without a compensator the command is the target, and its line would only hide it.
  if (channel.command != nullptr && channel.command->values != x) {
    lines.push_back({"command", table, channel.command});
  }
  lines.push_back({"measured", table, followed, true});
  std::vector<Panel> panels;
  panels.push_back({{panel::over_time(channel.name + ": whole test", quantity, lines)}, ""});

  // A second around the largest error, or without any around the largest target.
  const auto largest_of = [](const std::vector<double>& values) {
    return std::max_element(values.begin(), values.end(),
                            [](double a, double b) {
                              return std::abs(a) < std::abs(b) || (std::isnan(a) && !std::isnan(b));
                            }) -
           values.begin();
  };
  Trace error{"error", channel.target->unit, y};
  for (std::size_t i = 0; i < error.values.size(); ++i) {
    error.values[i] = i < x.size() ? y[i] - x[i] : 0;
  }
  const bool wrong = has_motion(error.values);
  const double middle =
      table->start + table->step * static_cast<double>(largest_of(wrong ? error.values : x));
  const double end = table->start + table->step * static_cast<double>(x.size() - 1);
  if (end - table->start > 2) {
    const double from = std::clamp(middle - 0.5, table->start, end - 1);
    plot::Figure zoom = panel::over_time(
        channel.name + (wrong ? ": around the largest error" : ": around the largest target"), quantity,
        lines);
    zoom.x.low = from;
    zoom.x.high = from + 1;
    panels.push_back({{zoom}, "one second"});
  }

  if (wrong) {
    panels.push_back(
        {{panel::over_time(channel.name + ": tracking error", "measured − target", {{"", table, &error}})},
         ""});
  }

  const ShownUnit unit = shown_unit(channel.target->unit, std::max(peak(x), peak(y)));
  plot::Figure subspace =
      panel::figure(channel.name + ": synchronisation subspace", "target [" + typeset(unit.unit) + "]",
                    "measured [" + typeset(unit.unit) + "]");
  const double edge = unit.factor * std::max(peak(x), peak(y));
  subspace.series.push_back(
      {"measured over target", panel::scaled(x, unit.factor), panel::scaled(y, unit.factor)});
  subspace.series.push_back({"perfect tracking", {-edge, edge}, {-edge, edge}, true, false});
  panels.push_back({{subspace}, "a delay opens the line to a loop, a wrong amplitude turns it"});

  const std::vector<double> indicator = tracking_indicator(x, y);
  if (has_motion(indicator)) {
    const double factor = channel.target->unit == "m" ? 1e6 : 1;
    const std::string squared = channel.target->unit == "m"       ? "mm²"
                                : channel.target->unit == "m/s^2" ? "(m/s²)²"
                                                                  : channel.target->unit + "²";
    plot::Figure rising =
        panel::figure(channel.name + ": tracking indicator", "time [s]", "TI [" + squared + "]");
    std::vector<double> at = panel::times(*table);
    at.resize(std::min(at.size(), indicator.size()));
    rising.series.push_back({"", at, panel::scaled(indicator, factor)});
    panels.push_back({{rising}, "rising: the rig leads; falling: it lags"});
  }
  return panels;
}

std::vector<Panel> timing_panels(const Run& run) {
  std::vector<Panel> panels;
  for (const RunHistogram& histogram : run.histograms) {
    const std::size_t bins =
        std::min(histogram.counts.size(), histogram.edges.empty() ? 0 : histogram.edges.size() - 1);
    std::size_t first = bins, last = 0;
    for (std::size_t i = 0; i < bins; ++i) {
      if (!(histogram.counts[i] > 0)) continue;
      first = std::min(first, i);
      last = i;
    }
    if (first == bins) continue;
    const ShownUnit unit = shown_unit(histogram.unit, histogram.edges[last + 1]);
    plot::Series bars{"", {}, {}, false, false};
    const auto corner = [&](double edge, double count) {
      bars.x.push_back(edge * unit.factor);
      bars.y.push_back(std::max(count, 0.5));  // the axis is logarithmic: half a count is none
    };
    // Recorded bins are finer than a figure can show: eight of those drawn make an octave. Durations
    // spread over decades, so their axis is logarithmic; 0 has no place on it.
    const double octave_share = std::exp2(1.0 / 8);
    const double least =
        histogram.edges[first] > 0 ? histogram.edges[first] : 0.5 * histogram.edges[first + 1];
    double from = least, count = 0;
    corner(from, 0);
    for (std::size_t i = first; i <= last; ++i) {
      count += histogram.counts[i];
      const double to = histogram.edges[i + 1];
      if (i < last && to < octave_share * from) continue;
      corner(from, count);
      corner(to, count);
      from = to;
      count = 0;
    }
    corner(from, 0);
    std::string name = histogram.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    plot::Figure result = panel::figure(name, "duration [" + unit.unit + "]", "how often");
    result.x.logarithmic = result.y.logarithmic = true;
    // A little beside each end shows that nothing was cut off there.
    result.x.low = unit.factor * least / octave_share;
    result.x.high = unit.factor * from * octave_share;
    result.series = {bars};
    std::string caption = "largest " + readable(histogram.maximum, histogram.unit);
    if (histogram.overflow > 0) caption += "; " + brief(histogram.overflow) + " beyond the last bin";
    panels.push_back({{result}, caption});
  }
  return panels;
}

std::vector<Panel> eigenvalue_panels(const Analysis& analysis) {
  if (analysis.eigenvalues.empty()) return {};
  plot::Figure result = panel::figure("Eigenvalues of one step", "real part", "imaginary part");
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

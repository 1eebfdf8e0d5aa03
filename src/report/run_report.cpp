#include "report/run_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "analysis/indicators.hpp"
#include "analysis/tracking.hpp"
#include "report/html_page.hpp"
#include "report/quantity_text.hpp"
#include "report/run_panels.hpp"

namespace gusset {
namespace {

using html::Page;

void add(Page& page, const std::vector<Panel>& panels) {
  if (panels.empty()) return;
  page.begin_figures();
  for (const Panel& panel : panels) page.figure(plot::svg(panel.figures), panel.caption);
  page.end_figures();
}

std::string percent(double share) { return brief(100 * share) + " %"; }

std::string fixed(double value, int decimals) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

std::string describe_limit(const Crossing& limit) {
  switch (limit.kind) {
    case Crossing::Kind::found:
    case Crossing::Kind::below: return readable(limit.value, "s");
    case Crossing::Kind::always: return "none: unstable for every step";
    case Crossing::Kind::none: break;
  }
  return "none up to " + readable(limit.high, "s");
}

void experiment_section(Page& page, const Run& run) {
  page.section("experiment", "Experiment");
  std::vector<std::pair<std::string, std::string>> facts;
  if (!run.experiment_name.empty()) facts.emplace_back("file", run.experiment_name);
  for (const std::string& override_text : run.overrides) facts.emplace_back("--set", override_text);
  if (!run.created.empty()) facts.emplace_back("recorded", run.created);
  facts.emplace_back("Gusset", run.version);
  for (const Table& table : run.tables) {
    facts.emplace_back("table " + table.name,
                       std::to_string(table.channels.size()) + " channels, " +
                           std::to_string(table.rows()) + " samples every " +
                           readable(table.step, "s"));
  }
  page.facts(facts);
  if (!run.experiment_text.empty()) page.listing("the experiment file", run.experiment_text);
}

void stability_section(Page& page, const ReportExtras& extras) {
  if (!extras.analysis) {
    if (extras.problem.empty()) return;
    page.section("stability", "Stability");
    page.paragraph("Not analysed: " + extras.problem);
    return;
  }
  const Analysis& analysis = *extras.analysis;
  page.section("stability", "Stability");
  page.paragraph("From the one-step matrix of the very loop that ran, by perturbing its state.");
  std::vector<std::pair<std::string, std::string>> facts{
      {"verdict", analysis.stable ? "stable" : "UNSTABLE"},
      {"spectral radius", fixed(analysis.spectral_radius, 6)},
      {"step", readable(analysis.dt, "s") + " (ω·Δt = " +
                   brief(analysis.dt * analysis.reference_frequency) + ")"},
      {"stability limit", describe_limit(analysis.limit)}};
  if (analysis.delay_margin) {
    const Crossing& margin = *analysis.delay_margin;
    facts.emplace_back("delay margin", margin.kind == Crossing::Kind::none
                                           ? "more than " + readable(margin.high, "s")
                                       : margin.kind == Crossing::Kind::always
                                           ? "none"
                                           : readable(margin.value, "s"));
  }
  facts.emplace_back("interface gain", brief(analysis.interface_radius) +
                                           (analysis.interface_radius <= 1 + 1e-6
                                                ? " (zero-stable)"
                                                : " (not zero-stable)"));
  facts.emplace_back("state entries", std::to_string(analysis.state_size));
  page.facts(facts);
  std::vector<std::vector<std::string>> rows;
  constexpr std::size_t most_modes = 20;
  for (const Mode& mode : analysis.modes) {
    if (rows.size() == most_modes) break;
    rows.push_back({std::to_string(rows.size() + 1), fixed(mode.exact_frequency, 4),
                    fixed(mode.exact_damping, 4), mode.frequency ? fixed(*mode.frequency, 4) : "–",
                    mode.damping ? fixed(*mode.damping, 4) : "–",
                    mode.period_error ? percent(*mode.period_error) : "–"});
  }
  if (!rows.empty()) {
    page.subheading("Modes of the whole structure, and what the test makes of them");
    page.table({"mode", "exact [Hz]", "damping", "test [Hz]", "damping", "period error"}, rows);
  }
  add(page, eigenvalue_panels(analysis));
}

void response_section(Page& page, const Run& run) {
  const std::vector<Panel> panels = response_panels(run);
  std::vector<std::vector<std::string>> rows;
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    for (const Channel& channel : table.channels) {
      if (!has_motion(channel.values)) continue;
      rows.push_back({channel.name, readable(peak(channel.values), channel.unit)});
    }
  }
  if (panels.empty() && rows.empty()) return;
  page.section("response", "Response");
  add(page, panels);
  std::vector<std::vector<std::string>> errors;
  for (const auto& [name, value] : run.summary) {
    if (!name.starts_with("error.")) continue;
    errors.push_back({name.substr(6), percent(value)});
  }
  if (!errors.empty()) {
    page.subheading("Errors against the exact response of the whole structure");
    page.table({"quantity", "error"}, errors);
  }
  page.subheading("Peaks");
  page.table({"channel", "largest magnitude"}, rows);
}

void tracking_section(Page& page, const Run& run) {
  std::vector<Panel> panels;
  std::vector<std::vector<std::string>> rows;
  for (const RunChannel& channel : run_channels(run)) {
    const std::vector<Panel> own = tracking_panels(channel);
    if (own.empty()) continue;
    panels.insert(panels.end(), own.begin(), own.end());
    const std::vector<double>& x = channel.target->values;
    const std::vector<double>& y = channel.followed()->values;
    const FrequencyIndex index = frequency_index(x, y, channel.table->step);
    const Synchronisation subspace = synchronisation(x, y);
    rows.push_back({channel.name, percent(normalized_rms_error(x, y)), percent(peak_error(x, y)),
                    fixed(index.amplitude, 4), readable(index.delay, "s"),
                    readable(index.frequency, "Hz"), fixed(subspace.slope, 4),
                    brief(subspace.width)});
  }
  if (panels.empty()) return;
  page.section("tracking", "Tracking");
  page.paragraph(
      "How the measured motion follows the target. FEI: frequency evaluation index, the amplitude "
      "and delay that the spectrum shows at its mean frequency.");
  page.table({"channel", "NRMSE", "peak error", "FEI amplitude", "FEI delay", "at", "subspace slope",
              "subspace width"},
             rows);
  add(page, panels);
}

/// The largest magnitude of a unit among signals of these channels, and whose it is.
std::pair<double, std::string> reached(const Run& run, const std::vector<std::string>& channels,
                                       std::string_view unit, const std::vector<std::string>& endings) {
  std::pair<double, std::string> result{0, ""};
  for (const RunChannel& channel : run_channels(run)) {
    if (std::find(channels.begin(), channels.end(), channel.name) == channels.end()) continue;
    for (const std::string& ending : endings) {
      for (const Channel& candidate : channel.table->channels) {
        if (candidate.name != channel.name + ending || candidate.unit != unit) continue;
        const double value = peak(candidate.values);
        if (value >= result.first) result = {value, candidate.name};
      }
    }
  }
  return result;
}

/// An event that ended or disturbed the test.
bool is_bad(const Event& event) {
  return event.severity == "hold" || event.severity == "ramp-down" || event.severity == "interlock";
}

void limits_section(Page& page, const Run& run, const ReportExtras& extras) {
  std::vector<std::vector<std::string>> rows;
  // Channels that share a limit share a line.
  const auto list = [&](const char* name, std::optional<double> Limits::*which, const char* unit,
                        const std::vector<std::string>& endings) {
    std::map<double, std::vector<std::string>> sharing;
    for (const auto& [channel, limits] : extras.limits) {
      if (limits.*which) sharing[*(limits.*which)].push_back(channel);
    }
    for (const auto& [limit, channels] : sharing) {
      const auto [value, channel] = reached(run, channels, unit, endings);
      if (channel.empty()) {
        rows.push_back({"", name, "", readable(limit, unit), "not recorded", ""});
        continue;
      }
      rows.push_back({value <= limit ? "✓" : "✗", name, channel, readable(limit, unit), readable(value, unit),
                      percent(1 - value / limit)});
    }
  };
  list("displacement", &Limits::displacement, "m", {".target", ".command", ".measured", ".displacement"});
  list("force", &Limits::force, "N", {".target", ".command", ".force"});
  list("velocity", &Limits::velocity, "m/s", {".velocity"});
  list("acceleration", &Limits::acceleration, "m/s^2", {".target", ".command", ".acceleration"});
  if (rows.empty() && run.events.empty()) return;
  page.section("limits", "Limits and events");
  page.table({"", "limit", "nearest channel", "allowed", "reached", "margin"}, rows, 3);
  std::vector<std::vector<std::string>> events;
  for (const Event& event : run.events) {
    events.push_back({fixed(event.time, 4), (is_bad(event) ? "✗ " : "") + event.severity, event.source,
                      event.text});
  }
  page.table({"time [s]", "severity", "source", "event"}, events, 4);
}

/// The largest duration below which so large a share of the counts lies: an upper edge of a bin.
double quantile(const RunHistogram& histogram, double share) {
  double all = histogram.overflow;
  for (const double count : histogram.counts) all += count;
  double sum = 0;
  for (std::size_t i = 0; i < histogram.counts.size() && i + 1 < histogram.edges.size(); ++i) {
    sum += histogram.counts[i];
    if (sum >= share * all) return std::min(histogram.edges[i + 1], histogram.maximum);
  }
  return histogram.maximum;
}

void timing_section(Page& page, const Run& run) {
  const std::vector<Panel> panels = timing_panels(run);
  if (panels.empty()) return;
  page.section("timing", "Timing");
  std::vector<std::vector<std::string>> rows;
  for (const RunHistogram& histogram : run.histograms) {
    double all = histogram.overflow;
    for (const double count : histogram.counts) all += count;
    if (!(all > 0)) continue;
    const auto at = [&](double share) { return readable(quantile(histogram, share), histogram.unit); };
    rows.push_back({histogram.name, brief(all), at(0.5), at(0.99), at(0.999),
                    readable(histogram.maximum, histogram.unit), brief(histogram.overflow)});
  }
  page.table({"stage", "count", "median ≤", "99 % ≤", "99.9 % ≤", "largest", "beyond the bins"}, rows);
  add(page, panels);
}

/// What came with the run: readiness and environment of the machine, its analysis then.
void texts_section(Page& page, const Run& run) {
  bool any = false;
  for (const auto& [name, text] : run.texts) any |= !text.empty();
  if (!any) return;
  page.section("environment", "Environment and readiness");
  for (const auto& [name, text] : run.texts) {
    if (!text.empty()) page.listing(name, text);
  }
}

void hashes_section(Page& page, const Run& run, const ReportExtras& extras) {
  page.section("hashes", "Data and hashes");
  std::vector<std::pair<std::string, std::string>> facts;
  if (!extras.file.empty()) facts.emplace_back("run file", extras.file);
  for (const auto& [name, digits] : extras.hashes) facts.emplace_back(name, digits);
  page.facts(facts);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, value] : run.summary) {
    if (!name.starts_with("peak.")) rows.push_back({name, brief(value)});
  }
  if (!rows.empty()) {
    page.subheading("Scalar results (SI)");
    page.table({"name", "value"}, rows);
  }
}

}  // namespace

std::string run_report(const Run& run, const ReportExtras& extras) {
  const std::string title = run.title.empty() ? "A test without a title" : run.title;
  Page page(title, "Test report" + (run.created.empty() ? "" : " · recorded " + run.created) +
                       " · Gusset " + run.version);
  if (extras.analysis) {
    const Analysis& analysis = *extras.analysis;
    page.verdict(analysis.stable, analysis.stable
                                      ? "Stable: spectral radius " + fixed(analysis.spectral_radius, 6)
                                      : "Unstable: spectral radius " + fixed(analysis.spectral_radius, 6));
  }
  const auto first = std::find_if(run.events.begin(), run.events.end(), is_bad);
  if (first != run.events.end()) {
    page.verdict(false, first->severity + " at " + fixed(first->time, 3) + " s: " + first->text);
  }
  experiment_section(page, run);
  stability_section(page, extras);
  response_section(page, run);
  std::vector<Panel> loops;
  for (const RunChannel& channel : run_channels(run)) {
    for (Panel& panel : hysteresis_panels(channel)) loops.push_back(std::move(panel));
  }
  if (!loops.empty()) {
    page.section("hysteresis", "Hysteresis");
    add(page, loops);
  }
  tracking_section(page, run);
  const std::vector<Panel> energy = energy_panels(run);
  if (!energy.empty()) {
    page.section("energy", "Energy");
    add(page, energy);
  }
  timing_section(page, run);
  limits_section(page, run, extras);
  texts_section(page, run);
  hashes_section(page, run, extras);
  return page.finish();
}

}  // namespace gusset

#include "report/run_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/indicators.hpp"
#include "analysis/tracking.hpp"
#include "base/quantity_text.hpp"
#include "report/html_page.hpp"
#include "report/loop_picture.hpp"
#include "report/run_panels.hpp"
#include "report/run_sections.hpp"
#include "report/run_verdict.hpp"
#include "report/stability_panels.hpp"

namespace gusset {
namespace {

using html::Page;
using sections::add;
using sections::fixed;
using sections::percent;

std::string describe_limit(const Crossing& limit) {
  switch (limit.kind) {
    case Crossing::Kind::found:
    case Crossing::Kind::below: return readable(limit.value, "s");
    case Crossing::Kind::always: return "none: unstable for every step";
    case Crossing::Kind::unknown: return "not found: " + limit.ended;
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
    if (table.rows() == 0) continue;
    facts.emplace_back("table " + table.name,
                       std::to_string(table.channels.size()) +
                           (table.channels.size() == 1 ? " channel, " : " channels, ") +
                           std::to_string(table.rows()) + " samples every " + readable(table.step, "s"));
  }
  page.facts(facts);
  if (!run.experiment_text.empty()) page.listing("the experiment file", run.experiment_text);
}

void loop_section(Page& page, const ReportExtras& extras) {
  if (!extras.loop) return;
  page.section("loop", "The loop of this test");
  page.wide_figure(loop_picture(*extras.loop, false));
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
  page.paragraph(
      analysis.stability.rehearsed
          ? "From the one-step matrix at rest, the same against amplitude, rehearsals that begin a "
            "finger apart, and what is left after the record."
          : "From the one-step matrix of the very loop that ran, by perturbing its state.");
  std::vector<std::pair<std::string, std::string>> facts{
      {"verdict", analysis.stability.sentence},
      {analysis.stability.affine ? "spectral radius" : "spectral radius at rest",
       fixed(analysis.spectral_radius, 6)},
      {"step", readable(analysis.dt, "s") +
                   (analysis.reference_frequency > 0  // 0: all stiffness is in yielding parts
                        ? " (ω·Δt = " + brief(analysis.dt * analysis.reference_frequency) + ")"
                        : "")},
      {"stability limit", describe_limit(analysis.limit)}};
  if (analysis.delay_margin) {
    const Crossing& margin = *analysis.delay_margin;
    facts.emplace_back("delay margin",
                       margin.kind == Crossing::Kind::none      ? "more than " + readable(margin.high, "s")
                       : margin.kind == Crossing::Kind::always  ? "none"
                       : margin.kind == Crossing::Kind::unknown ? "not found: " + margin.ended
                                                                : readable(margin.value, "s"));
  }
  facts.emplace_back("interface gain", !analysis.interface_problem.empty()
                                           ? "not found: " + analysis.interface_problem
                                       : analysis.interface_radius <= 1 + 1e-6
                                           ? brief(analysis.interface_radius) + " (zero-stable)"
                                           : brief(analysis.interface_radius) + " (not zero-stable)");
  for (std::pair<std::string, std::string>& fact : stability_facts(analysis.stability)) {
    facts.push_back(std::move(fact));
  }
  facts.emplace_back("state entries", std::to_string(analysis.state_size));
  page.facts(facts);
  std::vector<std::vector<std::string>> rows;
  constexpr std::size_t most_modes = 20;
  for (const Mode& mode : analysis.modes) {
    if (rows.size() == most_modes) break;
    rows.push_back({std::to_string(rows.size() + 1), fixed(mode.exact_frequency, 4),
                    fixed(100 * mode.exact_damping, 3), mode.frequency ? fixed(*mode.frequency, 4) : "–",
                    mode.damping ? fixed(100 * *mode.damping, 3) : "–",
                    mode.period_elongation ? fixed(100 * *mode.period_elongation, 3) : "–"});
  }
  if (!rows.empty()) {
    page.subheading("Modes: exact structure and hybrid test");
    page.table({"mode", "exact [Hz]", "damping [%]", "test [Hz]", "damping [%]", "period elongation [%]"},
               rows);
  }
  if (!analysis.decays.empty()) {
    std::string constants;
    for (const double decay : analysis.decays)
      constants += (constants.empty() ? "" : ", ") + readable(decay, "s");
    page.paragraph("Over-damped motion does not vibrate; its time constants: " + constants + ".");
  }
  add(page, amplitude_panels(analysis.stability));
  add(page, eigenvalue_panels(analysis));
}

void response_section(Page& page, const Run& run) {
  const std::vector<Panel> panels = response_panels(run);
  std::vector<std::vector<std::string>> rows;
  for (const Table& table : run.tables) {
    if (table.name == "reference") continue;
    for (const Trace& channel : table.channels) {
      if (!has_motion(channel.values)) continue;
      if (channel.name == "realtime.missed") {
        // The largest number of one period says nothing: all of them together.
        double all = 0;
        for (const double missed : channel.values) all += std::isfinite(missed) ? missed : 0;
        rows.push_back(
            {"realtime.missed", fixed(summary_of(run, channel.name).value_or(all), 0) + " in all"});
        continue;
      }
      rows.push_back({channel.name, typeset(readable(peak(channel.values), channel.unit))});
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
                    fixed(index.amplitude, 4), readable(index.delay, "s"), readable(index.frequency, "Hz"),
                    fixed(subspace.slope, 4), brief(subspace.width)});
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
  Page page(title, "Test report" + (run.created.empty() ? "" : " · recorded " + run.created) + " · Gusset " +
                       run.version);
  // Of a run first how it went.
  if (const RunVerdict own = verdict_of(run, extras); !own.text.empty()) page.verdict(own.verdict, own.text);
  if (extras.analysis) {
    const Analysis& analysis = *extras.analysis;
    const std::string radius = "spectral radius " + fixed(analysis.spectral_radius, 6);
    page.verdict(analysis.stable ? html::Verdict::good : html::Verdict::bad,
                 analysis.stability.affine ? (analysis.stable ? "Stable: " : "Unstable: ") + radius
                                           : analysis.stability.sentence);
  }
  experiment_section(page, run);
  loop_section(page, extras);
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
  sections::timing(page, run);
  sections::limits(page, run, extras);
  sections::environment(page, run);
  hashes_section(page, run, extras);
  return page.finish();
}

}  // namespace gusset

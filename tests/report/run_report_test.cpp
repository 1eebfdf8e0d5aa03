#include "report/run_report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/quantity_text.hpp"
#include "report/html_page.hpp"
#include "report/run_panels.hpp"

namespace gusset {
namespace {

/// A second of a 1 Hz motion: the measured one late by `delay` seconds and `gain` times as large, the
/// force that of a dashpot.
Run sine(double delay, double gain = 1) {
  Run run;
  run.title = "A <sine> & more";
  run.version = "0";
  Table table{"structure", 0, 0.01, {}};
  std::vector<double> target, measured, force;
  for (int i = 0; i < 500; ++i) {
    const double t = 0.01 * i, w = 2 * std::numbers::pi;
    target.push_back(0.02 * std::sin(w * t));
    measured.push_back(0.02 * gain * std::sin(w * (t - delay)));
    force.push_back(1000 * 0.02 * gain * w * std::cos(w * (t - delay)));
  }
  table.channels = {{"storey1.displacement", "m", target},
                    {"damper.target", "m", target, Control::displacement},
                    {"damper.command", "m", target, Control::displacement},
                    {"damper.measured", "m", measured},
                    {"damper.force", "N", force}};
  run.tables = {table};
  return run;
}

std::vector<std::string> sections(const std::string& page) {
  std::vector<std::string> names;
  const std::string mark = "<section id=\"";
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
    const std::size_t from = at + mark.size();
    names.push_back(page.substr(from, page.find('"', from) - from));
  }
  return names;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::string section_of(const std::string& page, const std::string& id) {
  const std::size_t at = page.find("id=\"" + id + "\"");
  return at == std::string::npos ? "" : page.substr(at, page.find("</section>", at) - at);
}

TEST(RunReport, HoldsOnlySectionsWithData) {
  EXPECT_EQ(
      sections(run_report(sine(0.01), {})),
      (std::vector<std::string>{"experiment", "response", "hysteresis", "tracking", "energy", "hashes"}));
  EXPECT_EQ(sections(run_report({}, {})), (std::vector<std::string>{"experiment", "hashes"}));
  gusset::Run resting = sine(0);
  for (Trace& channel : resting.tables[0].channels) {
    std::fill(channel.values.begin(), channel.values.end(), 0.0);
  }
  const std::string page = run_report(resting, {});
  EXPECT_EQ(page.find("no data"), std::string::npos);
  EXPECT_EQ(page.find("id=\"tracking\""), std::string::npos);
}

TEST(RunReport, ShowsEventsTimingAndTexts) {
  gusset::Run run = sine(0.01);
  run.events = {{0.5, "information", "supervisor", "armed"},
                {1.25, "interlock", "limit", "force <too> large"}};
  run.histograms = {{"wake-up", "s", {0, 1e-6, 2e-6, 4e-6}, {3, 90, 7}, 2, 9e-6}};
  run.texts = {{"readiness", "kernel: not real-time"}, {"empty", ""}};
  const std::string page = run_report(run, {});
  const std::vector<std::string> found = sections(page);
  for (const char* section : {"timing", "limits", "environment"}) {
    EXPECT_NE(std::find(found.begin(), found.end(), section), found.end()) << section;
  }
  EXPECT_NE(page.find("interlock at 1.250 s: force &lt;too&gt; large"), std::string::npos);
  EXPECT_NE(page.find("kernel: not real-time"), std::string::npos);
  EXPECT_NE(page.find("9 µs"), std::string::npos);    // the largest
  EXPECT_NE(page.find(">2 µs<"), std::string::npos);  // the median lies in the second bin
}

std::string verdicts(const std::string& page) { return page.substr(0, page.find("</header>")); }

TEST(RunReport, SpeaksOfTheRunBeforeItsStability) {
  gusset::Run run = sine(0.01);
  ReportExtras extras;
  extras.planned = 5;
  extras.analysis = Analysis{};
  Limits limits;
  limits.displacement = 0.025;
  extras.limits = {{"damper", limits}};
  run.summary = {{"realtime.missed", 0}, {"realtime.late_answers", 0}};
  const std::string good = verdicts(run_report(run, extras));
  EXPECT_NE(
      good.find(
          "verdict good\">✓ Completed: 5 s; no deadline missed; no limit passed; damper off its target by"),
      std::string::npos)
      << good;
  EXPECT_LT(good.find("Completed"), good.find("pectral radius"));

  // Twelve deadlines within a stall, one alone: no green bar, and what was worst.
  run.summary = {{"realtime.missed", 26}, {"realtime.late_answers", 2}};
  run.events.clear();
  for (int i = 0; i < 12; ++i) {
    char text[60];
    std::snprintf(text, sizeof text, "deadline missed by %.4g s", 0.01276 - 0.001 * i);
    run.events.push_back({1 + 0.001 * i, "indicate", "loop", text});
  }
  run.events.push_back({3, "indicate", "loop", "deadline missed by 0.0021 s"});
  const std::string page = run_report(run, extras);
  EXPECT_NE(
      verdicts(page).find(
          "verdict caution\">! Completed: 5 s; 26 deadlines missed (by 12.76 ms at most), 2 answers late"),
      std::string::npos)
      << verdicts(page);
  EXPECT_NE(page.find("12 deadlines missed until 1.0110 s, by 12.76 ms at most"), std::string::npos);
  EXPECT_NE(page.find("deadline missed by 2.1 ms"), std::string::npos);
  EXPECT_EQ(count(page, "deadline missed by"), 1U);

  // Cut short, ended by a limit, or beyond one.
  extras.planned = 31;
  EXPECT_NE(verdicts(run_report(run, extras)).find("verdict bad\">✗ Not completed: 5 s of 31 s"),
            std::string::npos);
  run.events.push_back({4.9, "ramp-down", "supervisor", "velocity: a velocity passed its limit (0.72 m/s)"});
  EXPECT_NE(verdicts(run_report(run, extras)).find("✗ ramp-down at 4.900 s: velocity"), std::string::npos);
  extras.planned = 5;
  run.events.clear();
  extras.limits[0].second.displacement = 0.01;
  EXPECT_NE(verdicts(run_report(run, extras)).find("1 limit of 1 passed"), std::string::npos);
}

TEST(RunReport, MissedDeadlinesAreCountedNotPeaked) {
  gusset::Run run = sine(0.01);
  std::vector<double> missed(500, 0.0);
  missed[100] = 12;
  missed[300] = 1;
  run.tables.push_back({"realtime", 0, 0.01, {{"realtime.missed", "-", missed}}});
  const std::string peaks = section_of(run_report(run, {}), "response");
  EXPECT_NE(peaks.find("13 in all"), std::string::npos);
  EXPECT_EQ(peaks.find(">12 -<"), std::string::npos);
}

TEST(RunReport, NeedsNothingElse) {
  const std::string page = run_report(sine(0.01), {});
  // The name of the SVG name space is the only address, and no browser asks for it.
  EXPECT_EQ(count(page, "http"), count(page, "xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
  EXPECT_NE(page.find("<title>A &lt;sine&gt; &amp; more</title>"), std::string::npos);
  EXPECT_EQ(count(page, "<style>"), 2U);  // the page's and, once, the plots'
  EXPECT_EQ(count(page, "<figure>"), count(page, "</svg>\n\n") + count(page, "</svg>\n<figcaption"));
}

TEST(RunReport, TrackingTableShowsTheDelay) {
  const std::string page = run_report(sine(0.02), {});
  EXPECT_NE(page.find(">20 ms<"), std::string::npos);  // of the frequency evaluation index
}

TEST(RunReport, LimitsAreComparedWithWhatWasReached) {
  ReportExtras extras;
  Limits limits;
  limits.displacement = 0.025;
  limits.force = 100;  // reached: 1000·0.02·2π = 125.7 N
  Limits others;
  others.displacement = 0.001;  // of a channel that this run has not
  extras.limits = {{"damper", limits}, {"table", others}};
  const std::string page = run_report(sine(0), extras);
  const std::size_t at = page.find("id=\"limits\"");
  ASSERT_NE(at, std::string::npos);
  const std::string section = page.substr(at, page.find("</section>", at) - at);
  EXPECT_EQ(count(section, ">✓<"), 1U);
  EXPECT_EQ(count(section, ">✗<"), 1U);
  EXPECT_NE(section.find("125.7 N"), std::string::npos);
  EXPECT_NE(section.find("20 %"), std::string::npos);  // margin of the displacement
}

TEST(RunReport, ALimitThatEndedTheTestIsNotSaidToBeKept) {
  // The sample beyond the limit ends a test before it is recorded: the channels show 20 mm of 25.
  ReportExtras extras;
  Limits limits;
  limits.displacement = 0.025;
  limits.force = 200;
  extras.limits = {{"damper", limits}};
  for (const Event& event :
       {Event{4.99, "interlock", "simulate", "damper.target reached 26 mm, beyond the limit of 25 mm"},
        Event{4.99, "ramp-down", "supervisor", "stroke: a displacement passed its limit (0.026 m)"}}) {
    gusset::Run run = sine(0);
    run.events = {event};
    const std::string section = section_of(run_report(run, extras), "limits");
    EXPECT_EQ(count(section, ">✗<"), 1U) << section;
    EXPECT_EQ(count(section, ">✓<"), 1U) << section;
    EXPECT_NE(section.find(">passed<"), std::string::npos) << section;
  }
}

TEST(RunReport, AForceIsNotComparedWithALimitOfDisplacement) {
  gusset::Run run = sine(0);
  for (Trace& channel : run.tables[0].channels) {
    if (channel.name != "damper.target" && channel.name != "damper.command") continue;
    channel.unit = "N";
    channel.control = Control::force;
  }
  run.tables[0].channels[1].values.assign(500, 9.0);  // 9 N, not 9 m
  ReportExtras extras;
  Limits limits;
  limits.displacement = 0.025;
  extras.limits = {{"damper", limits}};
  EXPECT_EQ(count(section_of(run_report(run, extras), "limits"), ">✗<"), 0U);
}

TEST(RunReport, AVelocityThatWasNotRecordedIsTheRateOfTheCommand) {
  ReportExtras extras;
  Limits limits;
  limits.velocity = 0.2;
  extras.limits = {{"damper", limits}};
  const std::string section = section_of(run_report(sine(0), extras), "limits");
  EXPECT_NE(section.find("125.6 mm/s"), std::string::npos) << section;  // 0.02·2π, in steps of 10 ms
}

TEST(RunReport, ReadinessAndArmingAreTables) {
  gusset::Run run = sine(0);
  run.texts = {
      {"readiness", R"({"fit":true,"checks":[{"name":"kernel","ok":false,"required":false,"found":"<old>",
      "consequence":"late","fix":"a newer one"},{"name":"timers","ok":true,"required":true,"found":"1 ns",
      "consequence":"never seen","fix":""}]})"},
      {"arming",
       R"({"granted":false,"items":[{"name":"stability","ok":false,"refuses":true,"detail":"1.2"}]})"},
      {"environment", R"({"host":"bench","cores":2})"},
      {"broken", "{\"checks\": 3}"}};
  const std::string section = section_of(run_report(run, {}), "environment");
  EXPECT_EQ(count(section, ">note<"), 1U);
  EXPECT_EQ(count(section, ">✓<"), 1U);
  EXPECT_EQ(count(section, ">✗<"), 1U);
  EXPECT_NE(section.find("&lt;old&gt;"), std::string::npos);
  EXPECT_EQ(section.find("never seen"), std::string::npos);  // of a check that is well
  EXPECT_NE(section.find(">bench<"), std::string::npos);
  EXPECT_EQ(count(section, "<pre>"), 1U);  // only what is of no known form
}

TEST(RunPanels, HistogramsAreDrawnInEighthsOfAnOctave) {
  gusset::Run run;
  RunHistogram histogram{"wake_up", "s", {0}, {}, 0, 1.6e-6};
  for (int i = 1; i <= 1600; ++i) {
    histogram.edges.push_back(1e-9 * i);
    histogram.counts.push_back(1);
  }
  run.histograms = {histogram};
  const plot::Figure figure = timing_panels(run).at(0).figures.at(0);
  EXPECT_EQ(figure.title, "wake up");
  const plot::Series& bars = figure.series[0];
  double sum = 0;
  for (std::size_t i = 1; i + 1 < bars.x.size(); i += 2) sum += bars.y[i];
  EXPECT_DOUBLE_EQ(sum, 1600);  // none lost
  EXPECT_LT(bars.x.size(), 400U);
  EXPECT_GT(bars.x.front(), 0);
}

TEST(RunPanels, EnergyIsTheWorkOfTheForce) {
  // A dashpot takes up π·c·ω·A² a cycle: 1000·π·2π·0.02² = 7.896 J, five cycles nearly.
  const std::vector<Panel> panels = energy_panels(sine(0));
  ASSERT_EQ(panels.size(), 1U);
  const plot::Series& taken = panels[0].figures[0].series[0];
  EXPECT_NEAR(taken.y[100], 7.896, 0.01);
  EXPECT_NEAR(taken.y[400], 4 * 7.896, 0.04);
  // Perfect tracking adds nothing, and then has no panel.
  EXPECT_EQ(panels[0].figures.size(), 1U);
  // 20 ms late: the force works along the measured motion as before, along the target by cos(ω·τ) of it.
  const std::vector<Panel> late = energy_panels(sine(0.02));
  ASSERT_EQ(late[0].figures.size(), 2U);
  EXPECT_NEAR(late[0].figures[1].series[0].y[100], 7.896 * (1 - std::cos(2 * std::numbers::pi * 0.02)), 0.01);
}

TEST(RunPanels, CommandIsDrawnOnlyWhereItDiffersFromTheTarget) {
  gusset::Run run = sine(0.01);
  EXPECT_EQ(tracking_panels(run_channels(run)[0])[0].figures[0].series.size(), 2U);
  for (double& value : run.tables[0].channels[2].values) value *= 1.1;
  EXPECT_EQ(tracking_panels(run_channels(run)[0])[0].figures[0].series.size(), 3U);
}

TEST(HtmlPage, EscapesEverythingAndKeepsLines) {
  html::Page page("<t>", "a & b");
  page.section("one", "<h>");
  page.listing("file", "a < b\r\n  c & d\n");
  page.table({"<x>"}, {{"<y>"}});
  page.facts({{"<k>", "<v>"}});
  const std::string text = page.finish();
  for (const char* raw : {"<t>", "<h>", "<x>", "<y>", "<k>", "<v>"}) {
    EXPECT_EQ(text.find(raw), std::string::npos) << raw;
  }
  EXPECT_NE(text.find("a &lt; b\n  c &amp; d\n"), std::string::npos);
}

TEST(QuantityText, ChoosesAPrefix) {
  EXPECT_EQ(readable(0.0123, "m"), "12.3 mm");
  EXPECT_EQ(readable(1.5, "m"), "1.5 m");
  EXPECT_EQ(readable(2.5e-5, "s"), "25 µs");
  EXPECT_EQ(readable(0.004, "s"), "4 ms");
  EXPECT_EQ(readable(12345, "N"), "12.35 kN");
  EXPECT_EQ(readable(3, ""), "3");
  EXPECT_EQ(readable(1e-3, "m^3/s"), "60 l/min");
}

}  // namespace
}  // namespace gusset

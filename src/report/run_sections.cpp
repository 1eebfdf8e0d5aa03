#include "report/run_sections.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/indicators.hpp"
#include "base/quantity_text.hpp"
#include "report/run_verdict.hpp"

namespace gusset::sections {
namespace {

using html::Page;
using Json = nlohmann::ordered_json;

struct Reached {
  double value = -1;
  std::string channel;

  void include(double candidate, const std::string& name) {
    if (candidate > value) *this = {candidate, name};
  }
};

using Names = std::vector<std::string>;

bool among(const Names& channels, const RunChannel& channel) {
  return std::find(channels.begin(), channels.end(), channel.name) != channels.end();
}

/// The largest magnitude of that unit among some of the rig's channels, and whose it is.
Reached reached(const Run& run, const Names& channels, const std::string& unit, const Names& endings) {
  Reached result;
  for (const RunChannel& channel : run_channels(run)) {
    if (!among(channels, channel)) continue;
    for (const std::string& ending : endings) {
      for (const Trace& candidate : channel.table->channels) {
        if (candidate.name != channel.name + ending || candidate.unit != unit) continue;
        result.include(peak(candidate.values), candidate.name);
      }
    }
  }
  return result;
}

/// The same for velocities: where none was recorded, how fast the commanded displacement changed.
Reached reached_velocity(const Run& run, const Names& channels) {
  Reached result = reached(run, channels, "m/s", {".velocity", ".measured_velocity"});
  for (const RunChannel& channel : run_channels(run)) {
    if (!among(channels, channel) || channel.command == nullptr ||
        channel.command->control != Control::displacement || !(channel.table->step > 0))
      continue;
    const std::vector<double>& x = channel.command->values;
    double fastest = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
      const double velocity = std::abs(x[i] - x[i - 1]) / channel.table->step;
      if (std::isfinite(velocity)) fastest = std::max(fastest, velocity);
    }
    result.include(fastest, channel.command->name + ", its rate");
  }
  return result;
}

/// Whether an event says that this limit was passed. The sample that passed it ends a test before it
/// is recorded, so the channels alone would show a margin.
bool was_passed(const Run& run, const std::string& cause, const std::string& allowed) {
  return std::any_of(run.events.begin(), run.events.end(), [&](const Event& event) {
    return is_bad(event) &&
           (event.text.starts_with(cause + ":") || event.text.ends_with("beyond the limit of " + allowed));
  });
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

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return brief(value.get<double>());
  return value.dump();
}

std::string text_of(const Json& object, const char* key) {
  return object.contains(key) ? text_of(object.at(key)) : "";
}

/// A list of checks as a table; false if it is something else. `grave` names the key that says
/// whether a check that failed matters.
bool checks(Page& page, const Json& list, const char* grave, const std::vector<const char*>& keys) {
  if (!list.is_array()) return false;
  std::vector<std::vector<std::string>> rows;
  for (const Json& one : list) {
    if (!one.is_object() || !one.contains("ok") || !one.at("ok").is_boolean()) return false;
    const bool ok = one.at("ok").get<bool>(), matters = text_of(one, grave) == "yes";
    rows.push_back({ok ? "✓" : matters ? "✗" : "note"});
    for (const char* key : keys) {
      // Of a check that is well, what would follow and how to mend it are beside the point.
      const bool advice = std::string_view(key) == "consequence" || std::string_view(key) == "fix";
      rows.back().push_back(ok && advice ? "" : text_of(one, key));
    }
  }
  std::vector<std::string> header{""};
  header.insert(header.end(), keys.begin(), keys.end());
  page.table(header, rows, header.size());
  return true;
}

bool show(Page& page, const Json& json) {
  if (!json.is_object()) return false;
  if (json.contains("checks")) {
    return checks(page, json.at("checks"), "required", {"name", "found", "consequence", "fix"});
  }
  if (json.contains("items")) return checks(page, json.at("items"), "refuses", {"name", "detail"});
  std::vector<std::pair<std::string, std::string>> facts;
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured()) return false;
    std::string name = key;
    std::replace(name.begin(), name.end(), '_', ' ');
    facts.emplace_back(name, text_of(value));
  }
  page.facts(facts);
  return true;
}

}  // namespace

void add(Page& page, const std::vector<Panel>& panels) {
  if (panels.empty()) return;
  page.begin_figures();
  for (const Panel& panel : panels) page.figure(plot::svg(panel.figures), panel.caption);
  page.end_figures();
}

std::string fixed(double value, int decimals) {
  char text[48];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

/// What is nothing but rounding is said to be so.
std::string percent(double share) {
  return share != 0 && std::abs(share) < 1e-8 ? "below 1e-6 %" : brief(100 * share) + " %";
}

bool is_bad(const Event& event) {
  return event.severity == "hold" || event.severity == "ramp-down" || event.severity == "interlock";
}

namespace {

std::vector<std::vector<std::string>> limit_rows(const Run& run, const ReportExtras& extras) {
  std::vector<std::vector<std::string>> rows;
  const auto row = [&](const char* name, const char* cause, double limit, const char* unit,
                       const Reached& found) {
    const std::string allowed = readable(limit, unit);
    const bool passed = was_passed(run, cause, allowed);
    if (found.channel.empty()) {
      rows.push_back({passed ? "✗" : "", name, "", typeset(allowed), passed ? "passed" : "not recorded", ""});
      return;
    }
    rows.push_back({found.value <= limit && !passed ? "✓" : "✗", name, found.channel, typeset(allowed),
                    typeset(readable(found.value, unit)),
                    passed ? "passed" : percent(1 - found.value / limit)});
  };
  // Channels that share a limit share a line.
  const auto list = [&](const char* name, const char* cause, std::optional<double> Limits::*which,
                        const char* unit, const std::function<Reached(const Names&)>& find) {
    std::map<double, Names> sharing;
    for (const auto& [channel, own] : extras.limits) {
      if (own.*which) sharing[*(own.*which)].push_back(channel);
    }
    for (const auto& [limit, channels] : sharing) row(name, cause, limit, unit, find(channels));
  };
  const auto among_signals = [&](const char* unit, Names endings) {
    return [&run, unit, endings = std::move(endings)](const Names& channels) {
      return reached(run, channels, unit, endings);
    };
  };
  list("displacement", "stroke", &Limits::displacement, "m",
       among_signals("m", {".target", ".command", ".measured", ".displacement"}));
  list("velocity", "velocity", &Limits::velocity, "m/s",
       [&](const Names& channels) { return reached_velocity(run, channels); });
  list("acceleration", "acceleration", &Limits::acceleration, "m/s^2",
       among_signals("m/s^2", {".target", ".command", ".acceleration", ".measured_acceleration"}));
  list("force", "force", &Limits::force, "N", among_signals("N", {".target", ".command", ".force"}));
  return rows;
}

}  // namespace

LimitCount count_limits(const Run& run, const ReportExtras& extras) {
  LimitCount count;
  for (const std::vector<std::string>& row : limit_rows(run, extras)) {
    count.all += row.front().empty() ? 0 : 1;
    count.passed += row.front() == "✗" ? 1 : 0;
  }
  return count;
}

void limits(Page& page, const Run& run, const ReportExtras& extras) {
  const std::vector<std::vector<std::string>> rows = limit_rows(run, extras);
  if (rows.empty() && run.events.empty()) return;
  page.section("limits", "Limits and events");
  page.table({"", "limit", "nearest channel", "allowed", "recorded", "margin"}, rows, 3);
  std::vector<std::vector<std::string>> events;
  for (const Event& event : fold_misses(run.events)) {
    events.push_back({fixed(event.time, 4), (is_bad(event) ? "✗ " : "") + event.severity, event.source,
                      typeset(event.text)});
  }
  page.table({"time [s]", "severity", "source", "event"}, events, 4);
}

void timing(Page& page, const Run& run) {
  const std::vector<Panel> panels = timing_panels(run);
  if (panels.empty()) return;
  page.section("timing", "Timing");
  std::vector<std::vector<std::string>> rows;
  for (const RunHistogram& histogram : run.histograms) {
    double all = histogram.overflow;
    for (const double count : histogram.counts) all += count;
    if (!(all > 0)) continue;
    const auto at = [&](double share) { return readable(quantile(histogram, share), histogram.unit); };
    std::string name = histogram.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    rows.push_back({name, fixed(all, 0), at(0.5), at(0.99), at(0.999),
                    readable(histogram.maximum, histogram.unit), fixed(histogram.overflow, 0)});
  }
  page.table({"stage", "count", "median ≤", "99 % ≤", "99.9 % ≤", "largest", "beyond the bins"}, rows);
  add(page, panels);
}

void environment(Page& page, const Run& run) {
  const bool any = std::any_of(run.texts.begin(), run.texts.end(),
                               [](const auto& named) { return !named.second.empty(); });
  if (!any) return;
  page.section("environment", "Environment and readiness");
  for (const auto& [name, text] : run.texts) {
    if (text.empty()) continue;
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_object()) page.subheading(name == "run" ? "how it was run" : name);
    if (!show(page, json)) page.listing(name, text);
  }
}

}  // namespace gusset::sections

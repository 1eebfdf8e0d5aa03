#include "report/run_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "analysis/indicators.hpp"
#include "base/quantity_text.hpp"
#include "report/run_panels.hpp"
#include "report/run_sections.hpp"

namespace gusset {
namespace {

constexpr std::string_view missed_by = "deadline missed by ";

bool is_miss(const Event& event) { return event.text.starts_with(missed_by); }

/// By how many seconds.
double lateness(const Event& event) { return std::strtod(event.text.c_str() + missed_by.size(), nullptr); }

std::string counted_text(double count, const char* one, const char* several) {
  return sections::fixed(count, 0) + " " + (count == 1 ? one : several);
}

/// How long the test was recorded [s]; 0: not at all.
double recorded_seconds(const Run& run) {
  for (const Table& table : run.tables) {
    if (table.name == "structure" || table.name == "rig") {
      return static_cast<double>(table.rows()) * table.step;
    }
  }
  return 0;
}

/// Whether it came to the end that the experiment has; of an experiment that cannot be read any more nobody
/// knows.
bool came_to_its_end(const Run& run, const ReportExtras& extras) {
  if (!extras.planned) return true;
  double step = 0;
  for (const Table& table : run.tables) step = std::max(step, table.step);
  return recorded_seconds(run) >= *extras.planned - 2 * step;
}

/// The worst of the channels' tracking, and whose it is.
std::string tracking_text(const Run& run) {
  double worst = -1;
  std::string name;
  for (const RunChannel& channel : run_channels(run)) {
    if (channel.target == nullptr || channel.followed() == nullptr || !has_motion(channel.target->values))
      continue;
    const double error = normalized_rms_error(channel.target->values, channel.followed()->values);
    if (!(error > worst)) continue;
    worst = error;
    name = channel.name;
  }
  return name.empty() ? "" : name + " off its target by " + sections::percent(worst) + " (NRMSE)";
}

}  // namespace

std::optional<double> summary_of(const Run& run, const std::string& name) {
  for (const auto& [own, value] : run.summary) {
    if (own == name) return value;
  }
  return std::nullopt;
}

std::vector<Event> fold_misses(const std::vector<Event>& events) {
  constexpr double burst = 0.1;  // [s]
  std::vector<Event> folded;
  for (std::size_t i = 0; i < events.size();) {
    std::size_t last = i;
    double worst = is_miss(events[i]) ? lateness(events[i]) : 0;
    while (is_miss(events[i]) && last + 1 < events.size() && is_miss(events[last + 1]) &&
           events[last + 1].time - events[last].time <= burst) {
      worst = std::max(worst, lateness(events[++last]));
    }
    Event event = events[i];
    if (is_miss(event)) {
      event.text = std::string(missed_by) + readable(worst, "s");
      if (last > i) {
        event.text = counted_text(static_cast<double>(last - i + 1), "deadline", "deadlines") +
                     " missed until " + sections::fixed(events[last].time, 4) + " s, by " +
                     readable(worst, "s") + " at most";
      }
    }
    folded.push_back(std::move(event));
    i = last + 1;
  }
  return folded;
}

RunVerdict verdict_of(const Run& run, const ReportExtras& extras) {
  const double seconds = recorded_seconds(run);
  if (!(seconds > 0) && run.events.empty()) return {};
  RunVerdict verdict;
  const auto ended = std::find_if(run.events.begin(), run.events.end(), sections::is_bad);
  if (ended != run.events.end()) {
    verdict.verdict = html::Verdict::bad;
    verdict.text = ended->severity + " at " + sections::fixed(ended->time, 3) + " s: " + ended->text;
  } else if (!came_to_its_end(run, extras)) {
    verdict.verdict = html::Verdict::bad;
    verdict.text = "Not completed: " + readable(seconds, "s") + " of " + readable(*extras.planned, "s");
  } else {
    // The record has the instant at which the test ended, too.
    verdict.text = extras.planned ? "Completed: " + readable(std::min(seconds, *extras.planned), "s")
                                  : "Recorded: " + readable(seconds, "s");
  }
  const auto caution = [&] {
    if (verdict.verdict == html::Verdict::good) verdict.verdict = html::Verdict::caution;
  };
  if (const std::optional<double> missed = summary_of(run, "realtime.missed")) {
    double worst = 0;
    for (const Event& event : run.events) worst = std::max(worst, is_miss(event) ? lateness(event) : 0);
    verdict.text +=
        "; " + (*missed > 0 ? counted_text(*missed, "deadline", "deadlines") : "no deadline") + " missed";
    if (worst > 0) verdict.text += " (by " + readable(worst, "s") + " at most)";
    const double late = summary_of(run, "realtime.late_answers").value_or(0);
    if (late > 0) verdict.text += ", " + counted_text(late, "answer", "answers") + " late";
    if (*missed > 0 || late > 0) caution();
  }
  const sections::LimitCount limits = sections::count_limits(run, extras);
  if (limits.passed > 0) {
    verdict.verdict = html::Verdict::bad;
    verdict.text += "; " + counted_text(limits.passed, "limit", "limits") + " of " +
                    std::to_string(limits.all) + " passed";
  } else if (limits.all > 0) {
    verdict.text += "; no limit passed";
  }
  if (const std::string tracking = tracking_text(run); !tracking.empty()) verdict.text += "; " + tracking;
  return verdict;
}

}  // namespace gusset

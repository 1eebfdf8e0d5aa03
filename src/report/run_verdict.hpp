#pragma once

#include <string>
#include <vector>

#include "report/html_page.hpp"
#include "report/run_report.hpp"

namespace gusset {

/// What there is to say of a run before anything else: did it come to its end, or what ended it; deadlines;
/// limits; tracking.
struct RunVerdict {
  html::Verdict verdict = html::Verdict::good;
  std::string text;  ///< empty: the run says nothing of itself
};
RunVerdict verdict_of(const Run& run, const ReportExtras& extras);

/// Events as a report lists them: deadlines missed within a tenth of a second of each other are one line.
std::vector<Event> fold_misses(const std::vector<Event>& events);

/// A number of the summary; nothing: it has none of that name.
std::optional<double> summary_of(const Run& run, const std::string& name);

}  // namespace gusset

#pragma once

#include <string>
#include <vector>

#include "report/html_page.hpp"
#include "report/run_panels.hpp"
#include "report/run_report.hpp"

/// Sections of a run's report about how it went: limits and events, timing, the machine; and what
/// sections share.
namespace gusset::sections {

void add(html::Page& page, const std::vector<Panel>& panels);
std::string fixed(double value, int decimals);
std::string percent(double share);

/// An event that ended or disturbed the test.
bool is_bad(const Event& event);

/// Limits of the experiment that the run has data for, and how many of them it passed.
struct LimitCount {
  int all = 0, passed = 0;
};
LimitCount count_limits(const Run& run, const ReportExtras& extras);

/// Limits of the experiment beside what was reached, then what happened.
void limits(html::Page& page, const Run& run, const ReportExtras& extras);
void timing(html::Page& page, const Run& run);
/// The texts that came with the run: the machine, its readiness, what arming found. JSON of a form
/// that is known becomes a table, anything else is listed as it is.
void environment(html::Page& page, const Run& run);

}  // namespace gusset::sections

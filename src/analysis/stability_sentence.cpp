// The verdict of a StabilityReport and its sentence.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "analysis/stability.hpp"

namespace gusset {
namespace {

std::string digits_of(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// What is left at rest: "1.2 µm, 0.62 mm/s, ±0.62 kN".
std::string size_in_words(const MotionSize& size) {
  std::string text = in_words(size.motion, "m") + ", " + in_words(size.rate, "m/s");
  if (size.force > 0) text += ", ±" + in_words(size.force, "N");
  return text;
}

/// The limit cycle that ρ(A) has nearest to an amplitude; null if none.
const AmplitudeEdge* predicted_cycle(const AmplitudeCurve& curve) {
  const AmplitudeEdge* found = nullptr;
  for (const AmplitudeEdge& edge : curve.edges) {
    if (!edge.runs_away_above) found = &edge;
  }
  return found;
}

/// Twins that stop at the size of the oscillation that is left at rest differ in its phase: they are twice its
/// amplitude apart, and up to twice that while the record moves them.
bool only_chatter(const StabilityReport& report) {
  constexpr double apart = 4;
  return report.tail.kind == QuietTail::Kind::flat &&
         report.twins.distances.back() <= apart * report.tail.share;
}

StabilityVerdict verdict_of(const StabilityReport& report, const BaseRehearsal& base,
                            const StabilityOptions& options) {
  using enum StabilityVerdict;
  const bool at_rest = report.at_rest.problem.empty() ? report.at_rest.spectrum.stable : true;
  if (report.affine || !report.rehearsed) return at_rest ? stable : unstable;
  if (base.ran_away_at) return runs_away;
  if (report.twins.part() && !only_chatter(report)) return parts;
  if (report.tail.kind == QuietTail::Kind::grows) return grows;
  if (report.tail.kind != QuietTail::Kind::flat) return stable;
  return report.tail.share >= options.limit_cycle ? limit_cycle : chatters;
}

std::string sentence_of(const StabilityReport& report, const BaseRehearsal& base) {
  const MotionSize& left = report.tail.amplitude;
  switch (report.verdict) {
    case StabilityVerdict::stable:
      return report.affine || report.rehearsed ? "stable" : "stable at rest; nothing moves in this test";
    case StabilityVerdict::chatters:
      return "stable at this test's amplitude; chatter of " + size_in_words(left) + " when at rest";
    case StabilityVerdict::unstable: {
      if (report.affine) return "UNSTABLE";
      std::string text = "UNSTABLE at rest";
      if (const AmplitudeEdge* cycle = predicted_cycle(report.amplitude)) {
        text += ", limit cycle of " + in_words(cycle->amplitude, "m") + " predicted";
      }
      return text + "; nothing moves in this test";
    }
    case StabilityVerdict::limit_cycle:
      return (report.at_rest.spectrum.stable ? "UNSTABLE at this test's amplitude"
                                             : "UNSTABLE at small amplitude") +
             (": limit cycle of " + size_in_words(left));
    case StabilityVerdict::grows:
      return "UNSTABLE: after the record motion grows, " +
             (std::isfinite(report.tail.log_ratio) ? digits_of("%.3g times", std::exp(report.tail.log_ratio))
                                                   : std::string("without bound")) +
             " in " + digits_of("%.0f", 0.5 * report.tail.periods) + " periods";
    case StabilityVerdict::parts:
      return "UNSTABLE: two rehearsals a finger apart part " + digits_of("%.3g times", report.twins.growth) +
             digits_of(", %.2g per second", report.twins.rate);
    case StabilityVerdict::runs_away:
      return "UNSTABLE: runs away, beyond " + in_words(base.bound, "m") + " after " +
             digits_of("%.3g s", *base.ran_away_at);
  }
  return {};
}

}  // namespace

const char* name_of(StabilityVerdict verdict) {
  constexpr const char* names[] = {"stable", "chatters", "unstable", "limit cycle",
                                   "grows",  "parts",    "runs away"};
  return names[static_cast<int>(verdict)];
}

std::string in_words(double value, const char* unit) {
  struct Prefix {
    double factor;
    const char* name;
  };
  constexpr Prefix prefixes[] = {{1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}};
  if (value == 0 || !std::isfinite(value)) return digits_of("%g ", value) + unit;
  const Prefix* prefix = prefixes;
  // A third of a unit is still told in it: 0.62 mm/s.
  while (prefix < prefixes + 5 && std::abs(value) < 0.3 * prefix->factor) ++prefix;
  return digits_of("%.3g ", value / prefix->factor) + prefix->name + unit;
}

void decide(StabilityReport& report, const BaseRehearsal& base, const StabilityOptions& options) {
  report.verdict = verdict_of(report, base, options);
  report.sentence = sentence_of(report, base);
  if (!report.rehearsed || base.ran_away_at) return;
  for (const AmplitudeEdge& edge : report.amplitude.edges) {
    if (!edge.runs_away_above || edge.share < 1 || !report.stable()) continue;
    report.warnings.push_back("by describing functions the loop runs away above " +
                              in_words(edge.amplitude, "m") + " at " + report.amplitude.device + ", " +
                              digits_of("%.2g times", edge.share) + " this test's amplitude");
  }
}

}  // namespace gusset

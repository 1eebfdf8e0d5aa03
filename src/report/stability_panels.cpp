#include "report/stability_panels.hpp"

#include <algorithm>
#include <cstdio>

#include "base/quantity_text.hpp"
#include "report/panel_drawing.hpp"

namespace gusset {
namespace {

std::string share_text(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
  return text;
}

}  // namespace

std::vector<Panel> amplitude_panels(const StabilityReport& stability) {
  if (stability.amplitude.points.size() < 2) return {};
  plot::Figure figure =
      panel::figure("Spectral radius against amplitude",
                    "amplitude of " + stability.amplitude.device + " [mm]", "spectral radius");
  figure.x.logarithmic = true;
  plot::Series curve{"by describing functions", {}, {}, false, false};
  double largest = 0;
  for (const AmplitudePoint& point : stability.amplitude.points) {
    curve.x.push_back(1e3 * point.amplitude);
    curve.y.push_back(point.radius);
    largest = std::max(largest, point.radius);
  }
  constexpr double steep = 1.5;  // from here on a linear axis hides what happens at 1
  figure.y.logarithmic = largest > steep;
  figure.series = {curve, {"1", {curve.x.front(), curve.x.back()}, {1, 1}, true, false}};
  plot::Series edges{"limit cycles and edges of run-away", {}, {}, false, true};
  for (const AmplitudeEdge& edge : stability.amplitude.edges) {
    edges.x.push_back(1e3 * edge.amplitude);
    edges.y.push_back(1);
  }
  if (!edges.x.empty()) figure.series.push_back(edges);
  return {{{figure}, "above 1 motion of this amplitude grows, below 1 it decays"}};
}

std::vector<std::pair<std::string, std::string>> stability_facts(const StabilityReport& stability) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (stability.affine) return facts;
  for (const AmplitudeEdge& edge : stability.amplitude.edges) {
    facts.emplace_back(edge.runs_away_above ? "predicted edge of run-away" : "predicted limit cycle",
                       readable(edge.amplitude, "m") + " at " + stability.amplitude.device + ", " +
                           readable(edge.rate, "m/s"));
  }
  if (stability.twins.judged) {
    facts.emplace_back("twins a finger apart", brief(stability.twins.growth) + " times as far at the end");
  }
  if (stability.tail.kind != QuietTail::Kind::none) {
    constexpr const char* kinds[] = {"", "decays", "flat", "grows"};
    facts.emplace_back("after the record", std::string(kinds[static_cast<int>(stability.tail.kind)]) +
                                               " at " + share_text(stability.tail.share) +
                                               " of the test's motion after " +
                                               brief(stability.tail.periods) + " periods");
  }
  return facts;
}

}  // namespace gusset

#include "analysis/stability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/growth.hpp"
#include "analysis/linearize.hpp"
#include "base/error.hpp"

namespace gusset {

int remove_neutral(Eigen::MatrixXd& matrix) {
  const Eigen::Index n = matrix.rows();
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < n; ++i) {
    bool neutral = matrix(i, i) == 1;
    for (Eigen::Index j = 0; j < n && neutral; ++j) {
      neutral = j == i || (matrix(i, j) == 0 && matrix(j, i) == 0);
    }
    if (!neutral) kept.push_back(i);
  }
  if (kept.size() < static_cast<std::size_t>(n)) matrix = matrix(kept, kept).eval();
  return static_cast<int>(n) - static_cast<int>(kept.size());
}

RestStability stability_at_rest(const Experiment& experiment) {
  RestStability rest;
  if (too_large_for_eigenvalues(experiment)) {
    const Growth grown = growth(experiment);
    rest.spectrum.radius = grown.radius;
    rest.spectrum.stable = grown.stable;
    rest.resolution = grown.resolution;
    return rest;
  }
  Linearizer linearizer;
  if (experiment.affine()) {
    rest.spectrum = spectrum(linearizer.matrix(experiment));
    return rest;
  }
  try {
    Eigen::MatrixXd matrix = linearizer.matrix(experiment);
    rest.neutral = remove_neutral(matrix);
    rest.spectrum = spectrum(matrix);
  } catch (const InputError& error) {
    rest.spectrum.radius = std::numeric_limits<double>::quiet_NaN();
    rest.problem = error.cause();
  }
  return rest;
}

StabilityReport judge_stability(const Test& test, const StabilityOptions& options) {
  const Experiment& experiment = *test.experiment;
  StabilityReport report;
  report.affine = experiment.affine() && !options.rehearse_linear;
  report.at_rest = stability_at_rest(experiment);
  BaseRehearsal base;
  if (!report.affine && test.steps > 0) {
    std::optional<DescribedLoop> described;
    if (test.document && !too_large_for_eigenvalues(experiment)) described.emplace(*test.document);
    base = rehearse_base(test, described ? described->displacements() : std::vector<Segment>{});
    report.scale = base.scale;
    report.rehearsed = base.moved() || base.ran_away_at.has_value();
    if (base.ran_away_at) std::fill(base.devices.begin(), base.devices.end(), 0.0);
    if (described) report.amplitude = described->curve(base.devices);
    report.twins = rehearse_twins(test, base);
    report.tail = rehearse_tail(test, base, report.at_rest.spectrum.stable);
  }
  decide(report, base, options);
  return report;
}

}  // namespace gusset

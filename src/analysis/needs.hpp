#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "analysis/runaway.hpp"
#include "build/test.hpp"
#include "supervise/judge.hpp"

namespace gusset {

/// What a test asks of the rig in one quantity, against what there is.
struct Need {
  std::string quantity;
  std::string unit;
  double needed = 0;
  std::optional<double> limit;  ///< the user's, of [limits]; absent: none given
  std::optional<double> rig;    ///< the rig's own; absent: not known
  /// What would be needed if sensors had no noise, rounding and losses; absent: they have none, or it is the same.
  std::optional<double> without_noise = {};

  /// The lower of the two.
  std::optional<double> available() const {
    if (limit && rig) return std::min(*limit, *rig);
    return limit ? limit : rig;
  }
  /// How much more there is, as a share of what is needed.
  std::optional<double> margin() const {
    const std::optional<double> most = available();
    return most && needed > 0 ? std::optional<double>(*most / needed - 1) : std::nullopt;
  }
  bool enough() const { return !available() || needed <= *available(); }
};

struct ChannelReview {
  std::string name;
  double mass_ratio = 0;  ///< M_E/M_N
  std::vector<Need> needs;
};

/// What `check` tells of an experiment.
struct Review {
  int degrees_of_freedom = 0;               ///< of the whole structure
  std::vector<double> whole_frequencies;    ///< undamped [rad/s]; of a large structure the lowest ten
  double fastest = 0;                       ///< the highest of all [rad/s]
  std::vector<double> damping_ratios;       ///< φᵀ·C·φ/(2ω) of each
  std::vector<std::vector<double>> shapes;  ///< of each, the largest entry 1
  double spectral_radius = 0;
  double radius_resolution = 0;  ///< 0: from eigenvalues; else what growth over many steps can tell
  bool stable = true;
  bool finite = true;              ///< the rehearsal stayed so
  std::optional<Runaway> runaway;  ///< the rehearsal left the test's own scale
  std::vector<ChannelReview> channels;
  std::optional<Finding> passed;       ///< the first limit that the rehearsal passed
  std::vector<std::string> numerical;  ///< what only an error of integration explains
  std::vector<std::string> warnings;

  bool ok() const;
};

/// Rehearses the test without its limits, takes the peaks of everything that a limit looks at, commanded and
/// measured, and collects what a careful engineer would remark on. Where sensors are noisy it rehearses a second
/// time with perfect ones, so that noise in the commands is told from motion.
Review review(const Test& test, const LimitSettings& settings = {});

}  // namespace gusset

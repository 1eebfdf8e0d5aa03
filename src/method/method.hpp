#pragma once

#include <vector>

#include "base/input.hpp"
#include "base/interface.hpp"
#include "integrate/integrator.hpp"
#include "method/profile.hpp"

namespace gusset {

/// How a test is loaded: from the forces measured at the end of the last step, and what comes from
/// outside, to the target of each channel over the next one.
///
/// State: the measured forces, held from the end of the last step.
class Method {
 public:
  struct Channel {
    Interface interface;
    double ground = 0;  ///< how much of the ground's motion the target includes
  };

  Method(std::vector<Channel> channels, Profile profile, double dt, Layout& layout)
      : channels_(std::move(channels)), profile_(profile), dt_(dt) {
    forces_ = layout.add("feedback", "force", "N", static_cast<int>(channels_.size()), 1.0);
  }
  virtual ~Method() = default;

  /// From the measured forces to the targets of the step. @rt-safe
  virtual void begin(State& state, const Input& input, const Response& response,
                     Piece* pieces) const noexcept = 0;

  /// What integrates the numerical part; null where there is none.
  virtual const Integrator* integrator() const { return nullptr; }

  const std::vector<Channel>& channels() const { return channels_; }
  Segment forces() const { return forces_; }
  Profile profile() const { return profile_; }

 protected:
  std::vector<Channel> channels_;
  Profile profile_;
  double dt_;
  Segment forces_;
};

}  // namespace gusset

#pragma once

#include <vector>

#include "base/channel.hpp"
#include "base/input.hpp"
#include "integrate/integrator.hpp"
#include "loading/profile.hpp"
#include "structure/restoring.hpp"

namespace gusset {

struct LinearStart;

/// How a test is loaded: from the forces measured at the end of the last step, and what comes from
/// outside, to the target of each channel over the next one.
///
/// State: the measured forces, held from the end of the last step.
class Method {
 public:
  /// What it keeps of what is measured beside forces: entry i is what channel `first + i` measures under
  /// that name, or `otherwise` if there is no such signal.
  struct Feed {
    Segment to;
    const char* signal;
    const char* unit;
    std::size_t first;
    const char* otherwise = nullptr;
  };

  Method(std::vector<Channel> channels, Profile profile, double dt, Layout& layout)
      : Method(channels, profile, dt, layout, static_cast<int>(channels.size())) {}
  virtual ~Method() = default;

  /// From the measured forces to the targets of the step. `lines` is scratch of `lines_size()`
  /// entries that lives until the step's end. @rt-safe
  virtual void begin(State& state, const Input& input, const Response& response, Piece* pieces,
                     double* lines) const noexcept = 0;

  /// Whether the sub-step's measurement corrects the step. @rt-safe
  bool corrects_after(int substep) const noexcept {
    return iterates_ && corrects_[static_cast<std::size_t>(substep)];
  }
  /// Whether the targets change on the way, within a step.
  bool corrects() const noexcept { return iterates_; }
  /// Corrects the step by the forces measured at the measured positions, one a channel, at the end of
  /// a sub-step; moves the targets of the sub-steps to come. @rt-safe
  virtual void correct(int /*substep*/, State&, const double* /*forces*/, const double* /*positions*/,
                       const Response&, Piece*, double* /*lines*/) const noexcept {}
  /// Puts right what the corrections left, before the next step. @rt-safe
  virtual void end(State&, double* /*lines*/) const noexcept {}
  /// Whether end() has anything to do. @rt-safe
  bool settles() const noexcept { return settles_; }
  virtual std::size_t lines_size() const { return 0; }

  /// Puts what it keeps at t_0, and tells the targets of that instant.
  virtual void start(State& state, const LinearStart& motion, const Input& input, Command* targets) const;
  /// The motion of the specimen's own degrees of freedom relative to what carries them, given that of the whole
  /// structure.
  virtual LinearStart specimen_start(const LinearStart& whole) const;
  /// What it takes from the rig beside forces, after every sub-step.
  virtual std::vector<Feed> feeds() const { return {}; }
  /// What `check` should say about it.
  virtual std::vector<std::string> remarks() const { return {}; }
  /// What a rehearsal should say about it, given the State at the end.
  virtual std::vector<std::string> verdicts(const State&) const { return {}; }
  /// How many vectors of n entries Response stands for.
  virtual int wires() const { return integrator() != nullptr ? 3 + integrator()->work_vectors() : 0; }
  /// How measured forces and those of the storeys load the numerical part.
  virtual std::span<const Contribution> contributions() const { return {}; }

  /// What integrates the numerical part; null where there is none.
  virtual const Integrator* integrator() const { return nullptr; }

  Segment forces() const { return forces_; }  ///< of the channels; the storeys' follow
  Profile profile() const { return profile_; }

 protected:
  Method(std::vector<Channel> channels, Profile profile, double dt, Layout& layout, int forces)
      : channels_(std::move(channels)), profile_(profile), dt_(dt) {
    forces_ = layout.add("feedback", "force", "N", forces, 1.0);
  }

  std::vector<Channel> channels_;
  Profile profile_;
  double dt_;
  bool iterates_ = false;
  bool settles_ = false;
  std::vector<bool> corrects_;  ///< one a sub-step
  Segment forces_;
};

}  // namespace gusset

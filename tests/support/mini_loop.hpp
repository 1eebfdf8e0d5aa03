#pragma once

#include <functional>
#include <memory>

#include "support/step_checks.hpp"

namespace gusset::test {

/// What a mini loop moves: gets the target at the end of the step, gives the force.
class MiniRig {
 public:
  virtual ~MiniRig() = default;
  virtual double advance(State& state, double target) const = 0;
  virtual void start(State&, double /*target*/) const {}
};

/// Makes a rig that claims its state in the layout.
using MiniRigMaker = std::function<std::unique_ptr<MiniRig>(Layout& layout)>;

struct MiniStructure {
  double mass = 100, damping = 0, stiffness = 80e3;
  double dt = 0.002, displacement = 0.01;
};

/// One storey, central differences and one rig at the integrator's rate, written out by hand: the
/// state is displacement, increment, force, then the rig's. Any rig can be put into it, a wrong one
/// too.
SteppedLoop mini_loop(const MiniStructure& structure, const MiniRigMaker& make_rig);

/// A spring that follows the target at once: the right rig to measure the wrong ones against.
class SpringRig : public MiniRig {
 public:
  explicit SpringRig(double stiffness) : stiffness_(stiffness) {}
  double advance(State&, double target) const override { return stiffness_ * target; }

 protected:
  double stiffness_;
};

}  // namespace gusset::test

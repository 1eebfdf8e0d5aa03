#include "support/mini_loop.hpp"

namespace gusset::test {

SteppedLoop mini_loop(const MiniStructure& structure, const MiniRigMaker& make_rig) {
  Layout layout;
  const Segment displacement = layout.add("numerical", "displacement", "m", 1, 1e-3);
  const Segment increment = layout.add("numerical", "increment", "m", 1, 1e-5);
  const Segment force = layout.add("feedback", "force", "N", 1, 1.0);
  const std::shared_ptr<const MiniRig> rig = make_rig(layout);

  const double m = structure.mass / (structure.dt * structure.dt);
  const double c = structure.damping / (2 * structure.dt);
  const double stiffness = structure.stiffness;
  SteppedLoop loop;
  loop.start = layout.zero();
  *loop.start.at(displacement) = structure.displacement;
  rig->start(loop.start, structure.displacement);
  loop.step = [=](State& state) {
    double& d = *state.at(displacement);
    double& p = *state.at(increment);
    double& f = *state.at(force);
    p = ((m - c) * p - stiffness * d - f) / (m + c);
    d += p;
    f = rig->advance(state, d);
    ++state.step;
  };
  return loop;
}

}  // namespace gusset::test

#include "loading/method.hpp"

#include "base/linear_system.hpp"

namespace gusset {

LinearStart Method::specimen_start(const LinearStart& whole) const { return whole; }

void Method::start(State& state, const LinearStart& motion, const Input& input, Command* targets) const {
  const double* d = motion.displacement.data();
  const double* v = motion.velocity.data();
  const double* a = motion.acceleration.data();
  const Integrator* numerical = integrator();
  if (numerical != nullptr) numerical->start(state, d, v, a);
  for (const Channel& channel : channels_) {
    double p = channel.ground * input.increment;
    if (numerical != nullptr) p += channel.interface.of(state.at(numerical->increment()));
    const double velocity = channel.interface.of(v);
    // The integrator's own d_0, which need not be that of the structure (mid-point schemes).
    const double* floors = numerical != nullptr ? state.at(numerical->displacement()) : d;
    Command& target = *targets++;
    target.value = channel.interface.of(floors) + channel.ground * input.displacement;
    target.rate = velocity;
    target.curvature = channel.interface.of(a) + channel.ground * input.acceleration;
    target.start_rate = velocity;
    if (profile_ == Profile::b_spline) {
      // The spline passes half an increment behind the integrator's points.
      target.value -= 0.5 * p;
      target.start_rate = p / dt_;
    }
  }
}

}  // namespace gusset

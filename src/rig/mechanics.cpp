#include "rig/mechanics.hpp"

namespace gusset {

Mechanics::Mechanics(const RigContext& context, const Own& own, std::span<const double> durations)
    : own_(read_own_specimen(context, own.mass, durations)) {
  DriveModel model = DriveModel::with_states(Interface{"", {{0, 1.0}}}, 0);
  model.mass = own.mass;
  model.damping = own.damping;
  model.stiffness = own.stiffness;
  model.force_input = 1;
  plant_ = Plant(own_.matrices, {model});
  // Everything follows x at rest, so internal springs carry nothing.
  static_stiffness_ = plant_.force_rows().row(0).head(freedoms()).sum();
  if (linear()) return;
  // What Runge and Kutta's rule makes of a force that is held: −h·(1 + hA/2 + (hA)²/6 + (hA)³/24)·b.
  std::vector<Eigen::VectorXd> gains;
  for (const double h : durations) {
    Eigen::VectorXd term = -h * b().col(0), sum = term;
    for (int k = 2; k <= 4; ++k) {
      term = (h / k * (a() * term)).eval();
      sum += term;
    }
    gains.push_back(sum);
  }
  solver_ = SpecimenSolver(plant_, own_.kept, own_.damping, std::move(gains), durations);
}

double Mechanics::acceleration(const double* z, double drive) const noexcept {
  const double none = 0;
  return plant_.acceleration(0, z, &drive, &none);
}

double Mechanics::force(const double* z, double acceleration, double remainder) const noexcept {
  return plant_.specimen_force(0, z, &acceleration, 0, remainder);
}

double Mechanics::remainder(State& state, const double* z, const Motion& motion) const noexcept {
  if (linear()) return 0;
  return specimen().advance(state, motion) - force(z, motion.acceleration, 0);
}

double Mechanics::start(State& state, double* z, double x, double displacement, double velocity) const {
  const int n = freedoms();
  for (int i = 0; i < n; ++i) {
    z[i] = x + (i > 0 ? displacement : 0);
    z[n + i] = i > 0 ? velocity : 0;
  }
  if (linear()) return 0;
  return specimen().start(state, {x, 0, 0, 0, 0}, displacement, velocity) - force(z, 0, 0);
}

double Mechanics::static_force(double x) const { return static_stiffness_ * x; }

}  // namespace gusset

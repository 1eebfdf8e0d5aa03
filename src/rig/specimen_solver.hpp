#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "base/state.hpp"
#include "rig/plant.hpp"
#include "rig/specimen.hpp"

namespace gusset {

/// A specimen that is not linear, solved together with the mass that moves it. A piece of time was computed with
/// the remainder r_0 of its beginning (see Plant); with r in its place the plant would have come to
///
///   z(r) = z + G·(r − r_0),            G = ∂z/∂r over the piece, of the plant's own integration
///
/// and r has to be what the specimen answers there, at the *end* of the piece:
///
///   ψ(r) = r − [f(x(r), v(r)) − φ(z(r))] = 0
///
/// f is the specimen's force, φ that of its matrices in the plant. This is the backward Euler rule for r: a
/// damper however steep at rest (fluid dampers, friction) cannot make the piece unstable, as it does where r is
/// known from the piece before. The plant must not hold the damping at rest of what is not linear, but may hold its
/// stiffness k_0; then with c_t and k_t the tangents
///
///   ψ' = 1 + c_t·|G_v| + (k_t − k_0)·|G_x|
///
/// is positive where pieces are short against sqrt(m/k_0), so there is one root. It is found by secant steps
/// inside a bracket, which is halved whenever they are slow; never more than `most_trials` trials.
class SpecimenSolver {
 public:
  static constexpr int most_trials = 60;
  static constexpr int most_entries = 1024, most_branches = 64;  ///< that a specimen keeps in the State

  SpecimenSolver() = default;
  /// `gains` are G of each slot. `kept` is what the specimen keeps, `damping` what it has at rest in its parts that
  /// are not linear.
  SpecimenSolver(const Plant& plant, const Kept& kept, double damping, std::vector<Eigen::VectorXd> gains,
                 std::span<const double> durations);

  /// Puts z at the end of a piece where it belongs; `before` is the velocity at its beginning. Leaves the State as
  /// it is. Returns how many trials it took. @rt-safe
  int solve(const Specimen& specimen, State& state, double* z, double before, double r0,
            int slot) const noexcept;

 private:
  struct Slot {
    Eigen::VectorXd gain;
    double duration;
    double x, v, force;  ///< of the attachment, and of φ, by a unit of r
  };
  const Plant* plant_ = nullptr;
  Kept kept_;
  double damping_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace gusset

#pragma once

#include <span>

#include "rig/plant_rig.hpp"

namespace gusset {

/// What a rig moves: its own mass m and the specimen, solved together. With q = [x, the specimen's own
/// degrees of freedom] and F the rig's force on x,
///
///   (M + m·e₀e₀ᵀ)·q'' + (C + c·e₀e₀ᵀ)·q' + (K + k·e₀e₀ᵀ)·q = e₀·(F − r),   f = M₀·q'' + C₀·q' + K₀·q + r
///
/// M, C, K are the specimen's (at rest, if it is not linear), f its force on the rig. r is what a
/// specimen that is not linear has beyond them, its damping at rest included: it is solved for at the end of
/// each piece (see SpecimenSolver). r = 0 for a linear one, which then needs no state of its own.
class Mechanics {
 public:
  struct Own {
    double mass = 0, damping = 0, stiffness = 0;
  };

  /// Fails where nothing has mass, or where there are too many degrees of freedom. `durations` are
  /// those of the pieces.
  Mechanics(const RigContext& context, const Own& own, std::span<const double> durations);

  int size() const { return plant_.size(); }  ///< of z = [q, q']: twice that of q
  int freedoms() const { return plant_.freedoms(); }
  const Eigen::MatrixXd& a() const { return plant_.a(); }  ///< z' = a·z + b·(F − r)
  const Eigen::MatrixXd& b() const { return plant_.b(); }  ///< one column

  /// x'' under F. @rt-safe
  double acceleration(const double* z, double drive) const noexcept;
  /// f. @rt-safe
  double force(const double* z, double acceleration, double remainder) const noexcept;
  /// Puts z at the end of a piece where a specimen that is not linear lets it come; r0 was held during the piece,
  /// `before` is the velocity at its beginning. @rt-safe
  void solve(State& state, double* z, double before, double r0, int slot) const noexcept {
    solver_.solve(specimen(), state, z, before, r0, slot);
  }
  /// Moves a specimen that is not linear along and returns r at the end. @rt-safe
  double remainder(State& state, const double* z, const Motion& motion) const noexcept;

  /// q at rest on x, the specimen's own degrees of freedom displaced by `displacement` from there and
  /// moving with `velocity`; returns r.
  double start(State& state, double* z, double x, double displacement, double velocity) const;
  /// The force that holds the specimen at rest on x.
  double static_force(double x) const;

  bool linear() const { return own_.linear; }
  const Specimen& specimen() const { return *own_.specimen; }

 private:
  OwnSpecimen own_;
  Plant plant_;
  SpecimenSolver solver_;
  double static_stiffness_ = 0;
};

}  // namespace gusset

#pragma once

#include "base/document.hpp"

namespace gusset {

/// A target between two steps: x(s) = c0 + c1·s + ½·c2·s², s the time since t_i.
struct Piece {
  double c0 = 0, c1 = 0, c2 = 0;
};

/// A position with its rate and curvature at one instant; the curvature is constant since the
/// instant before.
struct Command {
  double displacement = 0, velocity = 0, acceleration = 0;
};

/// How a displacement command moves from d_i to d_{i+1} (p_i = d_i − d_{i−1}):
///
///   ramp       x = d_i + (p_{i+1}/Δt)·s
///   quadratic  x = d_i + (p_{i+1} + p_i)/(2Δt)·s + ½a·s²       Wu 2008 eq. 2.5 as printed; its
///              velocity jumps by (a_{i+1} − a_i)·Δt/2 at every step
///   b-spline   x = d_i − p_i/2 + (p_i/Δt)·s + ½a·s²            continuous velocity, constant
///              acceleration in a step, as the papers' stability analysis assumes; lags Δt/2
///
/// with a = (p_{i+1} − p_i)/Δt² (Wu eq. 2.6).
enum class Profile { ramp, quadratic, b_spline };

/// Reads `profile = "…"`; the fallback if absent.
Profile read_profile(const Section& section, Profile fallback = Profile::b_spline);
const char* name_of(Profile profile);

inline Piece piece(Profile profile, double d, double p, double p_next, double dt) noexcept {
  switch (profile) {
    case Profile::ramp:
      return {d, p_next / dt, 0};
    case Profile::quadratic:
      return {d, (p_next + p) / (2 * dt), (p_next - p) / (dt * dt)};
    case Profile::b_spline:
      break;
  }
  return {d - 0.5 * p, p / dt, (p_next - p) / (dt * dt)};
}

inline Command at(const Piece& piece, double s) noexcept {
  return {piece.c0 + s * (piece.c1 + 0.5 * s * piece.c2), piece.c1 + s * piece.c2, piece.c2};
}

}  // namespace gusset

#pragma once

#include "base/motion.hpp"
#include "document/document.hpp"

namespace gusset {

/// A target between two steps: x(s) = c0 + c1·s + ½·c2·s², s the time since t_i.
struct Piece {
  double c0 = 0, c1 = 0, c2 = 0;
};

/// How a displacement command moves from d_i to d_{i+1} (p_i = d_i − d_{i−1}):
///
///   ramp       x = d_i + (p_{i+1}/Δt)·s
///   quadratic  x = d_i + (p_{i+1} + p_i)/(2Δt)·s + ½a·s²       Wu 2008 eq. 2.5 as printed; its
///              velocity jumps by (a_{i+1} − a_i)·Δt/2 at every step
///   b-spline   x = d_i − p_i/2 + (p_i/Δt)·s + ½a·s²            continuous velocity, constant
///              acceleration in a step, as the papers' stability analysis assumes; lags Δt/2
///
/// with a = (p_{i+1} − p_i)/Δt² (Wu eq. 2.6), and for a numerical part slower than the rig
///
///   p1, p2, p3 predicted from the last targets until d_{i+1} is computed, then corrected towards it;
///              see lagrange.hpp
enum class Profile { ramp, quadratic, b_spline, p1, p2, p3 };

/// Order of the Lagrange polynomial; 0 for the others.
constexpr int lagrange_order(Profile profile) {
  switch (profile) {
    case Profile::p1: return 1;
    case Profile::p2: return 2;
    case Profile::p3: return 3;
    default: return 0;
  }
}

/// Whether the command has an acceleration that a mass can follow. A ramp's velocity jumps at every
/// step, that of p1 … p3 where prediction gives way to correction.
constexpr bool has_acceleration(Profile profile) {
  return profile == Profile::quadratic || profile == Profile::b_spline;
}

/// Reads `profile = "…"`; the fallback if absent.
Profile read_profile(const Section& section, Profile fallback = Profile::b_spline);
const char* name_of(Profile profile);

/// `change` is p_{i+1} − p_i and `rate` 1/Δt: the specimen waits for the curvature, so it takes the
/// shortest way.
inline Piece piece(Profile profile, double d, double p, double change, double rate) noexcept {
  switch (profile) {
    case Profile::ramp: return {d, (p + change) * rate, 0};
    case Profile::quadratic: return {d, (p + 0.5 * change) * rate, change * (rate * rate)};
    default: break;
  }
  return {d - 0.5 * p, p * rate, change * (rate * rate)};
}

/// The command over the sub-step of length `dt` that ends at s, into the four numbers of a Command. Number
/// by number into its place: a struct copied whole takes a detour through the stack that costs as much as
/// the arithmetic. @rt-safe
inline void evaluate(const Piece& piece, double s, double dt, double* command) noexcept {
  const double c0 = piece.c0;
  const double c1 = piece.c1;
  const double c2 = piece.c2;
  command[0] = c0 + s * (c1 + 0.5 * s * c2);
  command[1] = c1 + s * c2;
  command[2] = c2;
  command[3] = c1 + (s - dt) * c2;
}
inline Command evaluate(const Piece& piece, double s, double dt) noexcept {
  double command[4];
  evaluate(piece, s, dt, command);
  return {command[0], command[1], command[2], command[3]};
}

}  // namespace gusset

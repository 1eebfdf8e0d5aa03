#pragma once

#include "loading/profile.hpp"

namespace gusset {

/// Command generation for a numerical part that is slower than the rig (predictor–corrector with
/// Lagrange polynomials, as in OpenFresco's real-time part; Schellenberg, Mahin & Fenves 2009).
///
/// With x_i the target at t_i, ∇ its backward differences (∇x_i = p_i = x_i − x_{i−1}, ∇²x_i = p_i −
/// p_{i−1}, ∇³x_i = p_i − 2p_{i−1} + p_{i−2}) and e = s/Δt the share of the step gone by, the
/// polynomial of order m = 1 … 3 through x_i, …, x_{i−m} continued past t_i is, in Newton's form,
///
///   predict   P(e) = x_i + e·∇x_i + e(e+1)/2·∇²x_i + e(e+1)(e+2)/6·∇³x_i        0 ≤ e ≤ e_c
///
/// which in Lagrange's form is (1+e)·x_i − e·x_{i−1} for m = 1, and so on. Once x_{i+1} is known, at
/// e_c, the polynomial through x_{i+1}, …, x_{i+1−m} interpolates:
///
///   Q(e) = x_{i+1} + (e−1)·∇x_{i+1} + (e−1)e/2·∇²x_{i+1} + (e−1)e(e+1)/6·∇³x_{i+1}
///   correct   x(e) = Q(e) + (P(e_c) − Q(e_c))·(1 − e)/(1 − e_c)                  e_c ≤ e ≤ 1
///
/// The last term takes the error of the prediction, of order Δt^{m+1}, back in a straight line: the
/// command is continuous and ends on x_{i+1}. Both are exact where the targets lie on a polynomial of
/// order m. The next prediction continues this step's Q, so that velocity jumps only by what had to
/// be corrected. Differences of higher order than m are zero.
struct LagrangeStep {
  double x, d1, d2, d3;   ///< x_i and its differences
  double to, t1, t2, t3;  ///< x_{i+1} and its differences

  /// `p`, `p1`, `p2` are p_i, p_{i−1}, p_{i−2}; `next` is p_{i+1}. @rt-safe
  static LagrangeStep of(int order, double x, double next, double p, double p1, double p2) noexcept {
    LagrangeStep step{x, p, 0, 0, x + next, next, 0, 0};
    if (order > 1) {
      step.d2 = p - p1;
      step.t2 = next - p;
    }
    if (order > 2) {
      step.d3 = step.d2 - (p1 - p2);
      step.t3 = step.t2 - step.d2;
    }
    return step;
  }

  double predicted(double e) const noexcept { return x + e * (d1 + (e + 1) * (0.5 * d2 + (e + 2) / 6 * d3)); }
  double interpolated(double e) const noexcept {
    return to + (e - 1) * (t1 + e * (0.5 * t2 + (e + 1) / 6 * t3));
  }
  double corrected(double e, double switched) const noexcept {
    return interpolated(e) + (predicted(switched) - interpolated(switched)) * ((1 - e) / (1 - switched));
  }

  /// The command over one of `substeps` sub-steps, the first `late` of them predicted: a piece of
  /// constant acceleration through the command's points at both ends. @rt-safe
  Piece piece(int substep, int late, int substeps, double dt) const noexcept {
    const double h = 1.0 / substeps;
    const double a = substep * h;
    const double b = (substep + 1) * h;
    const double switched = late * h;
    const bool early = substep < late;
    const double from = early ? predicted(a) : corrected(a, switched);
    const double end = early ? predicted(b) : corrected(b, switched);
    const double middle = 0.5 * (a + b);
    const double curvature = early ? d2 + (middle + 1) * d3 : t2 + middle * t3;
    const double slope = (end - from) * substeps;
    return {from - slope * a + 0.5 * curvature * a * b, (slope - curvature * middle) / dt,
            curvature / (dt * dt)};
  }
};

}  // namespace gusset

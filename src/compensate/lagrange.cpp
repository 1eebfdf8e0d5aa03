#include "compensate/kinds.hpp"
#include "compensate/linear.hpp"

namespace gusset {
namespace {

/// Lagrange predictor: the polynomial of order n through the last n + 1 points, a time τ ahead of the
/// newest. With s1 the newest and e = τ/Δt,
///
///   order 1   s1·(1+e) − s2·e
///   order 2   s1·(1+e)(2+e)/2 − s2·e(2+e) + s3·e(1+e)/2
///   order 3   s1·(1+e)(2+e)(3+e)/6 − s2·e(2+e)(3+e)/2 + s3·e(1+e)(3+e)/2 − s4·e(1+e)(2+e)/6
///
/// In general the weight of the point j steps old is Π_{m≠j} (e + m)/(m − j).
std::unique_ptr<Compensator> make(const CompensatorContext& context) {
  const Section& section = context.section;
  const double delay = section.non_negative("delay", dim::time);
  const int order = section.integer("order", 2, 1, 6);
  const bool per_step = reads_per_step(section, true);
  const double e = delay / (per_step ? context.integrator_dt : context.dt);
  Coefficients c{{}, {1}};
  for (int j = 0; j <= order; ++j) {
    double weight = 1;
    for (int m = 0; m <= order; ++m) {
      if (m != j) weight *= (e + m) / (m - j);
    }
    c.b.push_back(weight);
  }
  return std::make_unique<LinearCompensator>(context, std::move(c), per_step);
}

}  // namespace

const CompensatorKind lagrange_kind{
    "lagrange",
    "polynomial through the last points of the integrator, read ahead of the newest",
    "order 2: s1(1+e)(2+e)/2 - s2 e(2+e) + s3 e(1+e)/2,  e = delay/dt",
    {{"delay", "s", "", "how far ahead"}, {"order", "-", "2", "of the polynomial, 1 to 6"}, at_integrator},
    make};

}  // namespace gusset

#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// Viscous damper, linear or not:  f = C·sgn(v)·|v|^a, regularised below v_r where a ≠ 1 so that its
/// slope stays finite:  f = C·v·(v² + v_r²)^((a−1)/2). No state of its own. Dissipates ∫ f dx
/// (trapezoidal rule).
class Viscous final : public Restoring {
 public:
  Viscous(const RestoringContext& context, double c, double exponent, double small)
      : Restoring(context), c_(c), exponent_(exponent), small_(small) {
    claim(context);
  }
  double damping() const override { return exponent_ == 1 ? c_ : c_ * std::pow(small_, exponent_ - 1); }
  bool affine() const override { return exponent_ == 1; }

 protected:
  double move(State&, const Stretch& stretch, const From& from, double& dissipated) const noexcept override {
    const double v = stretch.velocity;
    const double f =
        exponent_ == 1 ? c_ * v : c_ * v * std::pow(v * v + small_ * small_, 0.5 * (exponent_ - 1));
    dissipated += 0.5 * (f + from.force) * (stretch.displacement - from.displacement);
    return f;
  }

 private:
  double c_, exponent_, small_;
};

}  // namespace

const RestoringKind viscous_kind{
    "viscous",
    "viscous damper, linear or with a power of the velocity",
    "f = C sgn(v) |v|^a",
    {{"damping", "N*(s/m)^a", "", "C"},
     {"exponent", "-", "1", "a, above 0 and at most 2"},
     {"velocity", "m/s", "0.1 mm/s", "v_r: below it the force is about linear (a other than 1)"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      const Section& section = context.section;
      const double exponent = section.number("exponent", dim::none, 1);
      if (!(exponent > 0 && exponent <= 2)) {
        section.fail("exponent", "the exponent must be above 0 and at most 2", "write exponent = 0.3");
      }
      Dimension dimension = dim::force;
      dimension.length -= exponent;
      dimension.time += exponent;
      const double small = section.positive("velocity", dim::velocity, 1e-4);
      return std::make_unique<Viscous>(context, section.positive("damping", dimension), exponent, small);
    },
    true};

}  // namespace gusset

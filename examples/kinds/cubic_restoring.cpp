#include "kinds/examples.hpp"
#include "structure/restoring.hpp"

namespace gusset::examples {
namespace {

/// A spring that hardens:  f = k·x·(1 + (x/x_h)²). Gives back all it takes; no state of its own.
class Cubic final : public Restoring {
 public:
  Cubic(const RestoringContext& context, double stiffness, double hardening)
      : Restoring(context), stiffness_(stiffness), hardening_(hardening) {
    claim(context);
  }
  double stiffness() const override { return stiffness_; }

 protected:
  double move(State&, const Stretch& stretch, const From&, double&) const noexcept override {
    const double share = stretch.displacement / hardening_;
    return stiffness_ * stretch.displacement * (1 + share * share);
  }

 private:
  double stiffness_;  ///< k [N/m]
  double hardening_;  ///< x_h, where the force is twice that of the spring at rest [m]
};

}  // namespace

const RestoringKind cubic_kind{
    "cubic",
    "a spring that hardens with the cube of its displacement",
    "f = k x (1 + (x/x_h)^2)",
    {{"stiffness", "N/m", "", "k, at rest"}, {"hardening", "m", "", "x_h: there the force is twice k x"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      return std::make_unique<Cubic>(context, context.section.positive("stiffness", dim::stiffness),
                                     context.section.positive("hardening", dim::length));
    }};

}  // namespace gusset::examples

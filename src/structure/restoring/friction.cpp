#include <cmath>

#include "structure/restoring/kinds.hpp"

namespace gusset {
namespace {

/// Coulomb friction, regularised:  f = F·tanh(v/v_r). No state of its own. Dissipates ∫ f dx
/// (trapezoidal rule).
class Friction final : public Restoring {
 public:
  Friction(const RestoringContext& context, double force, double velocity)
      : Restoring(context), force_(force), velocity_(velocity) {
    claim(context);
  }
  double damping() const override { return force_ / velocity_; }

 protected:
  double move(State&, const Stretch& stretch, const From& from, double& dissipated) const noexcept override {
    const double f = force_ * std::tanh(stretch.velocity / velocity_);
    dissipated += 0.5 * (f + from.force) * (stretch.displacement - from.displacement);
    return f;
  }

 private:
  double force_, velocity_;
};

}  // namespace

const RestoringKind friction_kind{
    "friction",
    "Coulomb friction, regularised near zero velocity",
    "f = F tanh(v/v_r)",
    {{"force", "N", "", "F"}, {"velocity", "m/s", "1 mm/s", "v_r: 76 % of F is reached there"}},
    [](const RestoringContext& context) -> std::unique_ptr<Restoring> {
      const Section& section = context.section;
      const double velocity = section.positive("velocity", dim::velocity, 1e-3);
      return std::make_unique<Friction>(context, section.positive("force", dim::force), velocity);
    },
    true};

}  // namespace gusset

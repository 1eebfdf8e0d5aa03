#include "base/linear_system.hpp"
#include "rig/specimens/kinds.hpp"

namespace gusset {
namespace {

/// A rigid mass on the interface:  f = M_E·a  (Wu 2008, eq. 3.1). No state.
class Mass final : public Specimen {
 public:
  explicit Mass(double mass) : mass_(mass) {}

  double advance(State&, const Motion& motion) const noexcept override { return mass_ * motion.acceleration; }
  double start(State&, const Motion& motion, double, double) const override {
    return mass_ * motion.acceleration;
  }
  void join(LinearSystem& system, const Interface& at) const override { system.add_mass(at, mass_); }

 private:
  double mass_;
};

SpecimenTraits traits(const Document&, const Section& section, double numerical_mass) {
  SpecimenTraits traits;
  traits.mass = traits.rigid_mass = read_specimen_mass(section, numerical_mass);
  traits.acceleration = true;
  return traits;
}

}  // namespace

const SpecimenKind mass_kind{
    "mass",
    "a rigid mass moved by the rig",
    "f = M_E a",
    {{"mass", "kg", "", "M_E; or give mass_ratio"},
     {"mass_ratio", "-", "", "M_E / M_N, M_N the numerical mass at the interface"}},
    traits,
    [](const SpecimenContext& context) -> std::unique_ptr<Specimen> {
      return std::make_unique<Mass>(read_specimen_mass(context.section, context.numerical_mass));
    }};

}  // namespace gusset

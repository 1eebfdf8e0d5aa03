#include "base/linear_system.hpp"
#include "kinds/examples.hpp"
#include "rig/specimen.hpp"

namespace gusset::examples {
namespace {

/// An inerter with a dashpot beside it, between interface and ground:  f = b·a + c·v. No state.
class Inerter final : public Specimen {
 public:
  Inerter(double inertance, double damping) : inertance_(inertance), damping_(damping) {}

  double advance(State&, const Motion& motion) const noexcept override { return force(motion); }
  double start(State&, const Motion& motion, double, double) const override { return force(motion); }
  void join(LinearSystem& system, const Interface& at) const override {
    system.add_mass(at, inertance_);
    system.add_damping(at, damping_);
  }

 private:
  double force(const Motion& motion) const noexcept {
    return inertance_ * motion.acceleration + damping_ * motion.velocity;
  }

  double inertance_, damping_;  ///< b [kg], c [N·s/m]
};

SpecimenTraits traits(const Document&, const Section& section, double) {
  SpecimenTraits traits;
  traits.mass = section.positive("inertance", dim::mass);
  traits.acceleration = true;  // so that a ramp, whose velocity jumps, is refused
  traits.grounded = true;
  return traits;
}

}  // namespace

const SpecimenKind inerter_kind{"inerter",
                                "an inerter with a dashpot beside it, between interface and ground",
                                "f = b a + c v",
                                {{"inertance", "kg", "", "b"}, {"damping", "N*s/m", "0", "c"}},
                                traits,
                                [](const SpecimenContext& context) -> std::unique_ptr<Specimen> {
                                  return std::make_unique<Inerter>(
                                      context.section.positive("inertance", dim::mass),
                                      context.section.non_negative("damping", dim::damping, 0));
                                }};

}  // namespace gusset::examples

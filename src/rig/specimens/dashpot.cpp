#include "base/linear_system.hpp"
#include "rig/specimens/kinds.hpp"

namespace gusset {
namespace {

/// A linear viscous damper between interface and ground:  f = C_E·v. No state.
class Dashpot final : public Specimen {
 public:
  explicit Dashpot(double damping) : damping_(damping) {}

  double advance(State&, const Motion& motion) const noexcept override { return damping_ * motion.velocity; }
  double start(State&, const Motion& motion, double, double) const override {
    return damping_ * motion.velocity;
  }
  void join(LinearSystem& system, const Interface& at) const override { system.add_damping(at, damping_); }

 private:
  double damping_;
};

double read_damping(const SpecimenContext& context) {
  const Section& section = context.section;
  if (section.has("damping") && section.has("damping_ratio")) {
    section.fail("damping_ratio", "both damping and damping_ratio are given", "keep one of them");
  }
  if (section.has("damping")) return section.non_negative("damping", dim::damping);
  return 2 * section.non_negative("damping_ratio", dim::none) * context.numerical_mass *
         context.reference_frequency;
}

}  // namespace

const SpecimenKind dashpot_kind{
    "dashpot",
    "a linear viscous damper between interface and ground",
    "f = C_E v",
    {{"damping", "N*s/m", "", "C_E; or give damping_ratio"},
     {"damping_ratio", "-", "", "C_E / (2 M_N omega), omega that of structure.frequency_of"}},
    [](const Document&, const Section&, double) {
      SpecimenTraits traits;
      traits.grounded = true;
      return traits;
    },
    [](const SpecimenContext& context) -> std::unique_ptr<Specimen> {
      return std::make_unique<Dashpot>(read_damping(context));
    }};

}  // namespace gusset

#include "base/linear_system.hpp"
#include "rig/specimens/kinds.hpp"

namespace gusset {
namespace {

/// A linear spring between interface and ground:  f = K_E·x. No state.
class Spring final : public Specimen {
 public:
  explicit Spring(double stiffness) : stiffness_(stiffness) {}

  double advance(State&, const Motion& motion) const noexcept override {
    return stiffness_ * motion.displacement;
  }
  double start(State&, const Motion& motion, double, double) const override {
    return stiffness_ * motion.displacement;
  }
  void join(LinearSystem& system, const Interface& at) const override {
    system.add_stiffness(at, stiffness_);
  }

 private:
  double stiffness_;
};

SpecimenTraits traits(const Document&, const Section& section, double) {
  if (section.has("stiffness") && section.has("stiffness_ratio")) {
    section.fail("stiffness_ratio", "both stiffness and stiffness_ratio are given", "keep one of them");
  }
  SpecimenTraits traits;
  traits.grounded = true;
  if (section.has("stiffness")) {
    traits.stiffness = section.positive("stiffness", dim::stiffness);
  } else {
    traits.stiffness_ratio = section.non_negative("stiffness_ratio", dim::none);
  }
  return traits;
}

}  // namespace

const SpecimenKind spring_kind{
    "spring",
    "a linear spring between interface and ground",
    "f = K_E x",
    {{"stiffness", "N/m", "", "K_E; or give stiffness_ratio"},
     {"stiffness_ratio", "-", "", "K_E / K_N, K_N the numerical stiffness at the interface"}},
    traits,
    [](const SpecimenContext& context) -> std::unique_ptr<Specimen> {
      const SpecimenTraits own = traits(context.document, context.section, 0);
      return std::make_unique<Spring>(own.stiffness + own.stiffness_ratio * context.numerical_stiffness);
    }};

}  // namespace gusset
